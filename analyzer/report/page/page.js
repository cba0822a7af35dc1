"use strict";
/* ---- The theme: the system's, until somebody chooses ---- */
const root = document.documentElement, dark = matchMedia("(prefers-color-scheme: dark)");
const isDark = () => (root.dataset.theme || (dark.matches ? "dark" : "light")) === "dark";
const switcher = document.getElementById("theme");
function nameTheme() { switcher.textContent = isDark() ? "Light colours" : "Dark colours"; }
switcher.hidden = false;
switcher.addEventListener("click", () => { root.dataset.theme = isDark() ? "light" : "dark"; nameTheme(); });
dark.addEventListener("change", nameTheme);
nameTheme();

/* ---- Elements ---- */
const make = (name, text, cls) => {
  const e = document.createElement(name);
  if (text !== undefined) e.textContent = text;
  if (cls) e.className = cls;
  return e;
};
const shape = (name, at, cls, parent) => {
  const e = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const key of Object.keys(at)) e.setAttribute(key, at[key]);
  if (cls) e.setAttribute("class", cls);
  if (parent) parent.append(e);
  return e;
};
const plural = (n, what) => `${n.toLocaleString("en")} ${what}${n === 1 ? "" : "s"}`;
const list = words => words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words[words.length - 1]}`;

/* Eight colours that the colour-blind tell apart (Okabe and Ito, and a violet); tile blocks beside one
 * another in any direction get different ones. */
const palette = ["#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#f0e442", "#7d5ba6"];
const idOf = (block, grid) => [block % grid[0], Math.floor(block / grid[0]) % grid[1], Math.floor(block / grid[0] / grid[1])];
const blockName = (block, launch) => `(${idOf(block, launch.grid).map(n => n + (launch.from_one ? 1 : 0)).join(", ")})`;
/* As people of that language write a list of dimensions, which is here the slowest first. */
const inOrder = (of, launch) => launch.from_one ? of.slice().reverse() : of;
const colourOf = (block, grid) => { const [x, y, z] = idOf(block, grid); return palette[(x + 3 * y + 5 * z) % palette.length]; };
/* Black or white, whichever is read more easily (WCAG's relative luminance). */
const inkOn = hex => {
  const [r, g, b] = [1, 3, 5].map(i => parseInt(hex.slice(i, i + 2), 16) / 255).map(v => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b > 0.179 ? "#000" : "#fff";
};

/* ---- One array: a grid of cells, or several where it has more than two dimensions that count ---- */
const LEFT = 34, TOP = 18, MOST = 460;

function coordinates(cell, counts) {
  const at = new Array(counts.length);
  for (let d = counts.length - 1; d >= 0; d--) { at[d] = cell % counts[d]; cell = Math.floor(cell / counts[d]); }
  return at;
}

function cellName(array, cell, launch) {
  const first = coordinates(cell, array.counts).map((c, d) => c * array.merged[d]);
  const last = first.map((c, d) => Math.min(c + array.merged[d], Math.ceil(array.shape[d] / array.tile[d])) - 1);
  const name = at => `[${inOrder(at.map(n => n + (launch.from_one ? 1 : 0)), launch).join(", ")}]`;
  const what = array.flat ? "piece" : "tile", from = name(first), to = name(last);
  return from === to ? `${what} ${from}` : `${what}s ${from} to ${to}`;
}

function cellWords(array, cell, launch) {
  const {owners, twice, race, unwritten, atomic} = array.cells, mine = owners[cell];
  const named = mine.slice(0, 6).map(b => blockName(b, launch));
  if (mine.length > 6) named.push(`${mine.length - 6} more`);
  let words = `${array.name}, ${cellName(array, cell, launch)}: ` + (mine.length === 0 ? "no tile block writes it"
    : `written by tile block${mine.length === 1 ? "" : "s"} ${list(named)}`);
  if (race[cell]) words += `; ${plural(race[cell], "element")} in a race`;
  else if (twice[cell]) words += `; ${plural(twice[cell], "element")} by several, one after the other`;
  else if (atomic[cell]) words += `; ${plural(atomic[cell], "element")} updated by several, by atomics`;
  if (mine.length && unwritten[cell]) words += `; ${plural(unwritten[cell], "element")} written by nobody`;
  return words;
}

/* Which dimensions are drawn: the last two that have more than one cell; the others make slices. */
function axesOf(counts) {
  const long = counts.map((n, d) => d).filter(d => counts[d] > 1), drawn = long.slice(-2);
  if (drawn.length === 0) drawn.push(counts.length - 1);
  return {row: drawn.length === 2 ? drawn[0] : -1, column: drawn[drawn.length - 1], rest: long.slice(0, -2)};
}

/* A row much longer than wide is cut into bands below one another. */
function layOut(rows, columns) {
  const bands = rows === 1 && columns > 16 ? Math.ceil(Math.sqrt(columns / 2)) : 1;
  const across = Math.ceil(columns / bands), down = rows * bands;
  const size = Math.max(6, Math.min(44, Math.floor(MOST / Math.max(across, down))));
  return {bands, across, down, size, place: (r, c) => bands > 1 ? [Math.floor(c / across), c % across] : [r, c]};
}

function drawCell(draw, x, y, size, array, cell, grid, parts) {
  const {owners, twice, race, unwritten} = array.cells, mine = owners[cell];
  const group = shape("g", {"data-cell": cell}, undefined, draw);
  const box = {x, y, width: size, height: size};
  parts.cells.set(cell, {group, x, y, size});
  if (mine.length < 2) {
    const fill = mine.length ? {...box, fill: colourOf(mine[0], grid)} : box;
    shape("rect", fill, mine.length ? "cell" : "cell none", group);
  } else { /* stripes: each tile block that writes it has one */
    const shown = mine.slice(0, 4);
    shown.forEach((block, i) => shape("rect", {x: x + size * i / shown.length, y, width: size / shown.length, height: size,
      fill: colourOf(block, grid)}, "cell", group));
  }
  group.dataset.owners = mine.join(" ");
  if (unwritten[cell]) {
    group.dataset.unwritten = unwritten[cell];
    const step = size / 3;
    for (let k = 1; k < 6; k++) {
      const from = Math.min(k * step, size), to = Math.max(0, k * step - size);
      shape("line", {x1: x + to, y1: y + from, x2: x + from, y2: y + to}, "hole", group);
    }
  }
  if (twice[cell] || race[cell]) {
    const inset = 2;
    if (race[cell]) {
      group.dataset.race = race[cell];
      for (const cls of ["crossed", "cross"]) {
        shape("line", {x1: x + inset, y1: y + inset, x2: x + size - inset, y2: y + size - inset}, cls, group);
        shape("line", {x1: x + size - inset, y1: y + inset, x2: x + inset, y2: y + size - inset}, cls, group);
      }
    }
    if (twice[cell]) group.dataset.twice = twice[cell];
    shape("rect", {x: x + inset, y: y + inset, width: size - 2 * inset, height: size - 2 * inset}, race[cell] ? "twice raced" : "twice", group);
  }
  if (mine.length === 1 && size >= 26 && !race[cell] && !twice[cell] && !unwritten[cell]) {
    const label = shape("text", {x: x + size / 2, y: y + size / 2 + 4, "text-anchor": "middle", fill: inkOn(colourOf(mine[0], grid))}, "label", group);
    label.textContent = mine[0];
  }
}

function drawSlice(parent, array, launch, axes, fixed, parts) {
  const grid = launch.grid, base = launch.from_one ? 1 : 0;
  const rows = axes.row < 0 ? 1 : array.counts[axes.row], columns = array.counts[axes.column];
  const {bands, across, down, size, place} = layOut(rows, columns);
  const width = LEFT + across * size, height = TOP + down * size;
  const svg = shape("svg", {width, height, viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true"});
  const every = Math.max(1, Math.ceil(26 / size));
  const number = (n, d) => n * array.merged[d] + base;
  if (bands === 1)
    for (let c = 0; c < across; c += every)
      shape("text", {x: LEFT + c * size + size / 2, y: TOP - 5, "text-anchor": "middle"}, "axis", svg).textContent = number(c, axes.column);
  for (let r = 0; r < down; r += every)
    if (axes.row >= 0 || bands > 1)
      shape("text", {x: LEFT - 5, y: TOP + r * size + size / 2 + 4, "text-anchor": "end"}, "axis", svg).textContent =
        bands > 1 ? number(r * across, axes.column) : number(r, axes.row);
  for (let r = 0; r < rows; r++)
    for (let c = 0; c < columns; c++) {
      const at = fixed.slice();
      if (axes.row >= 0) at[axes.row] = r;
      at[axes.column] = c;
      const cell = at.reduce((sum, x, d) => sum * array.counts[d] + x, 0), [down_, across_] = place(r, c);
      drawCell(svg, LEFT + across_ * size, TOP + down_ * size, size, array, cell, grid, parts);
    }
  parent.append(svg);
}

function drawArray(parent, array, data, say) {
  const dimension = d => `dimension ${data.launch.from_one ? array.counts.length - d : d}`;
  const figure = make("figure"), axes = axesOf(array.counts), slices = make("div", undefined, "slices"), parts = {array, cells: new Map()};
  const total = array.counts.reduce((a, b) => a * b, 1), marked = array.cells.race.filter(x => x).length, holes = array.cells.unwritten.filter(x => x).length;
  figure.append(make("h4", `${array.name}: ${array.flat ? plural(array.shape[0], "element") : inOrder(array.shape, data.launch).join(" x ")}, ${array.flat ? "pieces" : "tiles"} of ${inOrder(array.tile, data.launch).join(" x ")}`));
  slices.setAttribute("role", "img");
  slices.setAttribute("aria-label", `${array.name} as ${plural(total, "cell")}, coloured by the tile block that writes each; `
    + `${plural(marked, "cell")} written in a race, ${holes} with elements that nobody writes`);
  const fixed = array.counts.map(() => 0);
  const next = () => { for (let k = axes.rest.length - 1; k >= 0; k--) { const d = axes.rest[k]; if (++fixed[d] < array.counts[d]) return true; fixed[d] = 0; } return false; };
  do {
    const slice = make("div");
    if (axes.rest.length) slice.append(make("p", axes.rest.map(d => `${dimension(d)} = ${fixed[d] * array.merged[d] + (data.launch.from_one ? 1 : 0)}`).join(", "), "quiet small"));
    drawSlice(slice, array, data.launch, axes, fixed, parts);
    slices.append(slice);
  } while (next());
  figure.append(slices);
  const drawn = axes.row >= 0 ? `down: ${dimension(axes.row)}, across: ${dimension(axes.column)}` : `across: ${dimension(axes.column)}`;
  const merged = array.merged.some(m => m > 1) ? `; each cell stands for ${inOrder(array.merged, data.launch).join(" x ")} tiles, and is marked where one of them is` : "";
  figure.append(make("figcaption", `${drawn}${merged}`));
  slices.addEventListener("mousemove", e => {
    const cell = e.target.closest && e.target.closest("g[data-cell]");
    if (cell) say(cellWords(array, +cell.dataset.cell, data.launch));
  });
  parent.append(figure);
  return parts;
}

/* ---- The witness: a spot in its cell ---- */
function drawWitness(data, drawn) {
  const w = data.witness, parts = w && drawn.find(p => p.array.name === w.buffer), at = parts && parts.cells.get(w.cell);
  if (at) shape("circle", {cx: at.x + at.size / 2, cy: at.y + at.size / 2, r: Math.max(3, at.size / 7)}, "spot", at.group).setAttribute("data-witness", w.element);
}

/* ---- The slider: what one tile block writes ---- */
function addSlider(parent, data, drawn) {
  const grid = data.launch.grid, blocks = grid[0] * grid[1] * grid[2], box = make("div", undefined, "choose"), label = make("label", "tile block "), input = make("input"), out = make("output"), all = make("button", "all tile blocks");
  input.type = "range";
  input.min = 0;
  input.max = blocks - 1;
  input.step = 1;
  input.value = 0;
  label.append(input);
  all.type = "button";
  out.setAttribute("aria-live", "polite");
  box.append(label, all, out);
  parent.append(box);
  let marks = [];
  const clear = () => { marks.forEach(m => m.remove()); marks = []; drawn.forEach(p => p.cells.forEach(c => { c.group.classList.remove("lit"); c.group.querySelectorAll(".cell").forEach(r => r.classList.remove("lit")); })); };
  function show() {
    const block = +input.value, words = [];
    clear();
    parent.classList.add("dim");
    drawn.forEach(parts => {
      const mine = [];
      parts.cells.forEach((at, cell) => {
        if (!parts.array.cells.owners[cell].includes(block)) return;
        mine.push(cell);
        at.group.classList.add("lit");
        at.group.querySelectorAll(".cell").forEach(r => r.classList.add("lit"));
        const inset = {x: at.x + 1.5, y: at.y + 1.5, width: at.size - 3, height: at.size - 3};
        for (const cls of ["held", "own"]) {
          const mark = shape("rect", inset, cls);
          mark.setAttribute("data-of", cell);
          at.group.parentNode.append(mark);
          marks.push(mark);
        }
      });
      const shared = mine.filter(c => parts.array.cells.owners[c].length > 1), named = mine.slice(0, 4).map(c => cellName(parts.array, c, data.launch));
      if (mine.length > 4) named.push(`${mine.length - 4} more`);
      if (mine.length) words.push(`${list(named)} of ${parts.array.name}` + (shared.length ? `, ${shared.length === mine.length ? "all" : shared.length} of them also written by others` : ""));
    });
    const name = blockName(block, data.launch);
    out.textContent = words.length ? `tile block ${name} writes ${words.join("; ")}` : `tile block ${name} writes nothing that is drawn`;
    input.setAttribute("aria-valuetext", `tile block ${name}`);
  }
  function showAll() {
    clear();
    parent.classList.remove("dim");
    out.textContent = `all ${plural(blocks, "tile block")} of the grid ${grid.join(" x ")}`;
  }
  input.addEventListener("input", show);
  input.addEventListener("keydown", e => { if (e.key === "Escape") showAll(); });
  all.addEventListener("click", showAll);
  showAll();
  input.setAttribute("aria-valuetext", `tile block ${blockName(0, data.launch)}`);
}

function addLegend(parent, data) {
  const legend = make("ul", undefined, "legend"), any = key => data.buffers.some(b => b.cells[key].some(x => x));
  const entry = (words, draw) => {
    const item = make("li"), svg = shape("svg", {viewBox: "0 0 20 20", "aria-hidden": "true"});
    draw(svg);
    item.append(svg, words);
    legend.append(item);
  };
  entry("colour: the tile block that writes it; numbers count blocks, x first", svg => shape("rect", {x: 0, y: 0, width: 20, height: 20, fill: palette[0]}, undefined, svg));
  if (any("race")) entry("written in a race", svg => {
    shape("line", {x1: 2, y1: 2, x2: 18, y2: 18}, "cross", svg);
    shape("line", {x1: 18, y1: 2, x2: 2, y2: 18}, "cross", svg);
    shape("rect", {x: 2, y: 2, width: 16, height: 16}, "twice raced", svg);
  });
  if (data.buffers.some(b => b.cells.twice.some((n, i) => n && !b.cells.race[i])))
    entry("written by several tile blocks, one after the other", svg => shape("rect", {x: 2, y: 2, width: 16, height: 16}, "twice", svg));
  if (any("unwritten")) entry("has elements that nobody writes", svg => [8, 20, 32].forEach(k =>
    shape("line", {x1: Math.max(0, k - 20), y1: Math.min(k, 20), x2: Math.min(k, 20), y2: Math.max(0, k - 20)}, "hole", svg)));
  if (data.witness && data.witness.cell >= 0) entry("the element of the witness", svg => shape("circle", {cx: 10, cy: 10, r: 6}, "spot", svg));
  parent.append(legend);
}

document.querySelectorAll(".picture").forEach(place => {
  const data = JSON.parse(place.querySelector("script").textContent), left = place.querySelector(".drawn");
  if (!data.launch) return;
  const tip = make("p", undefined, "tip quiet"), arrays = make("div", undefined, "arrays"), drawn = [];
  const slider = make("div");
  left.append(slider, arrays);
  data.buffers.forEach(array => drawn.push(drawArray(arrays, array, data, words => { tip.textContent = words; })));
  drawWitness(data, drawn);
  addSlider(left, data, drawn);
  slider.replaceWith(left.querySelector(".choose"));
  addLegend(left, data);
  left.append(tip);
});
