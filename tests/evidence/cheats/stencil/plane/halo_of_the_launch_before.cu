// SPDX-License-Identifier: Apache-2.0
// tries: Saves the halo loads above and below: blocks exchange their edge rows through a global
//   array. A block that runs early reads rows of an earlier launch.
// stopped by: Unordered accesses of two blocks are a race (common/check/global_race.cpp), and each
//   launch starts with fresh variables (common/sim/simulator.cpp).
// verdict: fail diagnostic race, 0 points
__device__ float rows[1 << 16][32];

__global__ void heat(float* out, const float* in, int width, int height) {
  __shared__ float tile[8][33];
  const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  const bool inside = x < width && y < height;
  tile[threadIdx.y][threadIdx.x] = inside ? in[y * width + x] : 0;
  const unsigned block = (blockIdx.y * gridDim.x + blockIdx.x) % (1 << 15);
  if (threadIdx.y == 0) rows[2 * block][threadIdx.x] = tile[0][threadIdx.x];
  if (threadIdx.y == 7) rows[2 * block + 1][threadIdx.x] = tile[7][threadIdx.x];
  __syncthreads();
  if (!inside) return;
  const float centre = tile[threadIdx.y][threadIdx.x];
  if (x == 0 || y == 0 || x == width - 1 || y == height - 1) {
    out[y * width + x] = centre;
    return;
  }
  const float above = threadIdx.y > 0 ? tile[threadIdx.y - 1][threadIdx.x]
                                      : rows[2 * (block - gridDim.x) + 1][threadIdx.x];
  const float below = threadIdx.y < 7 ? tile[threadIdx.y + 1][threadIdx.x]
                                      : rows[2 * (block + gridDim.x)][threadIdx.x];
  const float left = threadIdx.x > 0 ? tile[threadIdx.y][threadIdx.x - 1] : in[y * width + x - 1];
  const float right = threadIdx.x < 31 ? tile[threadIdx.y][threadIdx.x + 1] : in[y * width + x + 1];
  out[y * width + x] = 0.2f * (centre + above + below + left + right);
}
