// SPDX-License-Identifier: Apache-2.0
// cause: weak_wait line=27
// says: wait_group 1 lets the newest group of copies still be under way when all 16 indices are read; wait for
//   group 0. Copies 4 bytes to shared memory in the background.
__device__ void copy_async(unsigned* to, const unsigned* from) {
  const unsigned address = static_cast<unsigned>(__cvta_generic_to_shared(to));
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(address), "l"(from) : "memory");
}

__device__ void commit() { asm volatile("cp.async.commit_group;" ::: "memory"); }

template <int kLeft>
__device__ void wait() {
  asm volatile("cp.async.wait_group %0;" ::"n"(kLeft) : "memory");
}

__global__ void gather_sum(float* out, const float* in, const unsigned* index, unsigned n) {
  extern __shared__ unsigned staged[];
  const unsigned i = blockIdx.x * 64 + threadIdx.x;
  if (i >= n) return;
#pragma unroll
  for (int half = 0; half < 2; ++half) {
#pragma unroll
    for (int k = half * 8; k < half * 8 + 8; ++k) copy_async(&staged[k * 64 + threadIdx.x], &index[i + k * n]);
    commit();
  }
  wait<1>();
  float sum = 0;
#pragma unroll
  for (int k = 0; k < 16; ++k) sum += in[staged[k * 64 + threadIdx.x]];
  out[i] = sum;
}
