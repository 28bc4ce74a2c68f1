// SPDX-License-Identifier: Apache-2.0
// Exercise coarsening/reduce_threads, solved: Factor loads a thread, added up in a register.
//
// Thread t takes the elements t, t + threads, t + 2 threads ... of its block's 512. The stride is
// the number of threads, at least a warp, so the lanes of a warp load neighbouring words whatever
// Factor is. Had thread t taken Factor neighbours, the lanes would be Factor words apart.
//
// Why it can be faster: the loads of a thread do not wait for each other, so that Factor of them
// are in flight; the sums of a thread's own elements need neither shared memory nor a barrier; and
// of the nine steps of the tree log2(Factor) are gone. Why it can be slower: past some factor a
// multiprocessor has no room for as many blocks as it would take to have all threads active.

constexpr unsigned kPart = 512;  // elements of a block

template <int Factor>
__global__ void reduce_threads(float* partial, const float* in, unsigned n) {
  constexpr unsigned kThreads = kPart / Factor;  // blockDim.x
  extern __shared__ float sums[];                // kPart floats, of which kThreads are used

  float value[Factor];  // registers: all loads are on their way before the first sum waits
#pragma unroll
  for (int c = 0; c < Factor; ++c) {
    const unsigned i = blockIdx.x * kPart + c * kThreads + threadIdx.x;
    value[c] = i < n ? in[i] : 0.0f;
  }
  float sum = 0;
#pragma unroll
  for (int c = 0; c < Factor; ++c) sum += value[c];
  sums[threadIdx.x] = sum;
  __syncthreads();

#pragma unroll
  for (unsigned half = kThreads / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) sums[threadIdx.x] += sums[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) partial[blockIdx.x] = sums[0];
}
