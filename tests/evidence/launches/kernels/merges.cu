// SPDX-License-Identifier: Apache-2.0
// Sorts of keys with payloads and merges. Sorted inputs are functions of an `iota` buffer: key i of
// a is 3 i, key i of b is 2 i plus a random bit.

__device__ unsigned key_a(unsigned x) { return 3 * x; }
__device__ unsigned key_b(unsigned x) { return 2 * x + ((x * 0x9e3779b1U) >> 31); }

// Bitonic sort of 2 * Threads pairs per block.
template <int Threads>
__global__ void bitonic_pairs(unsigned* out_keys, unsigned* out_values, const unsigned* keys,
                              const unsigned* values) {
  __shared__ unsigned own_keys[2 * Threads];
  __shared__ unsigned own_values[2 * Threads];
  const int t = threadIdx.x;
  const int base = blockIdx.x * 2 * Threads;
  for (int k = t; k < 2 * Threads; k += Threads) {
    own_keys[k] = keys[base + k];
    own_values[k] = values[base + k];
  }
  for (int size = 2; size <= 2 * Threads; size *= 2) {
    for (int step = size / 2; step > 0; step /= 2) {
      __syncthreads();
      const int low = 2 * t - (t & (step - 1));
      const bool up = (low & size) == 0;
      const unsigned a = own_keys[low];
      const unsigned b = own_keys[low + step];
      if ((a > b) == up) {
        own_keys[low] = b;
        own_keys[low + step] = a;
        const unsigned value = own_values[low];
        own_values[low] = own_values[low + step];
        own_values[low + step] = value;
      }
    }
  }
  __syncthreads();
  for (int k = t; k < 2 * Threads; k += Threads) {
    out_keys[base + k] = own_keys[k];
    out_values[base + k] = own_values[k];
  }
}

// The last steps of a global bitonic merge, all within tiles of 2 * Threads keys.
template <int Threads>
__global__ void bitonic_merge_tail(unsigned* out, const unsigned* in, int size) {
  __shared__ unsigned keys[2 * Threads];
  const int t = threadIdx.x;
  const int base = blockIdx.x * 2 * Threads;
  keys[t] = in[base + t];
  keys[t + Threads] = in[base + t + Threads];
  const bool up = (base & size) == 0;
  for (int step = Threads; step > 0; step /= 2) {
    __syncthreads();
    const int low = 2 * t - (t & (step - 1));
    const unsigned a = keys[low];
    const unsigned b = keys[low + step];
    if ((a > b) == up) {
      keys[low] = b;
      keys[low + step] = a;
    }
  }
  __syncthreads();
  out[base + t] = keys[t];
  out[base + t + Threads] = keys[t + Threads];
}

// Two global bitonic steps at once: each thread orders four keys that are 2^step apart.
__global__ void bitonic_two_steps(unsigned* out, const unsigned* in, int step, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int first = ((i >> step) << (step + 2)) | (i & ((1 << step) - 1));
  const bool up = ((first >> size) & 1) == 0;
  unsigned k[4];
  for (int j = 0; j < 4; ++j) k[j] = in[first + (j << step)];
  const auto order = [up](unsigned& a, unsigned& b) {
    if ((a > b) == up) {
      const unsigned c = a;
      a = b;
      b = c;
    }
  };
  order(k[0], k[2]);
  order(k[1], k[3]);
  order(k[0], k[1]);
  order(k[2], k[3]);
  for (int j = 0; j < 4; ++j) out[first + (j << step)] = k[j];
}

// One round of an odd-even transposition sort of the whole buffer.
__global__ void odd_even_round(unsigned* out, const unsigned* in, int n, int odd) {
  const int i = 2 * (blockIdx.x * blockDim.x + threadIdx.x) + odd;
  if (odd == 1 && i == 1) out[0] = in[0];
  if (i >= n) return;
  if (i == n - 1) {
    out[i] = in[i];
    return;
  }
  const unsigned a = in[i];
  const unsigned b = in[i + 1];
  out[i] = min(a, b);
  out[i + 1] = max(a, b);
}

// Elements of a among the first `diagonal` of the merged sequence.
__device__ int merge_path(const unsigned* a, int na, const unsigned* b, int nb, int diagonal) {
  int low = max(0, diagonal - nb);
  int high = min(diagonal, na);
  while (low < high) {
    const int middle = (low + high) / 2;
    if (key_a(a[middle]) <= key_b(b[diagonal - 1 - middle])) low = middle + 1;
    else high = middle;
  }
  return low;
}

// Each thread merges `items` consecutive outputs straight from global memory.
__global__ void merge_by_thread(unsigned* out, const unsigned* a, const unsigned* b, int na, int nb,
                                int items) {
  const int first = (blockIdx.x * blockDim.x + threadIdx.x) * items;
  if (first >= na + nb) return;
  int i = merge_path(a, na, b, nb, first);
  int j = first - i;
  const int end = min(first + items, na + nb);
  for (int k = first; k < end; ++k) {
    if (j >= nb || (i < na && key_a(a[i]) <= key_b(b[j]))) out[k] = key_a(a[i++]);
    else out[k] = key_b(b[j++]);
  }
}

// Each block copies its parts of a and b to shared memory and merges there. na + nb is a multiple
// of Threads * Items.
template <int Threads, int Items>
__global__ void merge_by_block(unsigned* out, const unsigned* a, const unsigned* b, int na,
                               int nb) {
  __shared__ unsigned keys[Threads * Items];
  __shared__ int splits[2];
  const int first = blockIdx.x * Threads * Items;
  if (threadIdx.x < 2) {
    splits[threadIdx.x] = merge_path(a, na, b, nb, first + threadIdx.x * Threads * Items);
  }
  __syncthreads();
  const int a0 = splits[0];
  const int b0 = first - a0;
  const int of_a = splits[1] - a0;
  const int of_b = Threads * Items - of_a;
  for (int k = threadIdx.x; k < Threads * Items; k += Threads) {
    keys[k] = k < of_a ? key_a(a[a0 + k]) : key_b(b[b0 + k - of_a]);
  }
  __syncthreads();
  const int diagonal = threadIdx.x * Items;
  int low = max(0, diagonal - of_b);
  int high = min(diagonal, of_a);
  while (low < high) {
    const int middle = (low + high) / 2;
    if (keys[middle] <= keys[of_a + diagonal - 1 - middle]) low = middle + 1;
    else high = middle;
  }
  int i = low;
  int j = diagonal - low;
  unsigned merged[Items];
#pragma unroll
  for (int k = 0; k < Items; ++k) {
    const bool from_a = j >= of_b || (i < of_a && keys[i] <= keys[of_a + j]);
    merged[k] = from_a ? keys[i++] : keys[of_a + j++];
  }
  __syncthreads();
#pragma unroll
  for (int k = 0; k < Items; ++k) keys[diagonal + k] = merged[k];
  __syncthreads();
  for (int k = threadIdx.x; k < Threads * Items; k += Threads) out[first + k] = keys[k];
}

// Each key of a finds its rank in b by binary search, and is stored there.
__global__ void merge_by_rank(unsigned* out, const unsigned* a, const unsigned* b, int na, int nb) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= na) return;
  const unsigned key = key_a(a[i]);
  int low = 0;
  int high = nb;
  while (low < high) {
    const int middle = (low + high) / 2;
    if (key_b(b[middle]) < key) low = middle + 1;
    else high = middle;
  }
  out[i + low] = key;
}

// Merge sort of 1024 keys per block of 256: rounds of merges, each key by its rank in the partner
// run.
__global__ void merge_sort_tile(unsigned* out, const unsigned* in) {
  __shared__ unsigned keys[2][1024];
  const int t = threadIdx.x;
  const int base = blockIdx.x * 1024;
  for (int k = t; k < 1024; k += 256) keys[0][k] = in[base + k];
  int now = 0;
  for (int run = 1; run < 1024; run *= 2) {
    __syncthreads();
    for (int k = t; k < 1024; k += 256) {
      const unsigned key = keys[now][k];
      const int partner = (k & ~(run - 1)) ^ run;
      const bool is_left = (k & run) == 0;
      int low = 0;
      int high = run;
      while (low < high) {
        const int middle = (low + high) / 2;
        const unsigned other = keys[now][partner + middle];
        if (other < key || (other == key && !is_left)) low = middle + 1;
        else high = middle;
      }
      keys[1 - now][(k & ~(2 * run - 1)) + (k & (run - 1)) + low] = key;
    }
    now = 1 - now;
  }
  __syncthreads();
  for (int k = t; k < 1024; k += 256) out[base + k] = keys[now][k];
}

// A step of sample sort: the bucket of each key among 128 splitters in shared memory, and counts.
__global__ void sample_buckets(unsigned char* buckets, unsigned* counts, const unsigned* keys,
                               int n) {
  __shared__ unsigned splitters[128];
  __shared__ unsigned own[128];
  if (threadIdx.x < 128) {
    splitters[threadIdx.x] = (threadIdx.x + 1) * 33554432U - 1;
    own[threadIdx.x] = 0;
  }
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    const unsigned key = keys[i];
    int low = 0;
    for (int step = 64; step > 0; step /= 2) {
      if (splitters[low + step - 1] < key) low += step;
    }
    buckets[i] = static_cast<unsigned char>(low);
    atomicAdd(&own[low], 1U);
  }
  __syncthreads();
  if (threadIdx.x < 128) atomicAdd(&counts[threadIdx.x], own[threadIdx.x]);
}

// Rank sort: each key's rank among all n keys, compared through shared memory. Blocks of 256.
__global__ void rank_sort(unsigned* out, const unsigned* in, int n) {
  __shared__ unsigned tile[256];
  const int i = blockIdx.x * 256 + threadIdx.x;
  const unsigned key = i < n ? in[i] : 0;
  int rank = 0;
  for (int first = 0; first < n; first += 256) {
    const int here = min(256, n - first);
    __syncthreads();
    if (threadIdx.x < here) tile[threadIdx.x] = in[first + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < here; ++k) {
      rank += tile[k] < key || (tile[k] == key && first + k < i);
    }
  }
  if (i < n) out[rank] = key;
}
