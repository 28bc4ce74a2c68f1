// SPDX-License-Identifier: Apache-2.0
// cause: uncoalesced_load|uncoalesced_store line=9
// says: threadIdx.x chooses the row on both sides, so the lanes of a warp are a whole row apart; let it choose the
//   column.

__global__ void transpose_coarse(float* out, const float* in, int width, int height) {
  const float* source = in + (blockIdx.y * 32 + threadIdx.x) * width + blockIdx.x * 32 + threadIdx.y;
  float* target = out + (blockIdx.x * 32 + threadIdx.x) * height + blockIdx.y * 32 + threadIdx.y;
  for (int step = 0; step < 32; step += 8) target[step] = source[step];
}
