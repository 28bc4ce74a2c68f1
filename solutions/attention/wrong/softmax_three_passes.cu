// SPDX-License-Identifier: Apache-2.0
// fails: mechanism gate=sectors_loaded
// cause: redundant_loads
// Coalesced, but in three passes: maximum, sum, result.
__global__ void softmax(float* out, const float* in, float scale, int rows, int width) {
  __shared__ float of_warp[8];
  const int t = threadIdx.x, lane = t % 32;
  const float* row = in + (long long)blockIdx.x * width;
  float* to = out + (long long)blockIdx.x * width;
  float most = -INFINITY;
  for (int i = t; i < width; i += 256) most = fmaxf(most, scale * row[i]);
  for (int step = 16; step > 0; step /= 2) most = fmaxf(most, __shfl_xor_sync(~0u, most, step));
  if (lane == 0) of_warp[t / 32] = most;
  __syncthreads();
  for (int warp = 0; warp < 8; ++warp) most = fmaxf(most, of_warp[warp]);
  __syncthreads();
  float sum = 0;
  for (int i = t; i < width; i += 256) sum += expf(scale * row[i] - most);
  for (int step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(~0u, sum, step);
  if (lane == 0) of_warp[t / 32] = sum;
  __syncthreads();
  sum = 0;
  for (int warp = 0; warp < 8; ++warp) sum += of_warp[warp];
  for (int i = t; i < width; i += 256) to[i] = expf(scale * row[i] - most) / sum;
}
