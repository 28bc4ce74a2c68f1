// SPDX-License-Identifier: Apache-2.0
// launch: --grid 1 --block 64 --arg out:f32:64 --arg in:f32:64:iota
// | race_read_only_cache.cu:10:3: race: thread (0, 0, 0) reads out[1] through the read-only data cache, but this launch also writes it: the value may be stale. Use a plain load: without __ldg(), and without __restrict__ on pointers to the same memory. This happened 64 times.
// |    10 |   const float next = __ldg(out + (threadIdx.x + 1) % 64);
// |       |   ^
// |       block (0, 0, 0), thread (0, 0, 0)
extern "C" __global__ void k(float* out, const float* in) {
  out[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  const float next = __ldg(out + (threadIdx.x + 1) % 64);
  __syncthreads();
  out[threadIdx.x] += next;
}
