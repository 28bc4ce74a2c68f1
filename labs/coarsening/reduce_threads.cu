// SPDX-License-Identifier: Apache-2.0
// Exercise coarsening/reduce_threads: let one thread do the work of Factor threads.
//
// What the kernel gets: `in`, `n` floats, from 1 up; they are small multiples of 1/8,
//   so that every order of summation is exact.
// What it must produce: partial[b], for each block b, is the sum of the elements 512 b to 512 b +
//   511, as far as there are any.
// How it is launched: a block for each partial sum. Without coarsening a block has 512 threads, an
//   element each. With it, it has 512 / Factor threads and sums 512 elements all the same. Factor
//   is 1, 2, 4, 8 or 16. Dynamic shared memory: 512 floats, whatever Factor is.
// What it may use: anything of CUDA C++ that runs on the device.
// Where to work: inside the kernel. Its name and its parameters stay as they are.
//
// The kernel below is right where Factor is 1: 512 threads. Which elements does it forget where a
// block has 256? Give each thread Factor elements. Which Factor elements, so that the lanes of a
// warp still load neighbouring words? Then run
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
