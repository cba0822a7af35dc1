# A tile of a matrix for each tile block, in its second dimension. `swapped` leaves the block's number
# out of the store's index.
import cuTile as ct

function swapped(a::ct.TileArray{Float32,2}, c::ct.TileArray{Float32,2})
    j = ct.bid(2)
    t = ct.load(a, (1, j), (16, 16))
    ct.store(c, (1, 1), t)
    return
end

function straight(a, c, rows::Int)
    j = ct.bid(2)
    t = ct.load(a, (1, j), (rows, 16))
    ct.store(c, (1, j), t)
    return
end
