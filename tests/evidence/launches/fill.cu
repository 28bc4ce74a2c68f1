// SPDX-License-Identifier: Apache-2.0
// Fills a buffer on the card with what `in:TYPE:COUNT:random:SEED` or `iota` put there: the bits of
// common/verify/values.cpp and values.h. `start` derives from the seed and the stream.
#include <cuda_fp16.h>

using Word = unsigned long long;

__device__ Word mixed(Word start, Word index) {
  Word x = start + index * 0x9e3779b97f4a7c15ULL;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}

__device__ void put(float& to, Word bits) { to = static_cast<float>(bits >> 40) * 0x1p-24F; }
__device__ void put(double& to, Word bits) { to = static_cast<double>(bits >> 11) * 0x1p-53; }
__device__ void put(__half& to, Word bits) {
  to = __float2half_rn(static_cast<float>(bits >> 53) * 0x1p-11F);
}
template <class T>
__device__ void put(T& to, Word bits) {
  to = static_cast<T>(bits);
}

template <class T>
__global__ void random(T* to, Word start, Word count) {
  const Word threads = static_cast<Word>(gridDim.x) * blockDim.x;
  for (Word i = blockIdx.x * static_cast<Word>(blockDim.x) + threadIdx.x; i < count; i += threads) {
    put(to[i], mixed(start, i));
  }
}

template <class T>
__global__ void iota(T* to, Word count) {
  const Word threads = static_cast<Word>(gridDim.x) * blockDim.x;
  for (Word i = blockIdx.x * static_cast<Word>(blockDim.x) + threadIdx.x; i < count; i += threads) {
    to[i] = static_cast<T>(i);
  }
}
