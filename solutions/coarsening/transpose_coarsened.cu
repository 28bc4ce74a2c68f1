// SPDX-License-Identifier: Apache-2.0
// Exercise coarsening/transpose_coarsened, solved: one tile after another through one buffer.
//
// The tiles of a block share one buffer in shared memory, so each tile needs two barriers: one
// before its threads read it, and one before they overwrite it.
//
// Why coarsening gains nothing here: each element is read once and written once. Neighbouring
// threads share no work that merging them could save, and no two elements of a thread share a
// cache line. The loss is in latency hiding: a block processes its tiles one after another, each
// behind a barrier. There are also fewer blocks to fill the gaps and to even out the end of the
// launch.

constexpr int kTile = 32;      // rows and columns of a tile
constexpr int kBlockRows = 8;  // blockDim.y

template <int Factor>
__global__ void transpose_coarsened(float* out, const float* in, int width, int height) {
  __shared__ float tile[kTile][kTile + 1];

  const int first_row = blockIdx.y * kTile;
  for (int c = 0; c < Factor; ++c) {
    const int first_column = (blockIdx.x * Factor + c) * kTile;
    const int column = first_column + threadIdx.x;
    const int row = first_row + threadIdx.y;
    for (int j = 0; j < kTile; j += kBlockRows) {
      if (column < width && row + j < height) {
        tile[threadIdx.y + j][threadIdx.x] = in[(row + j) * width + column];
      }
    }
    __syncthreads();  // the tile is full

    const int out_column = first_row + threadIdx.x;
    const int out_row = first_column + threadIdx.y;
    for (int j = 0; j < kTile; j += kBlockRows) {
      if (out_column < height && out_row + j < width) {
        out[(out_row + j) * height + out_column] = tile[threadIdx.x][threadIdx.y + j];
      }
    }
    __syncthreads();  // the tile is empty again
  }
}
