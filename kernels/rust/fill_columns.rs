// Fills a row in each of two passes, tile by tile. Through a partition the compiler hands the token
// of each store on, out of the loop and to the second pass.

#[cutile::module]
mod kernels {
    use cutile::core::*;

    #[cutile::entry()]
    fn fill_columns<const N: i32, const B: i32>(out: &mut Tensor<f32, { [1, N] }>) {
        let columns = Dim::new(N / B);
        let shape = const_shape![1, B];
        let mut row = out.partition_mut(shape).with_bounds((Dim::new(1), columns));
        let zeros: Tile<f32, { [1, B] }> = constant(0.0, shape);
        let ones: Tile<f32, { [1, B] }> = constant(1.0, shape);
        for j in columns {
            row.store(zeros, coord((0i32, j)));
        }
        for j in columns {
            row.store(ones, coord((0i32, j)));
        }
    }
}
// EXPECT requires kernel-assume:standing
