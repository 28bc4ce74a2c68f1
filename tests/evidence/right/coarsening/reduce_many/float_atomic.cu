// SPDX-License-Identifier: Apache-2.0
// Each warp does one atomicAdd to a shared float, which an H200 runs as a compare-and-swap loop.
__global__ void reduce_many(float* partial, const float* in, unsigned n) {
  __shared__ float total;
  if (threadIdx.x == 0) total = 0;
  __syncthreads();
  const unsigned step = gridDim.x * blockDim.x;
  const float4* quads = reinterpret_cast<const float4*>(in);
  float sum = 0;
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n / 4; i += step) {
    const float4 v = quads[i];
    sum += v.x + v.y + v.z + v.w;
  }
  if (blockIdx.x == 0 && threadIdx.x < n % 4) sum += in[n / 4 * 4 + threadIdx.x];
  for (int lanes = 16; lanes > 0; lanes /= 2) sum += __shfl_xor_sync(0xffffffffU, sum, lanes);
  if (threadIdx.x % 32 == 0) atomicAdd(&total, sum);
  __syncthreads();
  if (threadIdx.x == 0) partial[blockIdx.x] = total;
}
