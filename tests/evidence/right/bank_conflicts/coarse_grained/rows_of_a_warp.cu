// SPDX-License-Identifier: Apache-2.0
// Each warp uses only its own rows of shared memory, so __syncwarp is enough. A row is reversed in
// the store to shared memory and reversed again in the store to `out`.
__global__ void transpose_coarse(float* out, const float* in, int width, int height) {
  __shared__ float rows[8][4][32];
  float(*mine)[32] = rows[threadIdx.y];
  const unsigned lane = threadIdx.x, top = blockIdx.y * 32 + 4 * threadIdx.y;
  for (unsigned k = 0; k < 4; ++k)
    mine[k][31 - lane] = in[(top + k) * width + blockIdx.x * 32 + lane];
  __syncwarp();
  const unsigned out_top = blockIdx.x * 32 + 4 * threadIdx.y;
  for (unsigned k = 0; k < 4; ++k)
    out[(out_top + k) * height + blockIdx.y * 32 + 31 - lane] = mine[k][lane];
}
