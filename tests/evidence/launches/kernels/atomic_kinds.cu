// SPDX-License-Identifier: Apache-2.0
// Atomics as applications use them: minima, maxima, bits, exchanges, compare-and-swap loops and
// sums of several types. Results are used or not. Addresses are one word, one sector, one word per
// warp, spread, or random, in shared and in global memory.

__device__ unsigned hashed(unsigned i) {
  i = (i ^ (i >> 16)) * 0x7feb352dU;
  i = (i ^ (i >> 15)) * 0x846ca68bU;
  return i ^ (i >> 16);
}

// The lanes of a warp add to the words of one sector; warps choose sectors by hash.
template <class T>
__global__ void add_to_sector(T* out, const T* in, int n, unsigned sectors) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  constexpr unsigned kWords = 32 / sizeof(T);
  if (i < n) atomicAdd(&out[(hashed(i / 32) & (sectors - 1)) * kWords + i % kWords], in[i]);
}

// All lanes of a warp add to one word, chosen by hash.
__global__ void add_by_warp_word(float* out, const float* in, int n, unsigned words) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&out[hashed(i / 32) & (words - 1)], in[i]);
}

// One add per warp, after a reduction by shuffles.
__global__ void add_reduced(float* out, const float* in, int n, unsigned words) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = i < n ? in[i] : 0;
  for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_xor_sync(~0U, sum, offset);
  if (i < n && threadIdx.x % 32 == 0) atomicAdd(&out[hashed(i / 32) & (words - 1)], sum);
}

// Lanes update words `stride` apart, and neighbouring warps the next ones.
__global__ void add_spread(unsigned* out, const unsigned* in, int n, int stride, int words) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const int at = (i % 32) * stride + (i / 32) % stride;
  atomicAdd(&out[(at + i / (32 * stride) * 32 * stride) % words], in[i]);
}

__global__ void max_random(int* out, const int* in, int n, unsigned words) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicMax(&out[hashed(i) & (words - 1)], in[i]);
}

// Reads first, and updates only if the value is larger: most threads need no atomic.
__global__ void max_if_larger(int* out, const int* in, int n, unsigned words) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int* to = &out[hashed(i) & (words - 1)];
  if (*reinterpret_cast<volatile int*>(to) < in[i]) atomicMax(to, in[i]);
}

// Sets one bit of a bitmap per element.
__global__ void set_bits(unsigned* bitmap, const unsigned* in, int n, unsigned mask) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const unsigned bit = in[i] & mask;
  atomicOr(&bitmap[bit / 32], 1U << (bit % 32));
}

// Sets bits and counts those that were not set before.
__global__ void set_new_bits(unsigned* bitmap, unsigned* count, const unsigned* in, int n,
                             unsigned mask) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  bool is_new = false;
  if (i < n) {
    const unsigned bit = in[i] & mask;
    is_new = (atomicOr(&bitmap[bit / 32], 1U << (bit % 32)) >> (bit % 32) & 1) == 0;
  }
  const int in_block = __syncthreads_count(is_new);
  if (threadIdx.x == 0) atomicAdd(count, static_cast<unsigned>(in_block));
}

// A ticket per element from one of `counters` counters, whose position is stored.
__global__ void tickets(unsigned* out, unsigned* counters, const unsigned* in, int n,
                        unsigned mask) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = atomicAdd(&counters[in[i] & mask], 1U);
}

// Linked lists per bucket: each element becomes the head and stores its successor.
__global__ void link_heads(unsigned* heads, unsigned* next, const unsigned* in, int n,
                           unsigned mask) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) next[i] = atomicExch(&heads[in[i] & mask], static_cast<unsigned>(i) + 1);
}

// A product by compare-and-swap; `words` random words.
__global__ void multiply_by_cas(unsigned* out, const unsigned* in, int n, unsigned words) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned* to = &out[hashed(i) & (words - 1)];
  unsigned seen = 0;
  unsigned before = 0;
  do {
    before = seen;
    seen = atomicCAS(to, before, (before + 1) * (in[i] | 1));
  } while (seen != before);
}

// Complex sums: two adds to adjacent words.
__global__ void add_pairs(float* out, const float2* in, int n, unsigned pairs) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const unsigned to = hashed(i) & (pairs - 1);
  atomicAdd(&out[2 * to], in[i].x);
  atomicAdd(&out[2 * to + 1], in[i].y);
}

__global__ void add_doubles(double* out, const double* in, int n, unsigned words) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&out[hashed(i) & (words - 1)], in[i]);
}

// Minima of 64 bits: distance in the high half, index in the low half.
__global__ void min_packed(unsigned long long* out, const float* in, int n, unsigned words) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const unsigned long long packed =
      static_cast<unsigned long long>(__float_as_uint(in[i])) << 32 | static_cast<unsigned>(i);
  atomicMax(&out[hashed(i / 4) & (words - 1)], ~packed);
}

// Tickets of shared memory: each thread stores the value it got.
__global__ void shared_tickets(unsigned* out, const unsigned* in, int times, unsigned mask) {
  __shared__ unsigned counters[1024];
  for (int k = threadIdx.x; k < 1024; k += blockDim.x) counters[k] = 0;
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned value = in[i];
  unsigned sum = 0;
  for (int t = 0; t < times; ++t) {
    sum += atomicAdd(&counters[value & mask], 1U);
    value = value * 1664525U + 1013904223U;
    value ^= value >> 13;
  }
  out[i] = sum;
}

// Maxima of random words in shared memory.
__global__ void shared_max(int* out, const int* in, int times) {
  __shared__ int best[256];
  for (int k = threadIdx.x; k < 256; k += blockDim.x) best[k] = 0;
  __syncthreads();
  const int first = blockIdx.x * blockDim.x * times + threadIdx.x;
  for (int t = 0; t < times; ++t) {
    const int value = in[first + t * blockDim.x];
    atomicMax(&best[(value >> 3) & 255], value);
  }
  __syncthreads();
  for (int k = threadIdx.x; k < 256; k += blockDim.x) out[blockIdx.x * 256 + k] = best[k];
}

// A sum of doubles in each block by one word of shared memory.
__global__ void shared_double_sum(double* out, const double* in, int times) {
  __shared__ double sums[8];
  if (threadIdx.x < 8) sums[threadIdx.x] = 0;
  __syncthreads();
  const int first = blockIdx.x * blockDim.x * times + threadIdx.x;
  for (int t = 0; t < times; ++t) {
    atomicAdd(&sums[threadIdx.x % 8], in[first + t * blockDim.x]);
  }
  __syncthreads();
  if (threadIdx.x < 8) out[blockIdx.x * 8 + threadIdx.x] = sums[threadIdx.x];
}
