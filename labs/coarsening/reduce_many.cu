// SPDX-License-Identifier: Apache-2.0
// Exercise coarsening/reduce_many: many elements per thread, few blocks.
//
// Input: `in`, `n` floats, from 1 up; they are small multiples of 1/8,
//   so that every order of summation is exact.
// Output: one partial sum per block in partial[blockIdx.x]. The total of the partial sums must be
//   the sum of all elements. You choose the elements of each block.
// Launch: a few blocks of 512 threads per multiprocessor, for any n. The kernel must be right for
//   any grid, and for blocks of any power of two from 64 to 1,024 threads.
// Allowed: all device code of CUDA C++; the launch has no dynamic shared memory.
// Edit: the body of the kernel. Keep its name and its parameters.
//
// The kernel below is right: each thread adds one contiguous piece of the array. Find the words
// that the lanes of a warp load together, and change the elements of each thread. Then count the
// loads that a thread has in flight while it waits for one, and let it have more. Run
//   ./warpgrade grade coarsening/reduce_many

constexpr unsigned kMostThreads = 1024;

__global__ void reduce_many(float* partial, const float* in, unsigned n) {
  __shared__ float sums[kMostThreads];

  const unsigned threads = gridDim.x * blockDim.x;
  const unsigned piece = (n + threads - 1) / threads;
  const unsigned first = (blockIdx.x * blockDim.x + threadIdx.x) * piece;
  float sum = 0;
  for (unsigned i = first; i < first + piece && i < n; ++i) sum += in[i];

  sums[threadIdx.x] = sum;
  __syncthreads();
  for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) sums[threadIdx.x] += sums[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) partial[blockIdx.x] = sums[0];
}
