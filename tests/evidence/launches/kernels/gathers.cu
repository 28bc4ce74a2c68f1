// SPDX-License-Identifier: Apache-2.0
// Gathers, scatters, strides and chains of loads. Addresses are hashes of the index, so no index
// buffer is needed. The hash is a bijection of [0, 2^bits), so no two threads write the same word.
// Sizes are powers of two; `bits` is the logarithm of the number of elements.

// Multiplies by odd factors and folds the high half: each step is a bijection modulo 2^bits.
__device__ unsigned permuted(unsigned i, int bits) {
  const unsigned mask = bits < 32 ? (1U << bits) - 1 : ~0U;
  const int fold = (bits + 1) / 2;
  i = (i * 0x9e3779b1U + 0x7f4a7c15U) & mask;
  i ^= i >> fold;
  i = (i * 0x85ebca6bU) & mask;
  i ^= i >> fold;
  return (i * 0xc2b2ae35U) & mask;
}

template <class T>
__global__ void gather(T* out, const T* in, int bits) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[permuted(i, bits)];
}

template <class T>
__global__ void scatter(T* out, const T* in, int bits) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[permuted(i, bits)] = in[i];
}

// Random within windows of 2^window elements.
template <class T>
__global__ void gather_window(T* out, const T* in, int window) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned base = i >> window << window;
  out[i] = in[base + permuted(i - base, window)];
}

template <class T>
__global__ void scatter_window(T* out, const T* in, int window) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned base = i >> window << window;
  out[base + permuted(i - base, window)] = in[i];
}

// Pieces of 2^piece elements stay together; their order is random.
template <class T>
__global__ void gather_pieces(T* out, const T* in, int bits, int piece) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned inside = i & ((1U << piece) - 1);
  out[i] = in[(permuted(i >> piece, bits - piece) << piece) + inside];
}

template <class T>
__global__ void scatter_pieces(T* out, const T* in, int bits, int piece) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned inside = i & ((1U << piece) - 1);
  out[(permuted(i >> piece, bits - piece) << piece) + inside] = in[i];
}

// Indices come from a buffer of random integers, which is read first.
__global__ void gather_by_index(float* out, const float* in, const unsigned* index, unsigned mask) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[index[i] & mask];
}

// Several independent random loads per thread.
template <int Loads>
__global__ void gather_sum(float* out, const float* in, int bits) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned threads = gridDim.x * blockDim.x;
  float sum = 0;
#pragma unroll
  for (int k = 0; k < Loads; ++k) sum += in[permuted(i + k * threads, bits)];
  out[i] = sum;
}

// Loads element `stride` * i; `in` has `stride` elements per thread.
template <class T>
__global__ void load_strided(T* out, const T* in, int stride) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i * static_cast<unsigned>(stride)];
}

template <class T>
__global__ void store_strided(T* out, const T* in, int stride) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i * static_cast<unsigned>(stride)] = in[i];
}

// Starts `offset` elements later, so that warps straddle sectors and lines.
__global__ void shifted(float* out, const float* in, int offset) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i + offset];
}

// Reads backwards, within each warp and overall.
__global__ void backwards(float* out, const float* in, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[n - 1 - i];
}

// The address of each load depends on the previous load; `in` holds zeros.
__global__ void chase(unsigned* out, const unsigned* in, int bits, int steps) {
  const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned at = thread;
  for (int s = 0; s < steps; ++s) at = permuted(at + in[at & ((1U << bits) - 1)], bits);
  out[thread] = at;
}

// The same with a fixed step of `stride` elements: only additions in between.
__global__ void chase_strided(unsigned* out, const unsigned* in, unsigned mask, unsigned stride,
                              int steps) {
  const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned at = thread & mask;
  for (int s = 0; s < steps; ++s) at = (at + stride + in[at]) & mask;
  out[thread] = at;
}
