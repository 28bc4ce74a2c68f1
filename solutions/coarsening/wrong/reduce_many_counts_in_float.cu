// SPDX-License-Identifier: Apache-2.0
// fails: incorrect case=past_24_bits
// cause: float_index
// Counts elements in a float, which skips and repeats elements above 2^24.
__global__ void reduce_many(float* partial, const float* in, unsigned n) {
  __shared__ float sums[32];
  float sum = 0;
  const float step = gridDim.x * blockDim.x;
  float i = blockIdx.x * blockDim.x + threadIdx.x;
  for (; i + 3 * step < n; i += 4 * step) {
    const float a = in[unsigned(i)], b = in[unsigned(i + step)], c = in[unsigned(i + 2 * step)],
                d = in[unsigned(i + 3 * step)];
    sum += (a + b) + (c + d);
  }
  for (; i < n; i += step) sum += in[unsigned(i)];
  for (int s = 16; s; s /= 2) sum += __shfl_xor_sync(~0u, sum, s);
  if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x == 0) {
    for (unsigned w = 1; w < blockDim.x / 32; ++w) sum += sums[w];
    partial[blockIdx.x] = sum;
  }
}
