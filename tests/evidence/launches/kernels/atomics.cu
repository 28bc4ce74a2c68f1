// SPDX-License-Identifier: Apache-2.0
// Histograms, and atomics on shared and global memory: all lanes on one word, each lane on its own
// word, or random words. Integers and floats, with results used and unused.

__device__ unsigned hashed(unsigned i) {
  i = (i ^ (i >> 16)) * 0x7feb352dU;
  i = (i ^ (i >> 15)) * 0x846ca68bU;
  return i ^ (i >> 16);
}

// `in` holds random bytes.
__global__ void histogram_global(unsigned* bins, const unsigned char* in, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    atomicAdd(&bins[in[i]], 1U);
  }
}

__global__ void histogram_shared(unsigned* bins, const unsigned char* in, int n) {
  __shared__ unsigned own[256];
  for (int b = threadIdx.x; b < 256; b += blockDim.x) own[b] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    atomicAdd(&own[in[i]], 1U);
  }
  __syncthreads();
  for (int b = threadIdx.x; b < 256; b += blockDim.x) {
    if (own[b] > 0) atomicAdd(&bins[b], own[b]);
  }
}

// One histogram per warp, for up to eight warps; each load reads four bytes.
__global__ void histogram_by_warp(unsigned* bins, const unsigned* in, int n) {
  __shared__ unsigned own[8][256];
  for (int b = threadIdx.x; b < 8 * 256; b += blockDim.x) own[b / 256][b % 256] = 0;
  __syncthreads();
  unsigned* mine = own[threadIdx.x / 32];
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    const unsigned four = in[i];
    atomicAdd(&mine[four & 255], 1U);
    atomicAdd(&mine[(four >> 8) & 255], 1U);
    atomicAdd(&mine[(four >> 16) & 255], 1U);
    atomicAdd(&mine[four >> 24], 1U);
  }
  __syncthreads();
  for (int b = threadIdx.x; b < 256; b += blockDim.x) {
    unsigned sum = 0;
    for (int w = 0; w < 8; ++w) sum += own[w][b];
    atomicAdd(&bins[b], sum);
  }
}

// A warp updates `Words` words of shared memory: 1 is one address for all lanes, 32 one per lane.
// Repeats `times` times.
template <class T, int Words>
__global__ void shared_same(T* out, int times) {
  __shared__ T words[32 * 32];
  for (int i = threadIdx.x; i < 32 * 32; i += blockDim.x) words[i] = 0;
  __syncthreads();
  T* mine = words + threadIdx.x / 32 * 32 + threadIdx.x % Words;
  for (int t = 0; t < times; ++t) atomicAdd(mine, static_cast<T>(threadIdx.x + t));
  __syncthreads();
  if (threadIdx.x < 32) out[blockIdx.x * 32 + threadIdx.x] = words[threadIdx.x];
}

// Random words out of 1024 that the whole block shares.
template <class T>
__global__ void shared_random(T* out, int times) {
  __shared__ T words[1024];
  for (int i = threadIdx.x; i < 1024; i += blockDim.x) words[i] = 0;
  __syncthreads();
  const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
  for (int t = 0; t < times; ++t) {
    atomicAdd(&words[hashed(thread * 64 + t) & 1023], static_cast<T>(1));
  }
  __syncthreads();
  for (int i = threadIdx.x; i < 1024; i += blockDim.x) out[blockIdx.x * 1024 + i] = words[i];
}

// A block's sum: each thread adds to one word of shared memory.
template <class T>
__global__ void sum_by_shared_atomic(T* partial, const T* in, int n) {
  __shared__ T sum;
  if (threadIdx.x == 0) sum = 0;
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&sum, in[i]);
  __syncthreads();
  if (threadIdx.x == 0) partial[blockIdx.x] = sum;
}

// All threads update one word. Their addends differ, so that no compiler can multiply instead.
template <class T>
__global__ void global_one(T* out, const T* in, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(out, in[i]);
}

// All threads update `words` adjacent words (a power of two).
template <class T>
__global__ void global_few(T* out, const T* in, int n, unsigned words) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&out[i & (words - 1)], in[i]);
}

// Random words out of `words`, a power of two.
template <class T>
__global__ void global_random(T* out, int n, unsigned words) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&out[hashed(i) & (words - 1)], static_cast<T>(1));
}

// Each thread updates its own word, in order.
template <class T>
__global__ void global_own(T* out, const T* in, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&out[i], in[i]);
}

// Uses the results: a slot for each element that passes.
__global__ void compact(unsigned* out, unsigned* count, const unsigned* in, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && in[i] % 4 == 0) out[atomicAdd(count, 1U)] = in[i];
}

// The largest element.
__global__ void largest(int* out, const int* in, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    atomicMax(out, in[i]);
  }
}

// A sum by compare-and-swap: one lane per warp adds to one of `words` words.
__global__ void compare_and_swap(unsigned* out, const unsigned* in, int n, unsigned words) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n || threadIdx.x % 32 != 0) return;
  unsigned* to = &out[hashed(i / 32) & (words - 1)];
  unsigned seen = *reinterpret_cast<volatile unsigned*>(to);
  unsigned before = 0;
  do {
    before = seen;
    seen = atomicCAS(to, before, before + in[i]);
  } while (seen != before);
}
