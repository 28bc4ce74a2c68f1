// SPDX-License-Identifier: Apache-2.0
// Exercise coarsening/reduce_many: many elements a thread, few blocks.
//
// What the kernel gets: `in`, `n` floats, from 1 up; they are small multiples of 1/8,
//   so that every order of summation is exact.
// What it must produce: one partial sum a block, partial[blockIdx.x], so that the total of the
//   partial sums is the sum of all elements. Which elements a block takes is up to you.
// How it is launched: a few blocks a multiprocessor, whatever n is, of 512 threads. It must be
//   right for any grid and for blocks of any power of two from 64 to 1024 threads.
// What it may use: anything of CUDA C++ that runs on the device; there is no dynamic shared memory.
// Where to work: inside the kernel. Its name and its parameters stay as they are.
//
// The kernel below is right: the array is cut into a piece for each thread. Which words do the
// lanes of a warp load together? Change which elements a thread takes. Then ask how many loads a
// thread has under way while it waits for one, and let it have more. Run
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
