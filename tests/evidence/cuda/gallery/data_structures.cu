// SPDX-License-Identifier: Apache-2.0
// Shared data structures: lock-free stacks, queues and lists, hash tables with CAS, locks, trees,
// and all atomics.
//
// launch: lock_free_stack grid 1 block 128
// launch: ticket_queue grid 1 block 96
// launch: hash_table grid 4 block 128
// launch: spin_lock_blocks grid 8 block 64
// launch: spin_lock_threads grid 2 block 64
// launch: ticket_lock grid 4 block 32
// launch: search_tree grid 1 block 128
// launch: union_find grid 1 block 256
// launch: bitmap_and_bloom grid 2 block 128
// launch: atomic_every_operation grid 4 block 128
// launch: atomic_shared_operations grid 2 block 128
// launch: atomic_results_in_order grid 1 block 1
// launch: histogram_privatised grid 4 block 256
// launch: histogram_aggregated grid 4 block 256
// launch: free_list grid 1 block 64
// launch: work_queue grid 4 block 64
// launch: linked_list_ranking grid 1 block 256
// launch: binary_search grid 4 block 128

struct Item {
  unsigned value;
  int next;
};
__device__ Item items[128];
__device__ int head = -1;
extern "C" __global__ void lock_free_stack(unsigned* out, const unsigned* in) {
  const int t = static_cast<int>(threadIdx.x);
  items[t].value = in[t];
  int seen = atomicAdd(&head, 0);
  while (true) {
    items[t].next = seen;
    __threadfence();
    const int found = atomicCAS(&head, seen, t);
    if (found == seen) break;
    seen = found;
  }
  __syncthreads();
  if (t == 0) {
    unsigned sum = 0, count = 0;
    for (int k = head; k >= 0; k = items[k].next) sum += items[k].value, ++count;
    out[0] = sum;
    out[1] = count;
  }
}
extern "C" __global__ void ticket_queue(unsigned* out, const unsigned* in) {
  __shared__ unsigned queue[96], tail, front;
  if (threadIdx.x == 0) tail = front = 0;
  __syncthreads();
  const unsigned value = in[threadIdx.x];
  if (value % 3) queue[atomicAdd(&tail, 1)] = value;
  __syncthreads();
  unsigned sum = 0;
  for (unsigned place = atomicAdd(&front, 1); place < tail; place = atomicAdd(&front, 1))
    sum += queue[place];
  atomicAdd(out, sum);
  if (threadIdx.x == 0) out[1] = tail;
}
__device__ unsigned keys[1024], counts[1024];
extern "C" __global__ void hash_table(unsigned* out, const unsigned* in) {
  const unsigned key = in[blockIdx.x * 128 + threadIdx.x] % 300 + 1;
  unsigned slot = key * 2654435761u >> 22;
  while (true) {
    const unsigned old = atomicCAS(&keys[slot], 0, key);
    if (old == 0 || old == key) break;
    slot = (slot + 1) & 1023;
  }
  atomicAdd(&counts[slot], 1);
  atomicAdd(&out[key], 1);
}
__device__ int mutex = 0;
__device__ unsigned protected_count = 0;
extern "C" __global__ void spin_lock_blocks(unsigned* out, const unsigned* in) {
  if (threadIdx.x == 0) {
    while (atomicCAS(&mutex, 0, 1) != 0) {
    }
    __threadfence();
    volatile unsigned* count = &protected_count;
    *count = *count + in[blockIdx.x] % 100;
    __threadfence();
    atomicExch(&mutex, 0);
    if (blockIdx.x == gridDim.x - 1) atomicMax(out, 1);
  }
  __syncthreads();
  out[1 + blockIdx.x * 64 + threadIdx.x] = in[threadIdx.x];
}
extern "C" __global__ void spin_lock_threads(unsigned* out, const unsigned* in) {
  __shared__ int lock;
  __shared__ unsigned total;
  if (threadIdx.x == 0) lock = 0, total = 0;
  __syncthreads();
  bool done = false;
  while (!done) {
    if (atomicCAS(&lock, 0, 1) == 0) {
      __threadfence_block();
      *const_cast<volatile unsigned*>(&total) += in[blockIdx.x * 64 + threadIdx.x] & 0xffff;
      __threadfence_block();
      atomicExch(&lock, 0);
      done = true;
    }
  }
  __syncthreads();
  out[blockIdx.x * 64 + threadIdx.x] = total;
}
__device__ unsigned next_ticket = 0, serving = 0;
extern "C" __global__ void ticket_lock(unsigned* out, const unsigned* in) {
  if (threadIdx.x == 0) {
    const unsigned mine = atomicAdd(&next_ticket, 1);
    while (atomicAdd(&serving, 0) != mine) __nanosleep(100);
    __threadfence();
    out[0] = *static_cast<volatile unsigned*>(out) * 1 + in[blockIdx.x] % 1000;
    __threadfence();
    atomicAdd(&serving, 1);
  }
}
__device__ int left[128], right[128];
extern "C" __global__ void search_tree(unsigned* out, const unsigned* in) {
  const int t = static_cast<int>(threadIdx.x);
  left[t] = right[t] = -1;
  __syncthreads();
  if (t > 0) {
    int node = 0;
    while (true) {
      int* child = in[t] < in[node] ? &left[node] : &right[node];
      const int old = atomicCAS(child, -1, t);
      if (old == -1) break;
      node = old;
    }
  }
  __syncthreads();
  if (t == 0) {  // in-order traversal with an explicit stack
    int stack[128], top = 0, node = 0, n = 0;
    while (top > 0 || node >= 0) {
      while (node >= 0) stack[top++] = node, node = left[node];
      node = stack[--top];
      out[n++] = in[node];
      node = right[node];
    }
  }
}
extern "C" __global__ void union_find(unsigned* out, const unsigned* in) {
  __shared__ unsigned parent[256];
  const unsigned t = threadIdx.x;
  parent[t] = t;
  __syncthreads();
  const auto find = [&](unsigned x) {
    for (unsigned p = atomicAdd(&parent[x], 0); p != x; p = atomicAdd(&parent[x], 0)) x = p;
    return x;
  };
  if (in[t] & 1) {
    unsigned a = t, b = in[t] >> 8 & 255;
    while (true) {
      a = find(a);
      b = find(b);
      if (a == b) break;
      if (a < b) {
        const unsigned swap = a;
        a = b;
        b = swap;
      }
      if (atomicCAS(&parent[a], a, b) == a) break;
    }
  }
  __syncthreads();
  out[t] = find(t);
}
extern "C" __global__ void bitmap_and_bloom(unsigned* out, const unsigned* in) {
  __shared__ unsigned bits[64];
  if (threadIdx.x < 64) bits[threadIdx.x] = 0;
  __syncthreads();
  const unsigned x = in[blockIdx.x * 128 + threadIdx.x];
  for (int k = 0; k < 3; ++k) {
    const unsigned h = (x * (2 * k + 1) * 2654435761u) >> 21;
    atomicOr(&bits[h / 32], 1u << h % 32);
  }
  __syncthreads();
  unsigned hits = 0;
  for (int q = 0; q < 8; ++q) {
    const unsigned y = in[2000 + threadIdx.x * 8 + q];
    bool all = true;
    for (int k = 0; k < 3 && all; ++k) {
      const unsigned h = (y * (2 * k + 1) * 2654435761u) >> 21;
      all = bits[h / 32] >> h % 32 & 1;
    }
    hits = hits * 2 + all;
  }
  out[blockIdx.x * 128 + threadIdx.x] = hits;
}
extern "C" __global__ void atomic_every_operation(unsigned* out, const unsigned* in) {
  const unsigned x = in[blockIdx.x * 128 + threadIdx.x];
  typedef unsigned long long u64;
  u64* wide = reinterpret_cast<u64*>(out);
  atomicAdd(&out[0], x);
  atomicSub(&out[1], x);
  atomicMin(&out[2], x);
  atomicMax(&out[3], x);
  atomicMin(reinterpret_cast<int*>(&out[4]), static_cast<int>(x));
  atomicMax(reinterpret_cast<int*>(&out[5]), static_cast<int>(x));
  atomicInc(&out[6], 100);
  atomicDec(&out[7], 37);
  atomicAnd(&out[8], x);
  atomicOr(&out[9], x & 0xff00);
  atomicXor(&out[10], x);
  atomicAdd(&wide[6], static_cast<u64>(x) << 20);
  atomicMax(&wide[7], static_cast<u64>(x) << 20);
  atomicMin(reinterpret_cast<long long*>(&wide[8]), -static_cast<long long>(x));
  atomicXor(&wide[9], static_cast<u64>(x) << 13);
  atomicOr(&wide[10], static_cast<u64>(x) << 32);
  atomicAnd(&wide[11], static_cast<u64>(x));
  atomicAdd(reinterpret_cast<float*>(&out[24]), static_cast<float>(x & 7));
  atomicAdd(reinterpret_cast<double*>(&out[26]), static_cast<double>(x & 0xffff));
  atomicAdd_system(&out[29], x);
  // Block scope orders only threads of the same block.
  for (unsigned b = 0; blockIdx.x == 0 && b < gridDim.x; ++b) {
    atomicAdd_block(&out[28], in[b * 128 + threadIdx.x]);
    atomicMax_block(&out[30], in[b * 128 + threadIdx.x]);
  }
  atomicCAS(&out[31], 0, 77);
  atomicExch(&out[32], 5);
  atomicCAS(reinterpret_cast<unsigned short*>(&out[33]), static_cast<unsigned short>(0),
            static_cast<unsigned short>(9));
}
extern "C" __global__ void atomic_shared_operations(unsigned* out, const unsigned* in) {
  __shared__ unsigned s[16];
  __shared__ unsigned long long w[4];
  __shared__ float f;
  __shared__ double d;
  const unsigned t = threadIdx.x;
  if (t < 16) s[t] = t * 1000;
  if (t < 4) w[t] = t;
  if (t == 0) f = 0, d = 0.5;
  __syncthreads();
  const unsigned x = in[blockIdx.x * 128 + t];
  atomicAdd(&s[0], x);
  atomicMin(&s[1], x);
  atomicMax(reinterpret_cast<int*>(&s[2]), static_cast<int>(x));
  atomicInc(&s[3], 3050);
  atomicDec(&s[4], 4010);
  atomicXor(&s[5], x);
  atomicAnd(&s[6], x);
  atomicOr(&s[7], x & 0xf0);
  atomicSub(&s[8], x >> 3);
  atomicAdd(&s[9 + (x & 3)], 1u);
  atomicAdd(&w[0], static_cast<unsigned long long>(x) * x);
  atomicMax(&w[1], static_cast<unsigned long long>(x));
  atomicXor(&w[2], static_cast<unsigned long long>(x) << 9);
  atomicAdd(&f, static_cast<float>(x & 15));
  atomicAdd(&d, static_cast<double>(x & 15));
  __syncthreads();
  if (t < 16) out[blockIdx.x * 32 + t] = s[t];
  if (t < 4) out[blockIdx.x * 32 + 16 + t] = static_cast<unsigned>(w[t] ^ w[t] >> 32);
  if (t == 0)
    out[blockIdx.x * 32 + 20] = __float_as_uint(f), out[blockIdx.x * 32 + 21] = __double2hiint(d);
}
extern "C" __global__ void atomic_results_in_order(unsigned* out, const unsigned* in) {
  __shared__ unsigned s;
  __shared__ float f;
  s = 10;
  f = 1.5f;
  int n = 0;
  out[n++] = atomicAdd(&s, in[0]);
  out[n++] = atomicSub(&s, 5);
  out[n++] = atomicExch(&s, 12);
  out[n++] = atomicInc(&s, 12);
  out[n++] = atomicDec(&s, 12);
  out[n++] = atomicDec(&s, 5);
  out[n++] = atomicMin(&s, 3u);
  out[n++] = atomicMax(&s, in[1]);
  out[n++] = atomicAnd(&s, in[2]);
  out[n++] = atomicOr(&s, in[3]);
  out[n++] = atomicXor(&s, in[4]);
  out[n++] = atomicCAS(&s, 1, 2);
  out[n++] = atomicCAS(&s, s, 99);
  out[n++] = __float_as_uint(atomicAdd(&f, 0.25f));
  out[n++] = __float_as_uint(atomicExch(&f, -1.0f));
  out[n++] = s;
  out[n++] = __float_as_uint(f);
}
extern "C" __global__ void histogram_privatised(unsigned* out, const unsigned* in) {
  extern __shared__ unsigned unused[];
  __shared__ unsigned bins[128];
  for (unsigned b = threadIdx.x; b < 128; b += blockDim.x) bins[b] = 0u;
  __syncthreads();
  unsigned accumulator = 0;
  int previous = -1;
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < 4096; i += blockDim.x * gridDim.x) {
    for (int byte = 0; byte < 4; ++byte) {
      const int bin = in[i] >> (8 * byte) & 127;
      if (bin == previous) {
        ++accumulator;
      } else {
        if (accumulator > 0) atomicAdd(&bins[previous], accumulator);
        accumulator = 1;
        previous = bin;
      }
    }
  }
  if (accumulator > 0) atomicAdd(&bins[previous], accumulator);
  __syncthreads();
  for (unsigned b = threadIdx.x; b < 128; b += blockDim.x)
    if (bins[b]) atomicAdd(&out[b], bins[b]);
}
extern "C" __global__ void histogram_aggregated(unsigned* out, const unsigned* in) {
  const unsigned bin = in[blockIdx.x * 256 + threadIdx.x] & 15;
  const unsigned peers = __match_any_sync(0xffffffff, bin);
  if ((threadIdx.x & 31) == static_cast<unsigned>(__ffs(peers) - 1))
    atomicAdd(&out[bin], __popc(peers));
}
extern "C" __global__ void free_list(unsigned* out, const unsigned* in) {
  const unsigned t = threadIdx.x;
  unsigned* mine[4];
  for (int k = 0; k < 4; ++k) {
    mine[k] = static_cast<unsigned*>(malloc((in[t + k] % 50 + 1) * sizeof(unsigned)));
    for (unsigned e = 0; e <= in[t + k] % 50; ++e) mine[k][e] = e * t;
  }
  free(mine[1]);
  free(mine[3]);
  mine[1] = static_cast<unsigned*>(malloc(64));
  memset(mine[1], 0x5a, 64);
  memcpy(mine[1] + 2, mine[0], sizeof(unsigned));
  unsigned sum = 0;
  for (unsigned e = 0; e <= in[t + 2] % 50; ++e) sum += mine[2][e];
  for (int e = 0; e < 16; ++e) sum = sum * 3 + mine[1][e];
  out[t] = sum;
  free(mine[0]);
  free(mine[1]);
  free(mine[2]);
  free(nullptr);
}
__device__ unsigned next_item = 0;
extern "C" __global__ void work_queue(unsigned* out, const unsigned* in) {
  __shared__ unsigned item;
  while (true) {
    __syncthreads();
    if (threadIdx.x == 0) item = atomicAdd(&next_item, 1);
    __syncthreads();
    const unsigned mine = item;
    if (mine >= 16) break;
    unsigned x = in[mine * 64 + threadIdx.x];
    for (unsigned k = 0; k < mine * 5; ++k) x = x * 1664525u + 1013904223u;
    out[mine * 64 + threadIdx.x] = x;
  }
}
extern "C" __global__ void linked_list_ranking(unsigned* out, const unsigned* in) {
  __shared__ int next[2][256], rank[2][256];
  const int t = static_cast<int>(threadIdx.x);
  next[0][t] = t == 255 ? -1 : (t * 77 + 33) % 256 == t ? -1 : (t + 1);
  rank[0][t] = next[0][t] >= 0 ? static_cast<int>(in[t] % 9) : 0;
  __syncthreads();
  for (int step = 0; step < 8; ++step) {
    const int from = step & 1, to = from ^ 1, n = next[from][t];
    rank[to][t] = rank[from][t] + (n >= 0 ? rank[from][n] : 0);
    next[to][t] = n >= 0 ? next[from][n] : -1;
    __syncthreads();
  }
  out[t] = static_cast<unsigned>(rank[0][t]);
}
extern "C" __global__ void binary_search(unsigned* out, const unsigned* in) {
  __shared__ unsigned sorted[128];
  const unsigned t = threadIdx.x, key = in[blockIdx.x * 128 + t];
  unsigned rank = 0;
  for (unsigned k = 0; k < 128; ++k) {
    const unsigned other = in[blockIdx.x * 128 + k];
    rank += other < key || (other == key && k < t);
  }
  sorted[rank] = key;
  __syncthreads();
  const unsigned wanted = in[1000 + t];
  unsigned low = 0, high = 128;
  while (low < high) {
    const unsigned middle = low + (high - low) / 2;
    if (sorted[middle] < wanted)
      low = middle + 1;
    else
      high = middle;
  }
  out[blockIdx.x * 128 + t] = low << 16 | rank;
}
