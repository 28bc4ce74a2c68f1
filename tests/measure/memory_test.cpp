// SPDX-License-Identifier: Apache-2.0
// A launch with all counters and checks needs at most twice the memory of its buffers. The peak is
// measured in a child process, so that other tests do not count.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>

#include "common/compile/compiler.h"
#include "common/device/profile.h"
#include "common/measure/sim_bench.h"
#include "tests/sanitized.h"

namespace warpgrade::measure::memory_test {

constexpr std::int64_t kMebibyte = std::int64_t{1} << 20;
constexpr std::uint32_t kWidth = 4096;
constexpr std::int64_t kBufferBytes = std::int64_t{2} * 4 * kWidth * kWidth;
// Memory of the program itself, and everything else that does not grow with the buffers.
constexpr std::int64_t kRest = 64 * kMebibyte;

constexpr const char* kSource = R"(
extern "C" __global__ void rows(float* out, const float* in, int n) {
  __shared__ float tile[32][33];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  for (int k = 0; k < 32; k += 8) tile[threadIdx.y + k][threadIdx.x] = in[(y + k) * n + x];
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x, y = blockIdx.x * 32 + threadIdx.y;
  for (int k = 0; k < 32; k += 8) out[(y + k) * n + x] = tile[threadIdx.x][threadIdx.y + k];
}
extern "C" __global__ void columns(float* out, const float* in, int n) {
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  for (int k = 0; k < 32; k += 8) out[x * n + y + k] = in[(y + k) * n + x];
}
)";

void transpose(const compile::Program& program, const std::string& name, std::uint32_t threads) {
  std::vector<run::Buffer> buffers = {
      {"out", std::vector<std::byte>(kBufferBytes / 2), 4, false, false},
      {"in", std::vector<std::byte>(kBufferBytes / 2), 4, true, true},
  };
  run::Launch launch{name, {kWidth / 32, kWidth / 32, 1}, {32, 8, 1}, 0, {}};
  run::ValueArgument width(sizeof kWidth);
  std::memcpy(width.data(), &kWidth, sizeof kWidth);
  launch.arguments = {run::BufferArgument{0}, run::BufferArgument{1}, width};
  run::Options options;
  options.threads = threads;
  const auto measured = sim_bench(device::find("h200"))->measure(program, launch, buffers, options);
  if (!measured.result.diagnostics.empty()) _exit(1);
}

// The peak resident size in bytes of a process that only simulates the kernel `name`.
std::int64_t peak(const std::string& name, std::uint32_t threads) {
  compile::CompileRequest request;
  request.file = "k.cu";
  request.source = kSource;
  const auto program = std::get<compile::Program>(compile::compile(request));
  const auto child = fork();
  if (child == 0) {
    transpose(program, name, threads);
    _exit(0);
  }
  int status = 0;
  rusage usage{};
  EXPECT_EQ(child, wait4(child, &status, 0, &usage));
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
  return std::int64_t{usage.ru_maxrss} * 1024;
}

class Memory : public testing::TestWithParam<std::uint32_t> {
 protected:
  void SetUp() override {
    if (kIsSanitized) GTEST_SKIP() << "the address sanitizer takes memory of its own";
  }
};

TEST_P(Memory, StaysWithinTwiceTheBuffersWhereRowsAreWritten) {
  EXPECT_GE(2 * kBufferBytes + kRest, peak("rows", GetParam()));
}

TEST_P(Memory, StaysWithinTwiceTheBuffersWhereColumnsAreWritten) {
  EXPECT_GE(2 * kBufferBytes + kRest, peak("columns", GetParam()));
}

INSTANTIATE_TEST_SUITE_P(Threads, Memory, testing::Values(1, 2, 4));

}  // namespace warpgrade::measure::memory_test
