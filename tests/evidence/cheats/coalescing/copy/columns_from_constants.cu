// SPDX-License-Identifier: Apache-2.0
// tries: Takes the column of each lane from constant memory, so that all loads and stores stay
//   coalesced. The lanes of a warp read 32 different constants, which are served one by one.
// stopped by: The time model counts a pass per constant (common/timing/machine_code.h).
// verdict: fail performance, 8 points
struct Columns {
  int of[32];
  constexpr Columns() : of() {
    for (int i = 0; i < 32; ++i) of[i] = i;
  }
};
__constant__ Columns columns{};

__global__ void copy(float* out, const float* in, int width, int height) {
  const int x = blockIdx.x * 32 + columns.of[threadIdx.x];
#pragma unroll 1
  for (int j = threadIdx.y; j < 32; j += 8) {
    const int y = blockIdx.y * 32 + j;
    const int again = blockIdx.x * 32 + columns.of[(threadIdx.x + j) % 32];
    if (x < width && y < height && again >= 0) out[y * width + x] = in[y * width + x];
  }
}
