//! Compiles every kernel in cutile-rs for sm_90: `modules OUT` writes OUT/PATH.tilebc for PATH.rs.

// The compiler's entry point is marked deprecated, and the kernels are only read by the macro.
#![allow(deprecated, warnings)]

use cutile::compile_api::KernelCompiler;

mod accumulate_in_place {
    include!("../../../../fixtures/races/rust/frontend_accumulate_in_place.rs");
}
mod double_in_place {
    include!("../../../../fixtures/races/rust/frontend_double_in_place.rs");
}
mod fill_passes {
    include!("../../../../fixtures/races/rust/frontend_fill_passes.rs");
}
mod add_batches {
    include!("../../../../kernels/rust/add_batches.rs");
}
mod replace_in_place {
    include!("../../../../fixtures/races/rust/replace_in_place.rs");
}
mod fill_columns {
    include!("../../../../kernels/rust/fill_columns.rs");
}
mod scale_rows {
    include!("../../../../kernels/rust/scale_rows.rs");
}

macro_rules! compile {
    ($out:expr, $path:expr, $module:ident, $kernel:expr, $generics:expr, $strides:expr) => {
        let generics = $generics.iter().map(|word: &&str| word.to_string()).collect::<Vec<_>>();
        let artifacts = KernelCompiler::new($module::kernels::__module_ast_self, "kernels", $kernel)
            .generics(generics)
            .strides($strides)
            .target("sm_90")
            .compile()
            .expect($path);
        let file = std::path::Path::new($out).join($path).with_extension("tilebc");
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, artifacts.bytecode().expect($path)).unwrap();
    };
}

fn compile_all(out: &str) {
    let in_place = "fixtures/races/rust/frontend_double_in_place.rs";
    compile!(out, in_place, double_in_place, "frontend_double_in_place", ["128"], &[("z", &[1])]);
    let sums = "fixtures/races/rust/frontend_accumulate_in_place.rs";
    let open = [("z", &[1][..]), ("x", &[1])];
    compile!(out, sums, accumulate_in_place, "frontend_accumulate_in_place", ["128"], &open);
    let replaced = "fixtures/races/rust/replace_in_place.rs";
    compile!(out, replaced, replace_in_place, "replace_in_place", ["128"], &open);
    let passes = "fixtures/races/rust/frontend_fill_passes.rs";
    compile!(out, passes, fill_passes, "frontend_fill_passes", ["128"], &[("z", &[1])]);
    let columns = "kernels/rust/fill_columns.rs";
    compile!(out, columns, fill_columns, "fill_columns", ["256", "64"], &[("out", &[256, 1])]);
    let rows = "kernels/rust/scale_rows.rs";
    let open = [("out", &[-1, 1][..]), ("x", &[-1, 1])];
    compile!(out, rows, scale_rows, "scale_rows", ["16", "64"], &open);
    let batches = "kernels/rust/add_batches.rs";
    let open = [("out", &[-1, -1, 1][..]), ("x", &[-1, -1, 1]), ("y", &[-1, 1])];
    compile!(out, batches, add_batches, "add_batches", ["16", "64"], &open);
}

fn main() {
    let out = std::env::args().nth(1).expect("modules OUT");
    // The compiler walks expressions by recursion.
    let thread = std::thread::Builder::new().stack_size(64 << 20);
    thread.spawn(move || compile_all(&out)).unwrap().join().unwrap();
}
