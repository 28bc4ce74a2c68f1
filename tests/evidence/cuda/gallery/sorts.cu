// SPDX-License-Identifier: Apache-2.0
// Sorting algorithms taught in courses: merge, radix, Batcher, rank, shell, quick, and in a warp's
// registers.
//
// launch: merge_sort grid 4 block 128
// launch: radix_sort_split grid 4 block 256
// launch: radix_sort_digits grid 2 block 512
// launch: odd_even_merge_sort grid 4 block 128
// launch: rank_sort grid 4 block 256
// launch: warp_bitonic_sort grid 8 block 128
// launch: quick_sort grid 1 block 32
// launch: local_sorts grid 2 block 64
#define N 256

// Each thread merges two runs at positions found by binary search.
extern "C" __global__ void merge_sort(unsigned* out, const unsigned* in) {
  __shared__ unsigned a[2][N];
  const int t = threadIdx.x, base = blockIdx.x * N;
  a[0][t] = in[base + t];
  a[0][t + 128] = in[base + t + 128];
  int from = 0;
  for (int width = 1; width < N; width *= 2) {
    __syncthreads();
    for (int i = t; i < N; i += blockDim.x) {
      const unsigned key = a[from][i];
      const int run = i / width, other = (run ^ 1) * width;
      int low = other, high = other + width;
      while (low < high) {
        const int middle = (low + high) / 2;
        const bool before = run % 2 ? a[from][middle] <= key : a[from][middle] < key;
        if (before)
          low = middle + 1;
        else
          high = middle;
      }
      a[from ^ 1][(run / 2) * 2 * width + (i - run * width) + (low - other)] = key;
    }
    from ^= 1;
  }
  __syncthreads();
  for (int i = t; i < N; i += blockDim.x) out[base + i] = a[from][i];
}

// One bit per pass: a scan of the zero bits gives each key its position.
__device__ unsigned split_scan(unsigned* sums, unsigned value) {
  const int t = threadIdx.x;
  sums[t] = value;
  __syncthreads();
  for (int step = 1; step < N; step <<= 1) {
    const unsigned left = t >= step ? sums[t - step] : 0;
    __syncthreads();
    sums[t] += left;
    __syncthreads();
  }
  return sums[t];
}
extern "C" __global__ void radix_sort_split(unsigned* out, const unsigned* in) {
  __shared__ unsigned keys[N], sums[N];
  const unsigned t = threadIdx.x;
  keys[t] = in[blockIdx.x * N + t];
  __syncthreads();
  for (int bit = 0; bit < 32; ++bit) {
    const unsigned key = keys[t], zero = ~key >> bit & 1;
    const unsigned rank = split_scan(sums, zero);
    const unsigned zeros = sums[N - 1];
    keys[zero ? rank - 1 : zeros + t - rank] = key;
    __syncthreads();
  }
  out[blockIdx.x * N + t] = keys[t];
}

// Four bits per pass, stable: warps count their digits with match_any.
extern "C" __global__ void radix_sort_digits(unsigned* out, const unsigned* in) {
  __shared__ unsigned keys[512], counts[16][16], start[16];
  const unsigned t = threadIdx.x, lane = t % 32, warp = t / 32;
  keys[t] = in[blockIdx.x * 512 + t];
  for (int shift = 0; shift < 32; shift += 4) {
    if (t < 256) counts[t / 16][t % 16] = 0;
    __syncthreads();
    const unsigned key = keys[t], digit = key >> shift & 15;
    const unsigned peers = __match_any_sync(~0u, digit);
    const unsigned rank = __popc(peers & ((1u << lane) - 1));
    if (rank == 0) counts[digit][warp] = __popc(peers);
    __syncthreads();
    if (t < 16) {
      unsigned sum = 0;
      for (int w = 0; w < 16; ++w) {
        const unsigned count = counts[t][w];
        counts[t][w] = sum;
        sum += count;
      }
      unsigned scan = sum;
      for (int d = 1; d < 16; d *= 2) {
        const unsigned left = __shfl_up_sync(0xffff, scan, d, 16);
        if (t >= d) scan += left;
      }
      start[t] = scan - sum;
    }
    __syncthreads();
    keys[start[digit] + counts[digit][warp] + rank] = key;
    __syncthreads();
  }
  out[blockIdx.x * 512 + t] = keys[t];
}

extern "C" __global__ void odd_even_merge_sort(unsigned* out, const unsigned* in) {
  extern __shared__ unsigned unused[];
  __shared__ unsigned key[N], value[N];
  const unsigned t = threadIdx.x;
  for (unsigned i = t; i < N; i += 128) key[i] = in[blockIdx.x * N + i] & 0xffff, value[i] = i;
  for (unsigned size = 2; size <= N; size <<= 1) {
    unsigned stride = size / 2;
    const unsigned offset = t & (stride - 1);
    __syncthreads();
    {
      const unsigned pos = 2 * t - (t & (stride - 1));
      if (key[pos] > key[pos + stride]) {
        unsigned s = key[pos];
        key[pos] = key[pos + stride];
        key[pos + stride] = s;
        s = value[pos];
        value[pos] = value[pos + stride];
        value[pos + stride] = s;
      }
      stride >>= 1;
    }
    for (; stride > 0; stride >>= 1) {
      __syncthreads();
      const unsigned pos = 2 * t - (t & (stride - 1));
      if (offset >= stride && key[pos - stride] > key[pos]) {
        unsigned s = key[pos];
        key[pos] = key[pos - stride];
        key[pos - stride] = s;
        s = value[pos];
        value[pos] = value[pos - stride];
        value[pos - stride] = s;
      }
    }
  }
  __syncthreads();
  for (unsigned i = t; i < N; i += 128) out[blockIdx.x * N + i] = key[i] << 16 | value[i];
}

extern "C" __global__ void rank_sort(unsigned* out, const unsigned* in) {
  const unsigned t = threadIdx.x;
  const unsigned* mine = in + blockIdx.x * blockDim.x;
  const unsigned short key = mine[t];
  unsigned rank = 0;
  for (unsigned i = 0; i < blockDim.x; ++i) {
    const unsigned short other = mine[i];
    rank += other < key || (other == key && i < t);
  }
  out[blockIdx.x * blockDim.x + rank] = key;
}

extern "C" __global__ void warp_bitonic_sort(unsigned* out, const unsigned* in) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x & 31;
  int key = static_cast<int>(in[i]);
#pragma unroll
  for (unsigned size = 2; size <= 32; size *= 2) {
#pragma unroll
    for (unsigned step = size / 2; step > 0; step /= 2) {
      const int other = __shfl_xor_sync(0xffffffff, key, step);
      const bool up = (lane & size) == 0, low = (lane & step) == 0;
      key = up == low ? min(key, other) : max(key, other);
    }
  }
  out[i] = static_cast<unsigned>(key);
}

__device__ void quick(unsigned* a, int low, int high) {
  if (low >= high) return;
  const unsigned pivot = a[(low + high) / 2];
  int i = low, j = high;
  while (i <= j) {
    while (a[i] < pivot) ++i;
    while (a[j] > pivot) --j;
    if (i <= j) {
      const unsigned swap = a[i];
      a[i++] = a[j];
      a[j--] = swap;
    }
  }
  quick(a, low, j);
  quick(a, i, high);
}
extern "C" __global__ void quick_sort(unsigned* out, const unsigned* in) {
  unsigned a[32];
  for (int k = 0; k < 32; ++k) a[k] = in[threadIdx.x * 32 + k];
  quick(a, 0, 31);
  for (int k = 0; k < 32; ++k) out[threadIdx.x * 32 + k] = a[k];
}

template <typename T>
__device__ void swap_values(T& a, T& b) {
  T c(a);
  a = b;
  b = c;
}
extern "C" __global__ void local_sorts(unsigned* out, const unsigned* in) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  short a[24];
  for (int k = 0; k < 24; ++k) a[k] = static_cast<short>(in[i * 24 + k]);
  if (i % 3 == 0) {  // insertion
    for (int k = 1; k < 24; ++k)
      for (int j = k; j > 0 && a[j - 1] > a[j]; --j) swap_values(a[j], a[j - 1]);
  } else if (i % 3 == 1) {  // shell
    const int gaps[] = {10, 4, 1};
    for (int gap : gaps)
      for (int k = gap; k < 24; ++k) {
        const short key = a[k];
        int j = k;
        for (; j >= gap && a[j - gap] > key; j -= gap) a[j] = a[j - gap];
        a[j] = key;
      }
  } else {  // bubble, from the back
    bool swapped;
    do {
      swapped = false;
      for (int k = 23; k > 0; --k)
        if (a[k] < a[k - 1]) swap_values(a[k], a[k - 1]), swapped = true;
    } while (swapped);
  }
  for (int k = 0; k < 8; ++k) {
    out[i * 8 + k] = static_cast<unsigned short>(a[3 * k]) |
                     static_cast<unsigned>(static_cast<unsigned short>(a[3 * k + 2])) << 16;
  }
}
