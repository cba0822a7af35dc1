// Adds a matrix to each matrix of a batch. Three strides of `out` are known at launch only.

#[cutile::module]
mod kernels {
    use cutile::core::*;

    #[cutile::entry()]
    fn add_batches<const R: i32, const C: i32>(
        out: &mut Tensor<f32, { [1, R, C] }>,
        x: &Tensor<f32, { [-1, -1, -1] }>,
        y: &Tensor<f32, { [-1, -1] }>,
    ) {
        let pid: (i32, i32, i32) = get_tile_block_id();
        let of_x: Partition<f32, { [1, R, C] }> = x.partition(const_shape![1, R, C]);
        let of_y: Partition<f32, { [R, C] }> = y.partition(const_shape![R, C]);
        let a: Tile<f32, { [1, R, C] }> = of_x.load([pid.0, pid.1, pid.2]);
        let b: Tile<f32, { [R, C] }> = of_y.load([pid.1, pid.2]);
        out.store(a + b.reshape(const_shape![1, R, C]));
    }
}

// EXPECT verdict race-free
// EXPECT requires index-in-space:launch kernel-assume:launch kernel-assume:standing no-self-overlap:standing
