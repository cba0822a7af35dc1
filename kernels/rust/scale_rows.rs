// Scales a matrix by tiles. The strides of both arrays are known at launch only: that `out` does not
// overlap itself is what every caller of an array promises.

#[cutile::module]
mod kernels {
    use cutile::core::*;

    #[cutile::entry()]
    fn scale_rows<const R: i32, const C: i32>(
        out: &mut Tensor<f32, { [R, C] }>,
        x: &Tensor<f32, { [-1, -1] }>,
        factor: f32,
    ) {
        let pid: (i32, i32, i32) = get_tile_block_id();
        let tiles: Partition<f32, { [R, C] }> = x.partition(const_shape![R, C]);
        let tile: Tile<f32, { [R, C] }> = tiles.load([pid.0, pid.1]);
        let factors: Tile<f32, { [R, C] }> = broadcast_scalar(factor, const_shape![R, C]);
        out.store(tile * factors);
    }
}

// EXPECT verdict race-free
// EXPECT requires index-in-space:launch kernel-assume:launch kernel-assume:standing no-self-overlap:standing
