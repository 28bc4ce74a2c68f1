// SPDX-License-Identifier: Apache-2.0
// Exercise coarsening/reduce_threads, solved: Factor loads per thread, added up in a register.
//
// Thread t adds elements t, t + threads, t + 2 threads ... of its block's 512. The stride is the
// number of threads, at least a warp, so lanes load neighbouring words whatever Factor is. If
// thread t added Factor neighbouring elements, the lanes would be Factor words apart.
//
// Why it can be faster: the loads of a thread are independent, so Factor of them are in flight.
// Adding a thread's own elements needs neither shared memory nor a barrier. The tree loses
// log2(Factor) of its nine steps. Why it can be slower: past some factor, a multiprocessor cannot
// hold enough blocks to keep all of its threads active.

constexpr unsigned kPart = 512;  // elements per block

template <int Factor>
__global__ void reduce_threads(float* partial, const float* in, unsigned n) {
  constexpr unsigned kThreads = kPart / Factor;  // blockDim.x
  extern __shared__ float sums[];                // room for kPart floats; kThreads are used

  float value[Factor];  // registers: all loads are in flight before the first addition waits
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
