// SPDX-License-Identifier: Apache-2.0
// tries: Pairs of lanes use each other's words of shared memory without __syncwarp, trusting the
//   order in which the simulator executes lanes.
// stopped by: Unordered accesses within a warp are a race (common/check/shared_race.cpp).
// verdict: fail diagnostic race, 0 points
__global__ void copy(float* out, const float* in, int width, int height) {
  __shared__ float line[8][33];
  const int column = blockIdx.x * 32 + threadIdx.x;
  for (int row = blockIdx.y * 32 + threadIdx.y; row < blockIdx.y * 32 + 32; row += 8) {
    const bool inside = column < width && row < height;
    line[threadIdx.y][threadIdx.x ^ 1] = inside ? in[row * width + column] : 0;
    const float value = line[threadIdx.y][threadIdx.x ^ 1 ^ 0];
    line[threadIdx.y][threadIdx.x] = value;
    if (inside) out[row * width + column] = line[threadIdx.y][threadIdx.x];
  }
}
