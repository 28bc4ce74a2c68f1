// Kernels that wait between blocks, as measured on an H200: see README.md.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;
typedef unsigned u32;

extern "C" __global__ void chain_volatile(volatile u32* at, u32* out) {
  if (threadIdx.x == 0) { while (*at != blockIdx.x) {} __threadfence(); out[blockIdx.x] = *at; __threadfence(); *at = blockIdx.x + 1; }
}

extern "C" __global__ void chain_each(volatile u32* flag, u32* out) {  // one flag per block
  if (threadIdx.x == 0) { u32 v = 0; if (blockIdx.x) { while ((v = flag[(blockIdx.x - 1) * 32]) == 0) {} } __threadfence(); out[blockIdx.x] = v; __threadfence(); flag[blockIdx.x * 32] = v + 1; }
}

extern "C" __global__ void lock_counter(u32* lock, volatile u32* counter, int times) {
  if (threadIdx.x == 0) for (int k = 0; k < times; ++k) { while (atomicCAS(lock, 0u, 1u) != 0) {} __threadfence(); *counter = *counter + 1; __threadfence(); atomicExch(lock, 0u); }
}

extern "C" __global__ void lock_shared(u32* out, int times) {  // one lane of each warp
  __shared__ u32 lock; __shared__ volatile u32 counter;
  if (threadIdx.x == 0) { lock = 0; counter = 0; }
  __syncthreads();
  if (threadIdx.x % 32 == 0) for (int k = 0; k < times; ++k) { while (atomicCAS(&lock, 0u, 1u) != 0) {} __threadfence_block(); counter = counter + 1; __threadfence_block(); atomicExch(&lock, 0u); }
  __syncthreads();
  if (threadIdx.x == 0) out[blockIdx.x] = counter;
}

extern "C" __global__ void queue_copy(float* o, const float* in, u32 n, u32* next, u32 piece_size) {
  __shared__ u32 piece;
  for (;;) {
    __syncthreads(); if (threadIdx.x == 0) piece = atomicAdd(next, 1u); __syncthreads();
    const u32 first = piece * piece_size; if (first >= n) break;
    for (u32 i = first + threadIdx.x; i < min(n, first + piece_size); i += blockDim.x) o[i] = in[i];
  }
}

extern "C" __global__ void scan_look_back(u32* out, const u32* in, u32 n, u32* next, volatile unsigned long long* state, int wide) {
  __shared__ u32 id, before, sums[8];
  if (threadIdx.x == 0) id = atomicAdd(next, 1u);
  __syncthreads();
  const u32 lane = threadIdx.x % 32, warp = threadIdx.x / 32, at = id * 1024 + threadIdx.x * 4;
  uint4 v = *reinterpret_cast<const uint4*>(in + at);
  v.y += v.x; v.z += v.y; v.w += v.z;
  u32 s = v.w;
  for (int d = 1; d < 32; d *= 2) { const u32 o = __shfl_up_sync(~0u, s, d); if (lane >= d) s += o; }
  if (lane == 31) sums[warp] = s;
  __syncthreads();
  u32 add = s - v.w; for (u32 w = 0; w < warp; ++w) add += sums[w];
  u32 all = 0; for (u32 w = 0; w < 8; ++w) all += sums[w];
  if (!wide) {
    if (threadIdx.x == 0) {
      u32 sum = 0;
      if (id == 0) state[0] = (2ull << 32) | all;
      else {
        state[id] = (1ull << 32) | all;
        for (u32 p = id; p-- > 0;) { unsigned long long w; do w = state[p]; while (w >> 32 == 0); sum += (u32)w; if (w >> 32 == 2) break; }
        state[id] = (2ull << 32) | (sum + all);
      }
      before = sum;
    }
  } else if (warp == 0) {
    u32 sum = 0;
    if (lane == 0) state[id] = ((id == 0 ? 2ull : 1ull) << 32) | all;
    int p = int(id) - 1 - int(lane);
    if (id) for (;;) {
      unsigned long long w; do w = p < 0 ? (2ull << 32) : state[p]; while (__any_sync(~0u, w >> 32 == 0));
      const u32 full = __ballot_sync(~0u, w >> 32 == 2);
      u32 x = full == 0 || lane <= __ffs(full) - 1 ? (u32)w : 0;
      for (int d = 16; d; d /= 2) x += __shfl_xor_sync(~0u, x, d);
      sum += x; if (full) break; p -= 32;
    }
    if (lane == 0) { if (id) state[id] = (2ull << 32) | (sum + all); before = sum; }
  }
  __syncthreads();
  add += before;
  *reinterpret_cast<uint4*>(out + at) = make_uint4(v.x + add, v.y + add, v.z + add, v.w + add);
}

extern "C" __global__ void chain_atomic(u32* at, u32* out) {
  if (threadIdx.x == 0) { while (atomicAdd(at, 0u) != blockIdx.x) {} __threadfence(); out[blockIdx.x] = blockIdx.x; __threadfence(); atomicExch(at, blockIdx.x + 1); }
}

extern "C" __global__ void chain_copy(float* o, const float* in, u32 n, volatile u32* at) {  // waits, then copies
  if (threadIdx.x == 0) { while (*at != blockIdx.x) {} __threadfence(); }
  __syncthreads();
  const u32 i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) o[i] = in[i];
  __threadfence(); __syncthreads();
  if (threadIdx.x == 0) *at = blockIdx.x + 1;
}

extern "C" __global__ void chain_work_first(float* o, const float* in, u32 n, volatile u32* at) {  // copies, then waits
  const u32 i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) o[i] = in[i];
  __threadfence(); __syncthreads();
  if (threadIdx.x == 0) { while (*at != blockIdx.x) {} __threadfence(); *at = blockIdx.x + 1; }
}

extern "C" __global__ void tickets_warp(u32* next, u32 most, u32* out) {
  u32 mine = 0;
  for (;;) { u32 t = 0; if (threadIdx.x % 32 == 0) t = atomicAdd(next, 1u); t = __shfl_sync(~0u, t, 0); if (t >= most) break; ++mine; }
  if (threadIdx.x % 32 == 0) atomicAdd(out, mine);
}

extern "C" __global__ void grid_syncs(u32* out, int times) {
  auto g = cg::this_grid(); for (int k = 0; k < times; ++k) g.sync();
  if (threadIdx.x == 0) out[blockIdx.x] = times;
}

extern "C" __global__ void cluster_syncs(u32* out, int times) {
  auto c = cg::this_cluster(); for (int k = 0; k < times; ++k) c.sync();
  if (threadIdx.x == 0) out[blockIdx.x] = times;
}

extern "C" __global__ void lanes_global(u32* lock, volatile u32* counter, int times, u32 locks, u32 lanes) {
  if (threadIdx.x % 32 >= lanes) return;
  u32 x = (blockIdx.x * blockDim.x + threadIdx.x) * 2654435761u;
  for (int k = 0; k < times; ++k) {
    x = x * 1664525u + 1013904223u; const u32 l = (x >> 8) % locks;
    for (bool done = false; !done;) {
      if (atomicCAS(lock + l * 64, 0u, 1u) == 0) { __threadfence(); counter[l * 64] = counter[l * 64] + 1; __threadfence(); atomicExch(lock + l * 64, 0u); done = true; }
    }
  }
}

extern "C" __global__ void lanes_shared(u32* out, int times, u32 locks, u32 lanes) {
  __shared__ u32 lock[1024]; __shared__ volatile u32 counter[1024];
  for (u32 i = threadIdx.x; i < 1024; i += blockDim.x) { lock[i] = 0; counter[i] = 0; }
  __syncthreads();
  u32 x = (blockIdx.x * blockDim.x + threadIdx.x) * 2654435761u;
  if (threadIdx.x % 32 < lanes) for (int k = 0; k < times; ++k) {
    x = x * 1664525u + 1013904223u; const u32 l = (x >> 8) % locks;
    for (bool done = false; !done;) {
      if (atomicCAS(lock + l, 0u, 1u) == 0) { __threadfence_block(); counter[l] = counter[l] + 1; __threadfence_block(); atomicExch(lock + l, 0u); done = true; }
    }
  }
  __syncthreads();
  if (threadIdx.x == 0) { u32 s = 0; for (u32 i = 0; i < locks; ++i) s += counter[i]; out[blockIdx.x] = s; }
}
