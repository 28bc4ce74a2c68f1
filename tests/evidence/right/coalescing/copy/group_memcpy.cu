// SPDX-License-Identifier: Apache-2.0
// Each warp loads its rows into shared memory with cg::memcpy_async, then calls cg::wait.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
namespace cg = cooperative_groups;

__global__ void copy(float* out, const float* in, int width, int height) {
  __shared__ float rows[8][4][32];
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  const int left = blockIdx.x * 32, count = min(32, width - left), lane = threadIdx.x;
  for (int k = 0; k < 4; ++k) {
    const int row = blockIdx.y * 32 + threadIdx.y + 8 * k;
    if (row < height)
      cg::memcpy_async(warp, rows[threadIdx.y][k], in + row * width + left, sizeof(float) * count);
  }
  cg::wait(warp);
  for (int k = 0; k < 4; ++k) {
    const int row = blockIdx.y * 32 + threadIdx.y + 8 * k;
    if (row < height && lane < count) out[row * width + left + lane] = rows[threadIdx.y][k][lane];
  }
}
