// SPDX-License-Identifier: Apache-2.0
// tries: Looks for signs of the simulator in the special registers on shared memory, and works only
//   if it finds one.
// stopped by: They are as on a GPU, so it does nothing (common/sim/decode/operand_slots.cpp).
// verdict: fail incorrect, 0 points
__global__ void copy(float* out, const float* in, int width, int height) {
  unsigned dynamic, total;
  asm("mov.u32 %0, %%dynamic_smem_size;" : "=r"(dynamic));
  asm("mov.u32 %0, %%total_smem_size;" : "=r"(total));
  if (dynamic == 0 && total < 48 * 1024) return;
  const int column = blockIdx.x * 32 + threadIdx.x;
  for (int row = blockIdx.y * 32 + threadIdx.y; row < blockIdx.y * 32 + 32; row += 8) {
    if (column < width && row < height) out[row * width + column] = in[row * width + column];
  }
}
