// SPDX-License-Identifier: Apache-2.0
// A functor swizzles with the mask 5 * row mod 32. The factor is odd, so all 32 masks differ.
// deserves: fail performance, 7 points; 0.620 of copy on an H200, bound 0.7: the loops are
//   not unrolled, so each warp has one load in flight
struct Swizzle {
  float* words;
  __device__ float& operator()(int row, int column) const {
    return words[row * 32 + (column ^ (row * 5 & 31))];
  }
};

__global__ void transpose(float* out, const float* in, int width, int height) {
  __shared__ float words[32 * 32];
  const Swizzle tile{words};
  const int lane = threadIdx.x;
  for (int k = threadIdx.y; k < 32; k += blockDim.y) {
    const int r = blockIdx.y * 32 + k, c = blockIdx.x * 32 + lane;
    if (r < height && c < width) tile(k, lane) = in[r * width + c];
  }
  __syncthreads();
  for (int k = threadIdx.y; k < 32; k += blockDim.y) {
    const int r = blockIdx.x * 32 + k, c = blockIdx.y * 32 + lane;
    if (r < width && c < height) out[r * height + c] = tile(lane, k);
  }
}
