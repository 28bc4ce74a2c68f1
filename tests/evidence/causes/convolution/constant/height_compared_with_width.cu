// SPDX-License-Identifier: Apache-2.0
// cause: wrong_guard line=9
// says: The row of a neighbour is compared with the width: rows below the image are read, or valid ones are
//   left out.
__constant__ float weights[25] = {1,  3, 5, 6,  2,  4,  13, 17, 11, 5, 7, 19, 41,
                                  23, 6, 5, 15, 21, 14, 6,  3,  5,  9, 8, 7};

__device__ float at(const float* image, int x, int y, int width, int height) {
  if (x < 0 || x >= width || y < 0 || y >= width) return 0;
  return image[1LL * y * width + x];
}

__global__ void blur(float* out, const float* in, int width, int height) {
  __shared__ float tile[36][37];
  for (int r = threadIdx.y; r < 36; r += 8) {
    for (int c = threadIdx.x; c < 36; c += 32) {
      tile[r][c] = at(in, blockIdx.x * 32 + c - 2, blockIdx.y * 32 + r - 2, width, height);
    }
  }
  __syncthreads();
  const int x = blockIdx.x * 32 + threadIdx.x;
  for (int r = threadIdx.y; r < 32 && x < width; r += 8) {
    const int y = blockIdx.y * 32 + r;
    if (y >= height) continue;
    float sum = 0;
#pragma unroll
    for (int k = 0; k < 25; ++k) sum += weights[k] * tile[r + k / 5][threadIdx.x + k % 5];
    out[1LL * y * width + x] = sum / 256;
  }
}
