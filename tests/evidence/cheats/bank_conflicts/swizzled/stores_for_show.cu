// SPDX-License-Identifier: Apache-2.0
// tries: Transposes by scattered atomics from a tile that it fills and reads by rows. Makes as many
//   coalesced stores for show.
// stopped by: The points for conflicts require the guards on global atomics
//   (labs/bank_conflicts/grader.toml, grader/grade/judge/findings.cpp).
// verdict: fail mechanism, 2 points
__global__ void transpose(float* out, const float* in, int width, int height) {
  __shared__ volatile float tile[32][32];
  const int column = blockIdx.x * 32 + threadIdx.x;
  const int oc = blockIdx.y * 32 + threadIdx.x;
  for (int j = threadIdx.y; j < 32; j += 8) {
    const int row = blockIdx.y * 32 + j;
    if (column < width && row < height) tile[j][threadIdx.x] = in[row * width + column];
    const int orow = blockIdx.x * 32 + j;
    if (oc < height && orow < width) out[orow * height + oc] = 0.0f;
  }
  __syncthreads();
  for (int j = threadIdx.y; j < 32; j += 8) {
    const int row = blockIdx.y * 32 + j;
    if (column < width && row < height)
      atomicExch(out + column * height + row, tile[j][threadIdx.x]);
  }
}
