/* Each tile block looks for the first negative element of its row, and says where it is: in `found`,
 * or, where none of the first `most` elements is negative, in `given_up`. The loop has two ways out,
 * each with a pointer into another buffer. */
#include <cuda_tile.h>

namespace ct = cuda::tiles;

__tile_global__ void first_negative(const float *__restrict__ x, int *__restrict__ found,
                                    int *__restrict__ given_up, int rows, int columns,
                                    int most)
{
    int row = ct::bid().x;
    const float *at = x + row * columns;
    int *answer = found + row;
    int i = 0;
    while (true) {
        if (ct::load(at + i) < 0.0f)
            break;
        i = i + 1;
        if (i >= most) {
            answer = given_up + row;
            break;
        }
    }
    ct::store(answer, i);
}

// EXPECT verdict race-free
