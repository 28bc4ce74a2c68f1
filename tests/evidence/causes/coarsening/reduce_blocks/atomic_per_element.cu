// SPDX-License-Identifier: Apache-2.0
// cause: atomic_contention line=16
// says: All 512 threads add to one word of shared memory by atomics, one lane after another: sum
//   in a tree or by shuffles first.
// never: Neighbouring lanes must load
template <int Factor>
__global__ void reduce_blocks(float* partial, const float* in, unsigned n) {
  __shared__ float total[Factor];
  if (threadIdx.x < Factor) total[threadIdx.x] = 0;
  __syncthreads();
  const unsigned first = blockIdx.x * Factor * 512 + threadIdx.x;
  float value[Factor];
#pragma unroll
  for (int c = 0; c < Factor; ++c) value[c] = first + c * 512 < n ? in[first + c * 512] : 0.0f;
#pragma unroll
  for (int c = 0; c < Factor; ++c) atomicAdd(&total[c], value[c]);
  __syncthreads();
  if (threadIdx.x < Factor) partial[blockIdx.x * Factor + threadIdx.x] = total[threadIdx.x];
}
