// SPDX-License-Identifier: Apache-2.0
// tries: Switches off compiler warnings and errors, and reads uninitialised shared
//   memory.
// stopped by: The simulator watches what the kernel does at run time; pragmas affect only the
//   compiler (common/check/uninitialized_reads.cpp).
// verdict: fail diagnostic uninitialized_read, 0 points
#pragma nv_diag_suppress 549
#pragma nv_diag_suppress 20, 29, 65
__global__ void copy(float* out, const float* in, int width, int height) {
  __shared__ float tile[32];
  const int column = blockIdx.x * 32 + threadIdx.x;
  for (int row = blockIdx.y * 32 + threadIdx.y; row < blockIdx.y * 32 + 32; row += 8) {
    if (column < width && row < height) out[row * width + column] = tile[threadIdx.x];
  }
}
