// SPDX-License-Identifier: Apache-2.0
#include "common/probe/probe_kernels.h"

#include "common/compile/own_program.h"

namespace warpgrade::probe {

const char* const kProbeSource = R"(
#define PROBE(name) \
  extern "C" __global__ void name(unsigned* out, const unsigned* in, unsigned a, unsigned b, \
                                  unsigned c)

__device__ void leave(unsigned* out, long long begin, long long end, unsigned result) {
  if (blockIdx.x == 0 && threadIdx.x == 0) out[0] = static_cast<unsigned>(end - begin);
  if (result == 0x12345) out[1] = result;
}

// a operations, each on the result of the one before.
PROBE(chain) {
  float x = __uint_as_float(b);
  const float factor = x;
  const long long begin = clock64();
#pragma unroll 16
  for (unsigned i = 0; i < a; ++i) x = fmaf(x, factor, factor);
  const long long end = clock64();
  leave(out, begin, end, __float_as_uint(x));
}

// a operations of each thread, a multiple of 64, four chains of them at a time.
PROBE(issue) {
  const float factor = __uint_as_float(b);
  float x[4] = {factor, factor + 1, factor + 2, factor + 3};
  __syncthreads();
  const long long begin = clock64();
#pragma unroll 1
  for (unsigned i = 0; i < a; i += 64) {
#pragma unroll
    for (int k = 0; k < 64; ++k) x[k % 4] += factor;
  }
  __syncthreads();
  const long long end = clock64();
  leave(out, begin, end, __float_as_uint(x[0] + x[1] + x[2] + x[3]));
}

// Clocks in out[0], nanoseconds in out[1]: of a operations in a chain.
PROBE(clock_rate) {
  float x = __uint_as_float(b);
  const float factor = x;
  unsigned long long from, to;
  const long long begin = clock64();
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(from));
#pragma unroll 16
  for (unsigned i = 0; i < a; ++i) x = fmaf(x, factor, factor);
  if (__float_as_uint(x) == 0x12345) out[2] = 1;
  const long long end = clock64();
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(to));
  out[0] = static_cast<unsigned>(end - begin);
  out[1] = static_cast<unsigned>(to - from);
}

// a loads of a word of shared memory that holds its own address.
PROBE(shared_chain) {
  __shared__ unsigned word;
  const unsigned own = static_cast<unsigned>(__cvta_generic_to_shared(&word));
  word = own;
  __syncthreads();
  unsigned at = own;
  const long long begin = clock64();
#pragma unroll 8
  for (unsigned i = 0; i < a; ++i) asm volatile("ld.shared.u32 %0, [%0];" : "+r"(at));
  const long long end = clock64();
  leave(out, begin, end, at);
}

// a barriers.
PROBE(barriers) {
  __syncthreads();
  const long long begin = clock64();
#pragma unroll 8
  for (unsigned i = 0; i < a; ++i) __syncthreads();
  const long long end = clock64();
  leave(out, begin, end, 0);
}

// c words of `in` are loaded into L2; then one thread loads a of b + 1 words, each in another line.
PROBE(load_chain) {
  unsigned sum = 0;
  for (unsigned i = threadIdx.x; i < c; i += blockDim.x) sum += __ldcg(in + i);
  __syncthreads();
  if (threadIdx.x != 0) return;
  const unsigned mask = b;
  unsigned at = sum;
  const long long begin = clock64();
  for (unsigned i = 0; i < a; ++i) at += 37u * 2081u * 32u + __ldcg(in + (at & mask));
  const long long end = clock64();
  leave(out, begin, end, at);
}

// Each warp copies a lines of its own within b + 1 words, one after the other.
PROBE(warp_copies) {
  const unsigned step = gridDim.x * blockDim.x;
  unsigned at = blockIdx.x * blockDim.x + threadIdx.x;
  for (unsigned i = 0; i < a; ++i) {
    const unsigned loaded = __ldcg(in + (at & b));
    out[at & b] = loaded;
    at += step + loaded;
  }
}

// The first word of a lane. Each line holds c lanes, and a warp's lines are neighbours.
__device__ unsigned first_word(unsigned c) {
  const unsigned warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  const unsigned lane = threadIdx.x % 32;
  return warp * 977u * 32u * 32u + lane / c * 32u + lane % c;
}
constexpr unsigned kStep = 32u * 1024u + 32u;  // Words from one request of a warp to the next.

// a requests of a warp to b + 1 words in L2, with c lanes on a line.
PROBE(lines_load) {
  unsigned at = first_word(c), sum = 0;
#pragma unroll 8
  for (unsigned i = 0; i < a; ++i, at += kStep) sum += __ldcg(in + (at & b));
  if (sum == 0x12345) out[0] = sum;
}

PROBE(lines_store) {
  unsigned at = first_word(c);
#pragma unroll 8
  for (unsigned i = 0; i < a; ++i, at += kStep) out[at & b] = i;
}

PROBE(lines_reduce) {
  unsigned at = first_word(c);
#pragma unroll 8
  for (unsigned i = 0; i < a; ++i, at += kStep) atomicAdd(out + (at & b), threadIdx.x % 32);
}

// a pieces of 16 bytes of each thread within b + 1 of them.
PROBE(stream_load) {
  const unsigned threads = gridDim.x * blockDim.x;
  unsigned at = blockIdx.x * blockDim.x + threadIdx.x, sum = 0;
#pragma unroll 8
  for (unsigned i = 0; i < a; ++i, at += threads) {
    const uint4 v = __ldcg(reinterpret_cast<const uint4*>(in) + (at & b));
    sum += v.x + v.y + v.z + v.w;
  }
  if (sum == 0x12345) out[0] = sum;
}

PROBE(stream_store) {
  const unsigned threads = gridDim.x * blockDim.x;
  unsigned at = blockIdx.x * blockDim.x + threadIdx.x;
#pragma unroll 8
  for (unsigned i = 0; i < a; ++i, at += threads) {
    reinterpret_cast<uint4*>(out)[at & b] = make_uint4(i, i, i, i);
  }
}

// One word in every b, of a words.
PROBE(gaps) {
  const unsigned threads = gridDim.x * blockDim.x;
  unsigned sum = 0;
#pragma unroll 4
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < a / b; i += threads) {
    sum += __ldcg(in + static_cast<unsigned long long>(i) * b);
  }
  if (sum == 0x12345) out[0] = sum;
}

// a words are loaded twice; the clocks are those of the second time.
PROBE(l1_twice) {
  unsigned sum = 0;
  long long begin = 0;
  for (int round = 0; round < 2; ++round) {
    __syncthreads();
    begin = clock64();
    for (unsigned i = threadIdx.x; i < a; i += blockDim.x) {
      unsigned v;
      asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(v) : "l"(in + i + sum));
      sum += v;
    }
    __syncthreads();
  }
  const long long end = clock64();
  leave(out, begin, end, sum);
}

// a requests of each warp, which hit L1: the lanes are on b lines, each at another bank of data.
// The lines lie side by side, or where c is not 0, they are 0, 1, 4, 5, 16, 17, 20 and 21.
PROBE(l1_lines) {
  const unsigned k = threadIdx.x % b;
  const unsigned line = c == 0 ? k : (k & 1) | (k & 2) << 1 | (k & 4) << 2;
  const unsigned* at = in + line * 32u + k % 32u;
  unsigned sum = 0;
  asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(sum) : "l"(at));
  at += sum;
  __syncthreads();
  const long long begin = clock64();
  for (unsigned i = 0; i < a; ++i) {
    asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(sum) : "l"(at));
    at += sum;
  }
  __syncthreads();
  const long long end = clock64();
  leave(out, begin, end, sum);
}

// a loads of shared memory, the lanes b words apart.
PROBE(shared_strides) {
  __shared__ unsigned words[2048];
  for (unsigned i = threadIdx.x; i < 2048; i += blockDim.x) words[i] = 0;
  unsigned at = static_cast<unsigned>(
      __cvta_generic_to_shared(words + threadIdx.x % 32 * b % 2048));
  unsigned sum = 0;
  __syncthreads();
  const long long begin = clock64();
  for (unsigned i = 0; i < a; ++i) {
    asm volatile("ld.shared.u32 %0, [%1];" : "=r"(sum) : "r"(at));
    at += sum;
  }
  __syncthreads();
  const long long end = clock64();
  leave(out, begin, end, sum);
}

PROBE(nothing) {}
)";

const compile::Program& probe_program(const std::string& architecture) {
  return compile::own_program("the probes of a card", "probes.cu", kProbeSource, architecture);
}

}  // namespace warpgrade::probe
