// SPDX-License-Identifier: Apache-2.0
// Runs every calibration kernel on a GPU and prints a hash of its output as CSV. This is golden
// data for the simulator, which must produce the same bits.
//
// Build on a machine with a GPU, with the folder of kernels.cu on the include path:
//   nvcc -O3 -arch=sm_90 -std=c++17 -I FOLDER_OF_KERNELS -o golden golden.cu && ./golden >
//   outputs.csv
// Each row contains everything needed to repeat the launch: grid, block, dynamic shared memory in
// bytes, the last argument, and both buffer sizes in 32-bit words. Inputs are value(i) of fill.h;
// outputs start as zeros. The program fails if two runs of one kernel differ.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "fill.h"
#include "kernels.cu"

#define CHECK(call) check((call), #call, __LINE__)

static void check(cudaError_t error, const char* call, int line) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "golden.cu:%d: %s: %s\n", line, call, cudaGetErrorName(error));
  std::exit(1);
}

struct Case {
  std::string kernel;
  const void* function;
  int argument;
  dim3 grid;
  dim3 block;
  unsigned shared;
  std::size_t in_words;
  std::size_t out_words;
};

static std::vector<std::uint32_t> run(const Case& c, float* out, float* in) {
  CHECK(cudaMemset(out, 0, c.out_words * 4));
  int argument = c.argument;
  void* arguments[] = {&out, &in, &argument};
  CHECK(cudaLaunchKernel(c.function, c.grid, c.block, arguments, c.shared, nullptr));
  CHECK(cudaDeviceSynchronize());
  std::vector<std::uint32_t> words(c.out_words);
  CHECK(cudaMemcpy(words.data(), out, c.out_words * 4, cudaMemcpyDeviceToHost));
  return words;
}

static std::vector<Case> cases() {
  const std::size_t n = 1024;
  std::vector<Case> all;
  const auto matrix = [&](const char* name, const void* f) {
    all.push_back({name, f, 1024, dim3(32, 32), dim3(32, 8), 0, n * n, n * n});
  };
#define MATRIX(name) matrix(#name, reinterpret_cast<const void*>(&name))
  MATRIX(copy_scalar);
  MATRIX(copy_shared);
  MATRIX(transpose_naive_read);
  MATRIX(transpose_naive_write);
  MATRIX(transpose_conflict);
  MATRIX(transpose_padded);
  MATRIX(transpose_diagonal);
  MATRIX(transpose_fine);
  MATRIX(transpose_coarse);
  all.push_back({"copy_vec4", reinterpret_cast<const void*>(&copy_vec4), 1024 * 1024 / 4, dim3(256),
                 dim3(256), 0, n * n, n * n});

  const auto reduction = [&](const char* name, const void* f, unsigned elements_a_block) {
    for (const unsigned count : {1048576U, 1000003U}) {
      const unsigned blocks =
          elements_a_block == 0 ? 528 : (count + elements_a_block - 1) / elements_a_block;
      all.push_back(
          {name, f, static_cast<int>(count), dim3(blocks), dim3(512), 2048, count, blocks});
    }
  };
#define REDUCTION(name, elements) reduction(#name, reinterpret_cast<const void*>(&name), elements)
  REDUCTION(reduce1, 512);
  REDUCTION(reduce2, 512);
  REDUCTION(reduce3, 512);
  REDUCTION(reduce4, 1024);
  REDUCTION(reduce5, 1024);
  REDUCTION(reduce6, 1024);
  REDUCTION(reduce7, 0);  // 528 blocks walk the whole input.

  const std::size_t threads = 64 * 256;
  for (int stride = 1; stride <= 32; ++stride) {
    const std::size_t s = static_cast<std::size_t>(stride);
    const auto probe = [&](const char* name, const void* f, std::size_t in, std::size_t out) {
      all.push_back({name, f, stride, dim3(64), dim3(256), 0, in, out});
    };
#define PROBE(name, in, out) probe(#name, reinterpret_cast<const void*>(&name), in, out)
    PROBE(probe_gstride, threads * s, threads);
    PROBE(probe_goffset, threads + s, threads + s);
    PROBE(probe_sstride, 256 * 33, threads);
    PROBE(probe_s64, 256 * 16 * 2, threads * 2);
    PROBE(probe_s128, 256 * 8 * 4, threads * 4);
    PROBE(probe_g64, threads * s * 2, threads * 2);
  }
  return all;
}

int main() {
  std::printf(
      "kernel,arg,grid_x,grid_y,block_x,block_y,dynamic_shared,in_words,out_words,"
      "fnv1a64,word0,word1,word2,word3\n");
  const auto all = cases();
  std::size_t largest = 0;
  for (const Case& c : all) largest = std::max({largest, c.in_words, c.out_words});
  std::vector<float> input(largest);
  for (std::size_t i = 0; i < largest; ++i) {
    input[i] = warpgrade::golden::value(static_cast<std::uint32_t>(i));
  }
  float* in = nullptr;
  float* out = nullptr;
  CHECK(cudaMalloc(&in, largest * 4));
  CHECK(cudaMalloc(&out, largest * 4));
  CHECK(cudaMemcpy(in, input.data(), largest * 4, cudaMemcpyHostToDevice));
  for (const Case& c : all) {
    const auto words = run(c, out, in);
    if (run(c, out, in) != words) {
      std::fprintf(stderr, "golden.cu: two runs of %s differ\n", c.kernel.c_str());
      return 1;
    }
    std::printf(
        "%s,%d,%u,%u,%u,%u,%u,%zu,%zu,%016llx,%08x,%08x,%08x,%08x\n", c.kernel.c_str(), c.argument,
        c.grid.x, c.grid.y, c.block.x, c.block.y, c.shared, c.in_words, c.out_words,
        static_cast<unsigned long long>(warpgrade::golden::fnv1a64(words.data(), words.size() * 4)),
        words[0], words[1], words[2], words[3]);
  }
  return 0;
}
