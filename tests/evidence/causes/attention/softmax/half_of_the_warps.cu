// SPDX-License-Identifier: Apache-2.0
// cause: wrong_guard line=18
// says: The sum of the block adds the parts of four warps, and there are eight.
__device__ float block_max(float v, float* parts) {
  for (int s = 16; s; s /= 2) v = fmaxf(v, __shfl_xor_sync(0xffffffff, v, s));
  if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = v;
  __syncthreads();
  for (int w = 0; w < 8; ++w) v = fmaxf(v, parts[w]);
  __syncthreads();
  return v;
}

__device__ float block_sum(float v, float* parts) {
  for (int s = 16; s; s /= 2) v += __shfl_xor_sync(0xffffffff, v, s);
  if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = v;
  __syncthreads();
  v = 0;
  for (int w = 0; w < 4; ++w) v += parts[w];
  return v;
}

__global__ void softmax(float* out, const float* in, float scale, int rows, int width) {
  __shared__ float parts[8];
  const float* from = in + (size_t)width * blockIdx.x;
  float* to = out + (size_t)width * blockIdx.x;
  float most = -INFINITY, sum = 0;
  for (int i = threadIdx.x; i < width; i += 256) most = fmaxf(most, from[i] * scale);
  most = block_max(most, parts);
  for (int i = threadIdx.x; i < width; i += 256) sum += expf(from[i] * scale - most);
  sum = block_sum(sum, parts);
  for (int i = threadIdx.x; i < width; i += 256) to[i] = expf(from[i] * scale - most) / sum;
}
