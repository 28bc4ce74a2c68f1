// SPDX-License-Identifier: Apache-2.0
// cause: misaligned line=13
// says: The piece of a block begins at any element, but a float4 must be at a multiple of 16
//   bytes: make pieces multiples of 4 elements.
__global__ void reduce_many(float* partial, const float* in, unsigned n) {
  __shared__ float sums[1024];
  const unsigned piece = (n + gridDim.x - 1) / gridDim.x;
  const unsigned begin = min(blockIdx.x * piece, n), end = min(begin + piece, n);
  const float4* words = reinterpret_cast<const float4*>(in + begin);
  const unsigned count = (end - begin) / 4;
  float sum = 0;
  for (unsigned i = threadIdx.x; i < count; i += blockDim.x) {
    const float4 v = words[i];
    sum += v.x + v.y + v.z + v.w;
  }
  for (unsigned i = begin + 4 * count + threadIdx.x; i < end; i += blockDim.x) sum += in[i];
  sums[threadIdx.x] = sum;
  __syncthreads();
  for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) sums[threadIdx.x] += sums[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) partial[blockIdx.x] = sums[0];
}
