// SPDX-License-Identifier: Apache-2.0
#include "common/measure/peak_kernel.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "common/compile/own_program.h"
#include "common/run/value_argument.h"

namespace warpgrade::measure {
namespace {

constexpr std::uint32_t kPeakBlock = 256;
constexpr std::uint32_t kBlocksPerMultiprocessor = 4;
// Operations of a thread in one round of the kernel's loop: 32 steps of 8 chains, two each.
constexpr double kOperationsPerRound = 32 * 8 * 2;
// Values converge to summand / (1 - factor).
constexpr float kFactor = 0.5F;
constexpr float kSummand = 1.0F;

}  // namespace

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

const compile::Program& peak_program(const std::string& architecture) {
  return compile::own_program("the peak baseline", "peak_baseline.cu", kPeakSource, architecture);
}

PeakCase peak_case(double operations, std::uint32_t sm_count, std::uint32_t least_rounds) {
  PeakCase out;
  out.launch.kernel = kPeakKernel;
  out.launch.grid.x = kBlocksPerMultiprocessor * std::max(sm_count, 1U);
  out.launch.block.x = kPeakBlock;
  const auto threads = std::uint64_t{out.launch.grid.x} * kPeakBlock;
  const double per_round = kOperationsPerRound * static_cast<double>(threads);
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
