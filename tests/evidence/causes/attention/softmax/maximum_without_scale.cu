// SPDX-License-Identifier: Apache-2.0
// cause: wrong_operation line=11
// says: The maximum is taken of the numbers themselves, and subtracted from scaled ones.
__global__ void softmax(float* out, const float* in, float scale, int rows, int width) {
  __shared__ float parts[8], row_most, row_sum;
  const int t = threadIdx.x;
  in += (long long)blockIdx.x * width;
  out += (long long)blockIdx.x * width;

  float most = -INFINITY;
  for (int i = t; i < width; i += 256) most = fmaxf(most, in[i]);
  for (int d = 1; d < 32; d *= 2) most = fmaxf(most, __shfl_xor_sync(~0u, most, d));
  if (t % 32 == 0) parts[t / 32] = most;
  __syncthreads();
  if (t == 0) {
    for (int w = 1; w < 8; ++w) most = fmaxf(most, parts[w]);
    row_most = most;
  }
  __syncthreads();
  most = row_most;

  float sum = 0;
  for (int i = t; i < width; i += 256) sum += expf(scale * in[i] - most);
  for (int d = 1; d < 32; d *= 2) sum += __shfl_xor_sync(~0u, sum, d);
  if (t % 32 == 0) parts[t / 32] = sum;
  __syncthreads();
  if (t == 0) {
    sum = 0;
    for (int w = 0; w < 8; ++w) sum += parts[w];
    row_sum = sum;
  }
  __syncthreads();
  for (int i = t; i < width; i += 256) out[i] = expf(scale * in[i] - most) / row_sum;
}
