// SPDX-License-Identifier: Apache-2.0
// No shared memory: a warp transposes 8 x 8 squares in registers. Eight floats are one sector. Four
// rows of eight lanes move 4 full sectors per request on both sides, like one row of 32 lanes.
//
// The tile has 16 such squares, and each of the 8 warps transposes two. Lane (r, c) = (lane / 8,
// lane % 8) holds rows r and r + 4 of column c. For the same rows of the result it needs elements
// (c, r) and (c, r + 4). Both are in lanes of row c % 4.
constexpr int kTile = 32;
constexpr int kSquare = 8;
constexpr unsigned kAllLanes = 0xffffffffu;

__global__ void transpose(float* out, const float* in, int width, int height) {
  const int r = threadIdx.x / kSquare;
  const int c = threadIdx.x % kSquare;
  const int source = c % 4 * kSquare + r;
#pragma unroll
  for (int k = 0; k < 2; ++k) {
    const int square = threadIdx.y + 8 * k;
    const int first_row = blockIdx.y * kTile + square / 4 * kSquare;
    const int first_column = blockIdx.x * kTile + square % 4 * kSquare;

    float upper = 0;
    float lower = 0;
    const int row = first_row + r;
    const int column = first_column + c;
    if (column < width && row < height) upper = in[row * width + column];
    if (column < width && row + 4 < height) lower = in[(row + 4) * width + column];

    // All lanes shuffle. Lanes outside the matrix pass zeros, which are never stored.
    const float upper_left = __shfl_sync(kAllLanes, upper, source);
    const float lower_left = __shfl_sync(kAllLanes, lower, source);
    const float upper_right = __shfl_sync(kAllLanes, upper, source + 4);
    const float lower_right = __shfl_sync(kAllLanes, lower, source + 4);
    const float first = c < 4 ? upper_left : lower_left;
    const float second = c < 4 ? upper_right : lower_right;

    const int out_row = first_column + r;
    const int out_column = first_row + c;
    if (out_column < height && out_row < width) out[out_row * height + out_column] = first;
    if (out_column < height && out_row + 4 < width) {
      out[(out_row + 4) * height + out_column] = second;
    }
  }
}
