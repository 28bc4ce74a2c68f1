// SPDX-License-Identifier: Apache-2.0
// Branches, memory and the language.

//--- device_variables
// Initialized __device__ variables: an array, a pointer into it; and a counter.
// launch: grid 4 block 256

__device__ int table[8] = {3, 1, 4, 1, 5, 9, 2, 6};
__device__ int* pointer = &table[2];
__device__ unsigned counter;
__constant__ short small[4] = {-1, 2, -3, 4};
extern "C" __global__ void kernel(unsigned* out, const unsigned* in) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(&counter, 1U);
  out[i] = in[i] + static_cast<unsigned>(table[i % 8] * pointer[i % 6] + small[in[i] % 4]);
}

//--- malloc_edges
// Edge cases of the device heap: zero bytes, too many bytes, memory freed and allocated again,
// alignment, and two allocations that must not overlap.
// launch: grid 1 block 1

#include <cstdint>
#include <cstdlib>

extern "C" __global__ void kernel(unsigned* out, const unsigned* in) {
  void* nothing = malloc(0);
  out[0] = nothing != nullptr;
  free(nothing);
  free(nullptr);
  out[1] = malloc(size_t(1) << 40) != nullptr;
  out[2] = malloc(size_t(8) << 20) != nullptr;  // the whole of the default heap
  for (int round = 0; round < 100; ++round) {
    void* piece = malloc(1 << 20);
    out[3] += piece != nullptr;
    out[4] |= static_cast<unsigned>(reinterpret_cast<uintptr_t>(piece) & 15);
    free(piece);
  }
  unsigned* first = static_cast<unsigned*>(malloc(100));
  unsigned* second = static_cast<unsigned*>(malloc(100));
  for (int i = 0; i < 25; ++i) {
    first[i] = in[i];
    second[i] = ~in[i];
  }
  unsigned sum = 0;
  for (int i = 0; i < 25; ++i) sum = sum * 31 + first[i] + 7 * second[i];
  out[5] = sum;
  free(second);
  free(first);
}

//--- print_results
// printf returns the number of conversions in its format, whatever the arguments.
// launch: grid 1 block 1

#include <cstdio>

extern "C" __global__ void kernel(int* out, const unsigned* in) {
  out[0] = printf("");
  out[1] = printf("no argument\n");
  out[2] = printf("%d\n", 1);
  out[3] = printf("%d %f %s %c %%\n", 1, 2.5, "three", '4');
  out[4] = printf("%d\n", 1, 2, 3);
  out[5] = printf("%d %d\n", 1);
  out[6] = printf("%llu %p %x\n", 1ULL, (void*)0, in[0]);
  out[7] = printf("%5.2f|%-8d|%+d|%08x\n", 1.0, 2, 3, 4);
}

//--- switch_table
// A dense switch: a jump table, with divergence in its cases.
// launch: grid 4 block 256

extern "C" __global__ void kernel(unsigned* out, const unsigned* in) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned x = in[i];
  for (int k = 0; k < 10; ++k) {
    switch (x % 9) {
      case 0:
        x = x * 3 + 1;
        break;
      case 1:
        x ^= x >> 5;
        break;
      case 2:
        x += 0x9e3779b9;
        break;
      case 3:
        x = __brev(x);
        break;
      case 4:
        x = ~x;
        break;
      case 5:
        x -= in[x & 1023];
        break;
      case 6:
        x = x << 7 | x >> 25;
        break;
      case 7:
        if (x & 1) {
          x = 7 * x;
          break;
        }
        x /= 3;
      default:
        x += 11;
    }
  }
  out[i] = x;
}

//--- template_kernel
// A template instance and a lambda passed to a device function.
// launch: grid 4 block 256

template <typename T, int kCount, typename F>
__device__ T fold(const T* values, F f) {
  T result = values[0];
#pragma unroll
  for (int i = 1; i < kCount; ++i) result = f(result, values[i]);
  return result;
}
extern "C" __global__ void kernel(unsigned* out, const unsigned* in) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = fold<unsigned, 7>(in + i, [=](unsigned a, unsigned b) { return a * 5 + (b ^ i); });
}

//--- unions_and_structs
// A union, a struct of mixed sizes in local memory, a pointer chosen at run time.
// launch: grid 4 block 256

union Word {
  unsigned u;
  float f;
  unsigned char b[4];
};
struct Record {
  double weight;
  short count;
  char tag;
  float values[3];
};
extern "C" __global__ void kernel(unsigned* out, const unsigned* in) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  Word w;
  w.u = in[i];
  unsigned r = w.b[in[i] & 3];
  Record records[4];
  for (int k = 0; k < 4; ++k) {
    records[k].weight = static_cast<double>(in[i + k]) * 0.25;
    records[k].count = static_cast<short>(in[i + k] >> 7);
    records[k].tag = static_cast<char>(k);
    for (int j = 0; j < 3; ++j) records[k].values[j] = static_cast<float>(in[i + j] & 0xff);
  }
  const Record& chosen = records[in[i] >> 30];
  r += static_cast<unsigned>(chosen.weight) + static_cast<unsigned>(chosen.count) +
       static_cast<unsigned>(chosen.tag) + static_cast<unsigned>(chosen.values[in[i] % 3]);
  out[i] = r;
}

//--- vector_accesses
// Loads and stores of 8 and 16 bytes, read-only loads, cache hints.
// launch: grid 4 block 256

extern "C" __global__ void kernel(unsigned* out, const unsigned* in) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= 256) return;
  const uint4 a = reinterpret_cast<const uint4*>(in)[i];
  const double2 b = __ldg(reinterpret_cast<const double2*>(in) + i);
  const uint2 c = __ldcg(reinterpret_cast<const uint2*>(in) + i);
  const unsigned d = __ldcs(in + i) + __ldlu(in + i + 1) + __ldcv(in + i + 2);
  uint4 r;
  r.x = a.x + c.y;
  r.y = a.y ^ static_cast<unsigned>(__double_as_longlong(b.x));
  r.z = a.z - d;
  r.w = a.w + static_cast<unsigned>(__double_as_longlong(b.y) >> 32);
  __stcs(reinterpret_cast<uint4*>(out) + i, r);
}
