// SPDX-License-Identifier: Apache-2.0
// Atomic functions, their types, scopes and results. corpus.py describes the parts.

//--- atomics_add_types
// atomicAdd of integers, floats and doubles.
// launch: --kernel sums --grid 2 --block 64 --arg inout:i32:1:zeros --arg inout:u64:1:zeros --arg inout:f32:1:zeros --arg inout:f64:1:zeros
__global__ void sums(int* i, unsigned long long* u, float* f, double* d) {
  atomicAdd(i, static_cast<int>(threadIdx.x) - 20);
  atomicAdd(u, 1ull << 40);
  atomicAdd(f, 0.5f);
  atomicAdd(d, 0.25);
}

//--- atomics_bitwise
// atomicAnd, atomicOr, and atomicXor.
// launch: --kernel masks --grid 1 --block 32 --arg inout:u32:4:iota --arg inout:u64:1:zeros
__global__ void masks(unsigned* out, unsigned long long* wide) {
  atomicOr(out, 1u << threadIdx.x % 20);
  atomicAnd(out + 3, ~(1u << threadIdx.x % 2));
  atomicXor(out + 2, 1u << threadIdx.x);
  atomicOr(wide, 1ull << 2 * threadIdx.x);
}

//--- atomics_cas_double
// The maximum of doubles, by atomicCAS of 64 bits.
// launch: --kernel largest --grid 1 --block 64 --arg in:f64:64:iota --arg inout:f64:1:zeros
__global__ void largest(const double* in, double* out) {
  auto* bits = reinterpret_cast<unsigned long long*>(out);
  unsigned long long old = atomicAdd(bits, 0ull);
  const double mine = in[threadIdx.x] * 1.5;
  while (__longlong_as_double(old) < mine) {
    const unsigned long long seen = old;
    old = atomicCAS(bits, seen, __double_as_longlong(mine));
    if (old == seen) break;
  }
}

//--- atomics_compare_swap
// An atomicCAS loop that multiplies.
// launch: --kernel products --grid 1 --block 8 --arg inout:u32:1:zeros
__global__ void products(unsigned* out) {
  unsigned old = *static_cast<volatile unsigned*>(out), seen;
  do {
    seen = old;
    old = atomicCAS(out, seen, (seen == 0 ? 1 : seen) * (threadIdx.x + 1));
  } while (old != seen);
}

//--- atomics_exchange
// atomicExch of integers and floats.
// launch: --kernel moves --grid 1 --block 1 --arg inout:i32:4:iota --arg inout:f32:4:iota
__global__ void moves(int* i, float* f) {
  i[0] = atomicExch(i + 1, 10);
  f[2] = atomicExch(f + 3, 1.5f);
}

//--- atomics_half
// atomicAdd of half and half2.
// launch: --kernel sums --grid 1 --block 32 --arg inout:f16:2:zeros
#include <cuda_fp16.h>
__global__ void sums(__half* out) {
  atomicAdd(reinterpret_cast<__half2*>(out), __floats2half2_rn(0.5f, 1.0f));
}

//--- atomics_inc_dec
// atomicInc and atomicDec wrap around.
// launch: --kernel wraps --grid 1 --block 32 --arg inout:u32:2:zeros
__global__ void wraps(unsigned* out) {
  atomicInc(out, 6);
  atomicDec(out + 1, 9);
}

//--- atomics_load_store
// __nv_atomic_load_n, __nv_atomic_store_n and __nv_atomic_fetch_add.
// launch: --kernel loads --grid 1 --block 32 --arg inout:i32:32:iota
__global__ void loads(int* data) {
  const int x = __nv_atomic_load_n(data + threadIdx.x, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
  __nv_atomic_store_n(data + threadIdx.x, x * 2, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
  __nv_atomic_fetch_add(data + threadIdx.x, 1, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
}

//--- atomics_min_max
// atomicMin and atomicMax, signed and unsigned.
// launch: --kernel bounds --grid 2 --block 64 --arg inout:i32:2:zeros --arg inout:u32:2:zeros --arg inout:i64:1:zeros
__global__ void bounds(int* i, unsigned* u, long long* l) {
  const int x = static_cast<int>(blockIdx.x * 64 + threadIdx.x) - 60;
  atomicMin(i, x);
  atomicMax(i + 1, x);
  atomicMin(u, static_cast<unsigned>(x));
  atomicMax(u + 1, static_cast<unsigned>(x));
  atomicMin(l, -1000ll * x);
}

//--- atomics_returned_slots
// Return values of atomicAdd as unique slots.
// launch: --kernel slots --grid 1 --block 64 --arg inout:i32:1:zeros --arg inout:i32:64:zeros
__global__ void slots(int* next, int* out) {
  const int slot = atomicAdd(next, 1);
  atomicAdd(out + slot, 7);
}

//--- atomics_scopes
// atomicAdd_block within a block and atomicAdd_system across blocks.
// launch: --kernel sums --grid 2 --block 64 --arg inout:i32:3:zeros
__global__ void sums(int* out) {
  atomicAdd_block(out + blockIdx.x, 1);
  atomicAdd_system(out + 2, 1);
}

//--- atomics_shared
// Shared memory atomics that count a block's bytes modulo 7.
// launch: --kernel counts --grid 2 --block 128 --arg in:u8:256:iota --arg out:i32:16
__global__ void counts(const unsigned char* in, int* out) {
  __shared__ int bins[8];
  if (threadIdx.x < 8) bins[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(&bins[in[blockIdx.x * 128 + threadIdx.x] % 7], 1);
  __syncthreads();
  if (threadIdx.x < 8) out[8 * blockIdx.x + threadIdx.x] = bins[threadIdx.x];
}
