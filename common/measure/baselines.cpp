// SPDX-License-Identifier: Apache-2.0
// The baselines of timed cases: kernels that copy, and that multiply and add, as fast as
// possible, on the cores for floats or on tensor cores.
//
// Their times are the roof of a launch. The device needs at least the time of the copy baseline
// for its bytes, and that of the peak baseline for its operations.
#include "common/measure/baselines.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "common/compile/compiler.h"
#include "common/compile/program.h"
#include "common/device/profile.h"
#include "common/run/launch.h"
#include "common/timing/arithmetic.h"

namespace warpgrade::measure {
namespace {

constexpr std::uint32_t kBlock = 256;
constexpr std::uint64_t kPiece = 16;
constexpr std::uint64_t kWord = 4;
constexpr std::uint64_t kCopyPeriod = std::uint64_t{1} << 20;  // bytes; "in" repeats after them

}  // namespace

/// The kernel's source, CUDA C++: copy_baseline(out, in, bytes).
const char* const kCopySource = R"(
extern "C" __global__ void copy_baseline(unsigned* out, const unsigned* in,
                                         unsigned long long bytes) {
  const unsigned long long piece = (unsigned long long)blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned long long pieces = bytes / 16;
  if (piece < pieces) {
    ((uint4*)out)[piece] = ((const uint4*)in)[piece];
    return;
  }
  const unsigned long long word = pieces * 4 + (piece - pieces);
  if (word < bytes / 4) out[word] = in[word];
}
)";

const compile::Program& copy_program(const std::string& architecture) {
  return compile::own_program("the copy baseline", "copy_baseline.cu", kCopySource, architecture);
}

std::uint64_t copied_bytes(std::uint64_t bytes) {
  return std::max((bytes + kWord - 1) / kWord, std::uint64_t{1}) * kWord;
}

run::Launch copy_launch(std::uint64_t bytes) {
  const auto size = copied_bytes(bytes);
  const std::uint64_t threads = size / kPiece + size % kPiece / kWord;
  run::Launch launch;
  launch.kernel = kCopyKernel;
  launch.grid.x = static_cast<std::uint32_t>((threads + kBlock - 1) / kBlock);
  launch.block.x = kBlock;
  launch.arguments = {run::BufferArgument{0}, run::BufferArgument{1}, run::value_argument(size)};
  return launch;
}

std::vector<run::Pattern> copy_patterns(std::uint64_t bytes) {
  const auto period = copied_bytes(std::min(bytes, kCopyPeriod));
  std::vector<run::Buffer> piece(2);
  piece[0] = {.name = "out", .bytes = {}, .defined = false};
  piece[1] = {.name = "in", .bytes = {}, .read_only = true};
  piece[0].bytes.assign(period, std::byte{0xff});
  piece[1].bytes.resize(period);
  // Neighbouring words differ, without long runs of zeros, so the copy moves real data. The
  // pattern repeats, so it is quick to make.
  std::uint32_t content = 0x9e3779b9U;
  for (std::uint64_t i = 0; i < piece[1].bytes.size(); i += kWord) {
    std::memcpy(piece[1].bytes.data() + i, &content, kWord);
    content = content * 1664525U + 1013904223U;
  }
  std::vector<run::Pattern> out;
  for (auto& buffer : piece) {
    out.push_back(run::pattern_of(std::move(buffer), copied_bytes(bytes)));
  }
  return out;
}

CopyCase copy_case(std::uint64_t bytes) {
  return {copy_launch(bytes), run::made(copy_patterns(bytes))};
}

namespace {

constexpr std::uint32_t kPeakBlock = 256;
constexpr std::uint32_t kBlocksPerMultiprocessor = 4;
// Values converge to summand / (1 - factor).
constexpr float kFactor = 0.5F;
constexpr float kSummand = 1.0F;

}  // namespace

/// The kernel's source, CUDA C++: peak_baseline(out, factor, summand, rounds).
const char* const kPeakSource = R"(
extern "C" __global__ void peak_baseline(float* out, float factor, float summand,
                                         unsigned rounds) {
  float chain[8];
#pragma unroll
  for (int i = 0; i < 8; ++i) chain[i] = 1.0f + 0.0625f * i;
#pragma unroll 1
  for (unsigned round = 0; round < rounds; ++round) {
#pragma unroll
    for (int step = 0; step < 32; ++step) {
#pragma unroll
      for (int i = 0; i < 8; ++i) chain[i] = fmaf(chain[i], factor, summand);
    }
  }
  float sum = 0;
#pragma unroll
  for (int i = 0; i < 8; ++i) sum += chain[i];
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
)";

/// The same on tensor cores. 0x2000 is the half 1/128.
const char* const kTensorPeakSource = R"(
extern "C" __global__ void peak_baseline(float* out, float factor, float summand,
                                         unsigned rounds) {
  const unsigned pair = 0x20002000;
  float chain[2][8];
#pragma unroll
  for (int i = 0; i < 16; ++i) chain[i / 8][i % 8] = 0;
#pragma unroll 1
  for (unsigned round = 0; round < rounds; ++round) {
#pragma unroll
    for (int step = 0; step < 32; ++step) {
      float* sum = chain[step % 2];
      asm volatile("wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32 {%0,%1,%2,%3,%4,%5,%6,%7}, "
                   "{%8,%8,%8,%8,%8,%8,%8,%8}, {%8,%8,%8,%8,%8,%8,%8,%8}, "
                   "{%0,%1,%2,%3,%4,%5,%6,%7};"
                   : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3]), "+f"(sum[4]),
                     "+f"(sum[5]), "+f"(sum[6]), "+f"(sum[7])
                   : "r"(pair));
    }
  }
  float sum = 0;
#pragma unroll
  for (int i = 0; i < 16; ++i) sum += chain[i / 8][i % 8];
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
)";

namespace {

struct PeakKernel {
  const char* name;
  const char* file;
  const char* source;
  double operations_per_round;  // Each thread does so many per round of the loop.
};

// 32 steps of 8 chains, two operations each.
const PeakKernel kPeak = {"the peak baseline", "peak_baseline.cu", kPeakSource, 32 * 8 * 2};
// 16 steps of 2 chains, 16 x 16 x 16 multiply-adds of a warp each.
const PeakKernel kTensorPeak = {"the peak baseline of tensor cores", "tensor_peak_baseline.cu",
                                kTensorPeakSource, 16 * 2 * (16.0 * 16 * 16 * 2 / run::kWarpSize)};

const PeakKernel& peak_kernel(timing::ArithmeticKind kind) {
  return kind == timing::ArithmeticKind::kTensorF16 ? kTensorPeak : kPeak;
}

}  // namespace

const compile::Program& peak_program(const std::string& architecture, timing::ArithmeticKind kind) {
  const auto& kernel = peak_kernel(kind);
  return compile::own_program(kernel.name, kernel.file, kernel.source, architecture);
}

PeakCase peak_case(double operations, timing::ArithmeticKind kind, std::uint32_t sm_count,
                   std::uint32_t least_rounds) {
  PeakCase out;
  out.launch.kernel = kPeakKernel;
  out.launch.grid.x = kBlocksPerMultiprocessor * std::max(sm_count, 1U);
  out.launch.block.x = kPeakBlock;
  const auto threads = std::uint64_t{out.launch.grid.x} * kPeakBlock;
  const double per_round = peak_kernel(kind).operations_per_round * static_cast<double>(threads);
  constexpr double kMostRounds = std::numeric_limits<std::uint32_t>::max();
  const auto rounds = static_cast<std::uint32_t>(
      std::clamp(std::ceil(operations / per_round), 1.0 * std::max(least_rounds, 1U), kMostRounds));
  out.operations = per_round * rounds;
  out.launch.arguments = {run::BufferArgument{0}, run::value_argument(kFactor),
                          run::value_argument(kSummand), run::value_argument(rounds)};
  const auto bytes = threads * sizeof(float);
  run::Buffer piece{.name = "out", .bytes = {}, .defined = false};
  piece.bytes.assign(bytes, std::byte{0xff});
  out.patterns.push_back(run::pattern_of(std::move(piece), bytes));
  return out;
}

}  // namespace warpgrade::measure
