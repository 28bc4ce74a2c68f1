// SPDX-License-Identifier: Apache-2.0
#include "common/gpu/fingerprint.h"

#include <random>

#include "common/compile/own_program.h"

namespace warpgrade::gpu {

const char* const kFingerprintSource = R"(
using u64 = unsigned long long;

// The finalizer of SplitMix64 (Steele, Lea, Flood 2014): each bit of x reaches each of the result.
// The steps below are 2^64 divided by the golden ratio, and another odd number.
__device__ u64 mixed(u64 x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}

extern "C" __global__ void fingerprint(u64* sums, const unsigned char* data, u64 bytes,
                                       u64 key_low, u64 key_high) {
  const u64 step = (u64)gridDim.x * blockDim.x;
  const u64 words = (bytes + 7) / 8;
  u64 low = 0;
  u64 high = 0;
  for (u64 i = (u64)blockIdx.x * blockDim.x + threadIdx.x; i < words; i += step) {
    u64 word = 0;
    if (8 * i + 8 <= bytes) {
      word = ((const u64*)data)[i];
    } else {
      for (u64 b = 8 * i; b < bytes; ++b) word |= (u64)data[b] << 8 * (b - 8 * i);
    }
    low += mixed(word ^ (i * 0x9e3779b97f4a7c15ULL + key_low));
    high += mixed(~word + (i * 0xd1342543de82ef95ULL ^ key_high));
  }
  for (int lanes = 16; lanes > 0; lanes /= 2) {
    low += __shfl_down_sync(0xffffffffU, low, lanes);
    high += __shfl_down_sync(0xffffffffU, high, lanes);
  }
  if (threadIdx.x % 32 == 0) {
    atomicAdd(sums, low);
    atomicAdd(sums + 1, high);
  }
}

extern "C" __global__ void beyond(u64* count, const unsigned char* got, const unsigned char* right,
                                  u64 elements, u64 bytes, u64 ulps, double difference) {
  const u64 sign = 1ULL << (8 * bytes - 1);
  const u64 infinity = bytes == 4 ? 0x7f800000ULL : 0x7ff0000000000000ULL;
  u64 found = 0;
  for (u64 i = (u64)blockIdx.x * blockDim.x + threadIdx.x; i < elements;
       i += (u64)gridDim.x * blockDim.x) {
    const u64 x = bytes == 4 ? ((const unsigned*)got)[i] : ((const u64*)got)[i];
    const u64 y = bytes == 4 ? ((const unsigned*)right)[i] : ((const u64*)right)[i];
    const u64 a = x & (sign - 1);
    const u64 b = y & (sign - 1);
    const u64 steps = (x ^ y) & sign ? a + b : a > b ? a - b : b - a;
    const bool is_finite = a < infinity && b < infinity;
    const double apart = bytes == 4 ? (double)__uint_as_float(x) - __uint_as_float(y)
                                    : __longlong_as_double(x) - __longlong_as_double(y);
    found += is_finite ? steps > ulps && fabs(apart) > difference : x != y || a > infinity;
  }
  if (found != 0) atomicAdd(count, found);
}

extern "C" __global__ void overwrite_shared(u64 bytes) {
  extern __shared__ u64 words[];
  volatile u64* each = words;
  for (u64 i = threadIdx.x; i < bytes / 8; i += blockDim.x) each[i] = 0xa5a5a5a5a5a5a5a5ULL;
}
)";

FingerprintKey random_key() {
  std::random_device source;
  const auto word = [&] { return std::uint64_t{source()} << 32 | source(); };
  return {word(), word()};
}

const compile::Program& fingerprint_program(const std::string& architecture) {
  return compile::own_program("the fingerprint kernel", "fingerprint.cu", kFingerprintSource,
                              architecture);
}

}  // namespace warpgrade::gpu
