"""Takes a picture out of an HTML report, as a file of its own: what the page's script drew in a real
browser, in the page's light colours, on white.

    svg = picture(page)          # of the first array of the first kernel; None where no browser is
"""

import pathlib
import re

from browser import PROGRAM, Browser

STYLE = pathlib.Path(__file__).parents[2] / "analyzer" / "report" / "page" / "page.css"
DRAWN = re.compile(r"^(?:svg text|\.(?:axis|cell|hole|twice|cross|crossed|spot)\b[^{,]*) \{", re.MULTILINE)
MARGIN = 8


def style():
    """The page's rules for what is drawn, with the values of its light colours."""
    text = STYLE.read_text()
    colours = dict(re.findall(r"(--[a-z]+): (#[0-9a-f]+)", text[:text.index("}")]))
    rules = [line for line in text.splitlines() if DRAWN.match(line)]
    return re.sub(r"var\((--[a-z]+)\)", lambda found: colours[found[1]], "\n".join(rules))


def picture(page):
    if not PROGRAM:
        return None
    with Browser() as browser:
        drawn = browser.open(page).js("document.querySelector('.arrays svg').outerHTML")
    width, height = map(int, re.match(r'<svg width="(\d+)" height="(\d+)"', drawn).groups())
    inside = re.sub(r"^<svg[^>]*>|</svg>$", "", drawn).replace("><", ">\n<")
    inside = re.sub(r"\d+\.\d{3,}", lambda found: f"{float(found[0]):.2f}", inside)
    box = f"{-MARGIN} {-MARGIN} {width + 2 * MARGIN} {height + 2 * MARGIN}"
    return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{width + 2 * MARGIN}" '
            f'height="{height + 2 * MARGIN}" viewBox="{box}">\n<style>\n{style()}\n</style>\n'
            f'<rect x="{-MARGIN}" y="{-MARGIN}" width="100%" height="100%" fill="#fff"/>\n{inside}\n</svg>\n')
