// SPDX-License-Identifier: Apache-2.0
// cause: wrong_operation|wrong_index|wrong_guard line=21
// says: Eight copies are counted, and only seven are added up.
__global__ void histogram(unsigned* bins, const unsigned char* in, unsigned n) {
  __shared__ unsigned copy[8][257];
  for (int w = 0; w < 8; ++w) copy[w][threadIdx.x] = 0;
  __syncthreads();
  unsigned* own = copy[threadIdx.x & 7];
  const unsigned start = blockIdx.x * 256 + threadIdx.x;
  const uint4* vec = (const uint4*)in;
  for (unsigned g = start; g < n / 16; g += gridDim.x * 256) {
    const uint4 v = vec[g];
    const unsigned ws[4] = {v.x, v.y, v.z, v.w};
#pragma unroll
    for (unsigned k = 0; k < 16; ++k) atomicAdd(&own[ws[k / 4] >> k % 4 * 8 & 0xff], 1u);
  }
  const unsigned rest = n / 16 * 16 + start;
  if (rest < n) atomicAdd(&own[in[rest]], 1u);
  __syncthreads();
  unsigned sum = 0;
  for (int w = 1; w < 8; ++w) sum += copy[w][threadIdx.x]; 
  if (sum) atomicAdd(&bins[threadIdx.x], sum);
}
