// SPDX-License-Identifier: Apache-2.0
// The row in registers: first the maximum of the block, then the sum. Longer rows are read three times.
constexpr int kKept = 32;

__device__ float largest(float x) {
  for (int step = 16; step > 0; step /= 2) x = fmaxf(x, __shfl_xor_sync(~0u, x, step));
  return x;
}

__device__ float total(float x) {
  for (int step = 16; step > 0; step /= 2) x += __shfl_xor_sync(~0u, x, step);
  return x;
}

__global__ void softmax(float* out, const float* in, float scale, int rows, int width) {
  __shared__ float most_of[8], sum_of[8];
  const int t = threadIdx.x, lane = t % 32, warp = t / 32;
  const float* row = in + (long long)blockIdx.x * width;
  float* to = out + (long long)blockIdx.x * width;
  float x[kKept], most = -INFINITY, sum = 0;
#pragma unroll
  for (int j = 0; j < kKept; ++j) {
    x[j] = t + 256 * j < width ? scale * row[t + 256 * j] : -INFINITY;
  }
#pragma unroll
  for (int j = 0; j < kKept; ++j) most = fmaxf(most, x[j]);
  for (int i = t + 256 * kKept; i < width; i += 256) most = fmaxf(most, scale * row[i]);
  most = largest(most);
  if (lane == 0) most_of[warp] = most;
  __syncthreads();
  for (int i = 0; i < 8; ++i) most = fmaxf(most, most_of[i]);
#pragma unroll
  for (int j = 0; j < kKept; ++j) {
    x[j] = expf(x[j] - most);
    sum += x[j];
  }
  for (int i = t + 256 * kKept; i < width; i += 256) sum += expf(scale * row[i] - most);
  sum = total(sum);
  if (lane == 0) sum_of[warp] = sum;
  __syncthreads();
  sum = 0;
  for (int i = 0; i < 8; ++i) sum += sum_of[i];
#pragma unroll
  for (int j = 0; j < kKept; ++j) {
    if (t + 256 * j < width) to[t + 256 * j] = x[j] / sum;
  }
  for (int i = t + 256 * kKept; i < width; i += 256) to[i] = expf(scale * row[i] - most) / sum;
}
