// SPDX-License-Identifier: Apache-2.0
// tries: Lets all threads add to one word of shared memory. No gate on loads counts the conflicts
//   of these atomics.
// stopped by: The points for conflicts require the guard on wavefronts of shared atomics
//   (labs/coarsening/grader.toml, grader/grade/judge/findings.cpp).
// verdict: fail mechanism, 6 points
template <int Factor>
__global__ void reduce_threads(float* partial, const float* in, unsigned n) {
  extern __shared__ float sums[];
  if (threadIdx.x == 0) sums[0] = 0;
  __syncthreads();
  for (unsigned k = threadIdx.x; k < 512; k += blockDim.x)
    if (blockIdx.x * 512 + k < n) atomicAdd(&sums[0], in[blockIdx.x * 512 + k]);
  __syncthreads();
  if (threadIdx.x == 0) partial[blockIdx.x] = sums[0];
}
