// SPDX-License-Identifier: Apache-2.0
// Exercise coarsening/reduce_blocks: let one block do the work of Factor blocks.
//
// Input: `in`, `n` floats, from 1 up; they are small multiples of 1/8,
//   so that every order of summation is exact.
// Output: for each block b and each c below Factor, partial[b * Factor + c] is the sum of the
//   512 elements from element 512 (b * Factor + c) on. Elements past the end do not count: the sum
//   of none is 0. The buffer has gridDim.x * Factor partial sums.
// Launch: blocks of 512 threads, as without coarsening, but one block makes Factor partial
//   sums. Factor is 1, 2, 4, 8 or 16. Dynamic shared memory: 512 * Factor floats.
// Allowed: all device code of CUDA C++.
// Edit: the body of the kernel. Keep its name and its parameters.
//
// The kernel below is right if Factor is 1. Let each thread do its step for Factor partial sums
// between one barrier and the next. How many barriers does a partial sum cost then? Then run
//   ./warpgrade grade coarsening/reduce_blocks

constexpr unsigned kPart = 512;  // elements of a partial sum, and threads of a block

template <int Factor>
__global__ void reduce_blocks(float* partial, const float* in, unsigned n) {
  extern __shared__ float sums[];  // Factor * kPart floats

  const unsigned i = blockIdx.x * kPart + threadIdx.x;
  sums[threadIdx.x] = i < n ? in[i] : 0.0f;
  __syncthreads();
  for (unsigned half = kPart / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) sums[threadIdx.x] += sums[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) partial[blockIdx.x] = sums[0];
}
