// SPDX-License-Identifier: Apache-2.0
// Exercise coarsening/reduce_threads: let one thread do the work of Factor threads.
//
// Input: `in`, `n` floats, from 1 up; they are small multiples of 1/8,
//   so that every order of summation is exact.
// Output: for each block b, partial[b] is the sum of the elements 512 b to 512 b + 511.
//   Elements past the end do not count.
// Launch: one block per partial sum. Without coarsening a block has 512 threads, with one
//   element each. With coarsening it has 512 / Factor threads and still sums 512 elements. Factor
//   is 1, 2, 4, 8 or 16. Dynamic shared memory: 512 floats for every Factor.
// Allowed: all device code of CUDA C++.
// Edit: the body of the kernel. Keep its name and its parameters.
//
// The kernel below is right if Factor is 1, with 512 threads. Find the elements that it skips in a
// block of 256 threads. Then give each thread Factor elements. Choose them so that the lanes of a
// warp still load neighbouring words. Then run
//   ./warpgrade grade coarsening/reduce_threads

constexpr unsigned kPart = 512;  // elements of a block

template <int Factor>
__global__ void reduce_threads(float* partial, const float* in, unsigned n) {
  extern __shared__ float sums[];  // kPart floats

  const unsigned i = blockIdx.x * kPart + threadIdx.x;
  sums[threadIdx.x] = i < n ? in[i] : 0.0f;
  __syncthreads();
  for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) sums[threadIdx.x] += sums[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) partial[blockIdx.x] = sums[0];
}
