// SPDX-License-Identifier: Apache-2.0
// Shared by the programs that time copies and transposes: buffers, samples between two events after
// an L2 flush, and checks of results on the GPU with a poisoned output.
#pragma once

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#define CHECK(call) check((call), #call, __FILE__, __LINE__)

inline void check(cudaError_t error, const char* call, const char* file, int line) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "%s:%d: %s: %s\n", file, line, call, cudaGetErrorName(error));
  std::exit(1);
}

// An input word: a hash of its index as a float in [1, 2). Doubles of two words are normal, too.
__device__ unsigned input_word(unsigned index) {
  index ^= index >> 16;
  index *= 0x7feb352dU;
  index ^= index >> 15;
  index *= 0x846ca68bU;
  index ^= index >> 16;
  return (index & 0x7fffff) | 0x3f800000;
}

static __global__ void fill(unsigned* words, size_t count) {
  const size_t threads = (size_t)gridDim.x * blockDim.x;
  for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < count; i += threads) {
    words[i] = input_word((unsigned)i);
  }
}

// Counts the words of `out` that differ from the copied or transposed input. `words` per element.
static __global__ void count_wrong(const unsigned* out, int side, int words, bool transposed,
                                   unsigned long long* wrong) {
  const size_t count = (size_t)side * side * words;
  const size_t threads = (size_t)gridDim.x * blockDim.x;
  for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < count; i += threads) {
    const size_t element = i / words, row = element / side, column = element % side;
    const size_t from = transposed ? (column * side + row) * words + i % words : i;
    if (out[i] != input_word((unsigned)from)) atomicAdd(wrong, 1ULL);
  }
}

constexpr size_t kBytes = (size_t)1 << 31;  // per buffer: 16384 x 16384 doubles
constexpr size_t kFlush = 256 << 20;
inline char *in, *out, *flush;
inline unsigned long long* wrong;
inline cudaEvent_t begin, end;

struct Kernel {
  std::string name;
  std::function<void()> launch;
  std::function<bool()> is_right;  // launches the kernel first
  std::vector<double> seconds;
};

inline double sample(const std::function<void()>& launch) {
  CHECK(cudaMemsetAsync(flush, 1, kFlush));
  CHECK(cudaEventRecord(begin));
  launch();
  CHECK(cudaEventRecord(end));
  CHECK(cudaEventSynchronize(end));
  CHECK(cudaGetLastError());
  float milliseconds = 0;
  CHECK(cudaEventElapsedTime(&milliseconds, begin, end));
  return milliseconds * 1e-3;
}

inline Kernel moving(const char* name, int side, int element, bool transposed,
                     std::function<void()> launch) {
  const auto is_right = [=] {
    CHECK(cudaMemset(out, 0xff, (size_t)side * side * element));
    CHECK(cudaMemset(wrong, 0, sizeof *wrong));
    launch();
    count_wrong<<<1024, 256>>>((const unsigned*)out, side, element / 4, transposed, wrong);
    unsigned long long found = 0;
    CHECK(cudaMemcpy(&found, wrong, sizeof found, cudaMemcpyDeviceToHost));
    return found == 0;
  };
  return {name, launch, is_right, {}};
}

inline Kernel driver_copy(int side, int element) {
  return moving("cudaMemcpy", side, element, false, [=] {
    CHECK(cudaMemcpyAsync(out, in, (size_t)side * side * element, cudaMemcpyDeviceToDevice));
  });
}

inline void set_up() {
  CHECK(cudaMalloc(&in, kBytes));
  CHECK(cudaMalloc(&out, kBytes));
  CHECK(cudaMalloc(&flush, kFlush));
  CHECK(cudaMalloc(&wrong, sizeof *wrong));
  CHECK(cudaEventCreate(&begin));
  CHECK(cudaEventCreate(&end));
  fill<<<1024, 256>>>((unsigned*)in, kBytes / 4);
  const Kernel warm_up = driver_copy(16384, 4);
  for (int i = 0; i < 500; ++i) sample(warm_up.launch);
}
