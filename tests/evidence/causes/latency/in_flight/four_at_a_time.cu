// SPDX-License-Identifier: Apache-2.0
// cause: few_loads_in_flight line=21
// says: Only four loads of a thread are in flight, and this launch has few warps; load all 16 indices before the
//   first is used.
template <unsigned kAtOnce>
__device__ float some(const float* in, const unsigned* index, unsigned n) {
  unsigned a[kAtOnce];
#pragma unroll
  for (unsigned k = 0; k < kAtOnce; ++k) a[k] = index[k * n];
  float s = 0;
#pragma unroll
  for (unsigned k = 0; k < kAtOnce; ++k) s += in[a[k]];
  return s;
}

__global__ void gather_sum(float* out, const float* in, const unsigned* index, unsigned n) {
  const unsigned i = blockIdx.x * 64 + threadIdx.x;
  if (i >= n) return;
  float sum = 0;
#pragma unroll 1
  for (unsigned j = 0; j < 16; j += 4) sum += some<4>(in, index + j * n + i, n);
  out[i] = sum;
}
