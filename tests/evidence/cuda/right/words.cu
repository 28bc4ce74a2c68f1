// SPDX-License-Identifier: Apache-2.0
// Flags, locks and atomics, and equal values.

//--- atomic_ref
// launch: --grid 1 --block 128 --arg out:i32:1
#include <cuda/atomic>
extern "C" __global__ void k(int* out) {
  __shared__ int lock, count;
  if (threadIdx.x == 0) lock = count = 0;
  __syncthreads();
  if (threadIdx.x % 32 == 0) {
    cuda::atomic_ref<int, cuda::thread_scope_block> held(lock);
    while (held.exchange(1, cuda::memory_order_acquire) != 0) {
    }
    ++count;
    held.store(0, cuda::memory_order_release);
  }
  __syncthreads();
  if (threadIdx.x == 0) out[0] = count;
}

//--- compare_and_swap_loops
// launch: --grid 4 --block 96 --arg out:f64:2 --arg in:f64:384:iota
__device__ double add(double* address, double value) {
  auto* bits = reinterpret_cast<unsigned long long*>(address);
  unsigned long long old = *bits, assumed;  // as in the CUDA C++ Programming Guide
  do {
    assumed = old;
    old = atomicCAS(bits, assumed, __double_as_longlong(value + __longlong_as_double(assumed)));
  } while (assumed != old);
  return __longlong_as_double(old);
}
__device__ void keep_greater(double* address, double value) {
  auto* bits = reinterpret_cast<unsigned long long*>(address);
  unsigned long long old = *bits;
  while (__longlong_as_double(old) < value) {  // skipped if *address is not smaller
    const unsigned long long assumed = old;
    old = atomicCAS(bits, assumed, __double_as_longlong(value));
    if (old == assumed) break;
  }
}
extern "C" __global__ void k(double* out, const double* in) {
  __shared__ double sum, greatest;
  __shared__ int seen;
  if (threadIdx.x == 0) sum = 0, greatest = -1, seen = 0;
  __syncthreads();
  const double value = in[blockIdx.x * blockDim.x + threadIdx.x];
  add(&sum, value);
  keep_greater(&greatest, value);
  if (seen == 0 && atomicCAS(&seen, 0, 1) == 0) add(&out[0], 1);  // one thread per block
  __syncthreads();
  if (threadIdx.x == 0) add(&out[0], sum), keep_greater(&out[1], greatest);
}

//--- division_by_zero
// launch: --grid 1 --block 32 --arg out:i32:64 --arg i32:0
extern "C" __global__ void k(int* out, int zero) {
  out[threadIdx.x] = static_cast<int>(threadIdx.x) / zero;  // does not fault on a GPU
  out[threadIdx.x + 32] = __float_as_int(1.0f / zero);
}

//--- equal_values
// launch: --grid 4 --block 64 --arg out:i32:1 --arg in:i32:256:iota
extern "C" __global__ void k(int* out, const int* in) {
  if (in[blockIdx.x * 64 + threadIdx.x] % 7 == 3) *out = 1;
}

//--- flag_with_fence
// launch: --grid 1 --block 64 --arg out:i32:32
extern "C" __global__ void k(int* out) {
  __shared__ int data[32];
  __shared__ volatile int ready;
  if (threadIdx.x == 0) ready = 0;
  __syncthreads();
  const int lane = threadIdx.x % 32;
  if (threadIdx.x < 32) {
    data[lane] = lane;
    __syncwarp();
    __threadfence_block();
    if (lane == 0) ready = 1;
  } else {
    while (ready == 0) {
    }
    __threadfence_block();
    out[lane] = data[lane];
  }
}

//--- harmless_races
// launch: --grid 2,2 --block 16,16 --arg inout:i32:1024:iota --arg inout:i32:1:zeros
// Row 0 and column 0 are rewritten with the values that they already hold. The test before
// atomicMax() may read a stale maximum.
extern "C" __global__ void k(int* d, int* most) {
  const int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
  const int mine = min(d[i * 32 + j], d[i * 32] + d[j]);
  d[i * 32 + j] = mine;
  if (mine > *most) atomicMax(most, mine);
}

//--- heap_lists
// launch: --grid 2 --block 32 --arg out:i32:64
struct Node {
  int value;
  Node* next;
};
extern "C" __global__ void k(int* out) {
  Node* list = nullptr;
  for (int i = 0; i < 5; ++i) list = new Node{i, list};
  int sum = 0;
  while (list != nullptr) {
    Node* next = list->next;
    sum += list->value;
    delete list;
    list = next;
  }
  out[blockIdx.x * 32 + threadIdx.x] = sum;
}

//--- lock_between_blocks
// launch: --grid 8 --block 32 --arg out:i32:1
__device__ int lock;
extern "C" __global__ void k(int* out) {
  if (threadIdx.x != 0) return;
  while (atomicCAS(&lock, 0, 1) != 0) {
  }
  __threadfence();
  *out += 1;
  __threadfence();
  atomicExch(&lock, 0);
}

//--- lock_with_a_limit
// launch: --grid 4 --block 64 --arg out:i32:1
__device__ int lock, sum, missed;
extern "C" __global__ void k(int* out) {
  __shared__ bool has;
  if (threadIdx.x == 0) {
    has = false;
    for (int tries = 0; tries < 100 && !has; ++tries) has = atomicExch(&lock, 1) == 0;
    __threadfence();
  }
  __syncthreads();
  if (has && threadIdx.x == 40) sum += 1;
  __syncthreads();
  if (threadIdx.x != 0) return;
  __threadfence();
  if (has) {
    atomicExch(&lock, 0);
  } else {
    atomicAdd(&missed, 1);
  }
  if (blockIdx.x == 0) *out = 0;
}

//--- lock_with_fence
// launch: --grid 1 --block 128 --arg out:i32:1
extern "C" __global__ void k(int* out) {
  __shared__ int lock, count;
  if (threadIdx.x == 0) lock = count = 0;
  __syncthreads();
  for (bool done = false; !done;) {  // each thread takes the lock once
    if (atomicCAS(&lock, 0, 1) == 0) {
      __threadfence_block();
      ++count;
      __threadfence_block();
      atomicExch(&lock, 0);
      done = true;
    }
  }
  __syncthreads();
  if (threadIdx.x == 0) out[0] = count;
}

//--- lock_with_volatile
// launch: --grid 1 --block 128 --arg out:i32:1
extern "C" __global__ void k(int* out) {
  __shared__ int lock;
  __shared__ volatile int count;
  if (threadIdx.x == 0) lock = count = 0;
  __syncthreads();
  if (threadIdx.x % 32 == 0) {
    while (atomicCAS(&lock, 0, 1) != 0) {
    }
    __threadfence_block();
    count = count + 1;
    __threadfence_block();
    atomicExch(&lock, 0);
  }
  __syncthreads();
  if (threadIdx.x == 0) out[0] = count;
}

//--- look_back
// launch: --grid 8 --block 32 --arg out:i32:8
__device__ unsigned next;
__device__ volatile int flag[8];
__device__ int prefix[8];
extern "C" __global__ void k(int* out) {
  if (threadIdx.x != 0) return;
  const unsigned turn = atomicAdd(&next, 1);  // not blockIdx: wait only for blocks already running
  int before = 0;
  if (turn > 0) {
    while (flag[turn - 1] == 0) {
    }
    __threadfence();
    before = prefix[turn - 1];
  }
  prefix[turn] = before + turn;
  __threadfence();
  flag[turn] = 1;
  out[turn] = before;
}

//--- narrow_neighbours
// launch: --grid 2 --block 64 --arg out:u8:128 --arg out:u16:128
extern "C" __global__ void k(unsigned char* bytes, unsigned short* halves) {
  const int i = 2 * threadIdx.x + blockIdx.x;  // the two blocks write adjacent elements
  bytes[i] = i;
  halves[i] = i;
}

//--- padding_copied
// launch: --grid 1 --block 64 --arg in:f64:64:iota --arg out:i32:260
// The 4 bytes of padding after each index are copied, but never initialized.
struct Found {
  double distance;
  int index;
};
extern "C" __global__ void k(const double* in, Found* out) {
  __shared__ Found s[64];
  const int t = threadIdx.x;
  s[t].distance = in[t];
  s[t].index = t;
  __syncthreads();
  out[1 + t] = s[63 - t];
  for (int d = 32; d > 0; d /= 2) {
    __syncthreads();
    if (t < d && s[t + d].distance < s[t].distance) s[t] = s[t + d];
  }
  if (t == 0) *out = s[0];
}

//--- read_only_cache
// launch: --grid 1 --block 64 --arg out:f32:64 --arg in:f32:64:iota
extern "C" __global__ void k(float* __restrict__ out, const float* __restrict__ in) {
  out[threadIdx.x] = in[threadIdx.x] + __ldg(in + (threadIdx.x + 1) % 64);
}

//--- updates_that_may_fail
// launch: --grid 4 --block 64 --arg out:i32:1 --arg in:i32:512:iota
__device__ int parent[256], token, tail, next[260];
__device__ float sum;
__device__ int root(int x) {
  volatile int* p = parent;
  int at = p[x];
  while (at != x) {
    const int above = p[at];
    if (above != at) atomicCAS(&parent[x], at, above);  // a failure: the path is already shorter
    x = at;
    at = above;
  }
  return x;
}
extern "C" __global__ void k(int* out, const int* in) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicExch(&parent[i], min(i, in[i]));
  for (int a = i, b = in[i] * 7 % 256;;) {
    a = root(a), b = root(b);
    if (a == b || atomicCAS(&parent[max(a, b)], max(a, b), min(a, b)) == max(a, b)) break;
  }
  // The outer exchange returns what another thread has put there meanwhile.
  for (float v = 1; v != 0;) v = atomicExch(&sum, atomicExch(&sum, 0.0f) + v);
  // The word is its own lock: -1 says that a thread has the value.
  for (int v = -1; v == -1;) {
    v = atomicExch(&token, -1);
    if (v != -1) atomicExch(&token, 3 * v + 1 & 0xffff);
  }
  // Michael and Scott's queue: any thread may move the tail on.
  for (int after = -1; after != 0;) {
    const int last = *static_cast<volatile int*>(&tail);
    after = atomicCAS(&next[last], 0, i + 1);
    atomicCAS(&tail, last, after == 0 ? i + 1 : after);
  }
  if (i == 0) *out = 0;
}
