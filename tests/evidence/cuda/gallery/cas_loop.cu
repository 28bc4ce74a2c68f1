// SPDX-License-Identifier: Apache-2.0
// An atomic multiplication by a compare-and-swap loop, and a spin lock between blocks' leaders.
// launch: grid 4 block 64

__device__ unsigned lock = 0;
extern "C" __global__ void kernel(unsigned* out, const unsigned* in) {
  const unsigned v = in[blockIdx.x * 64 + threadIdx.x] | 1;
  if (threadIdx.x == 0 && blockIdx.x == 0) atomicExch(&out[1], 0U);
  unsigned* target = &out[8 + threadIdx.x % 8];
  unsigned old = *static_cast<volatile unsigned*>(target);
  unsigned seen;
  do {
    seen = old;
    old = atomicCAS(target, seen, (seen | 1) * v);
  } while (old != seen);
  if (threadIdx.x == 0) {
    while (atomicCAS(&lock, 0U, 1U) != 0U) {
    }
    __threadfence();
    atomicAdd(&out[0], in[blockIdx.x]);
    __threadfence();
    atomicExch(&lock, 0U);
  }
}
