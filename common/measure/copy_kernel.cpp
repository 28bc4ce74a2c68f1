// SPDX-License-Identifier: Apache-2.0
#include "common/measure/copy_kernel.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "common/compile/own_program.h"
#include "common/run/value_argument.h"

namespace warpgrade::measure {
namespace {

constexpr std::uint32_t kBlock = 256;
constexpr std::uint64_t kPiece = 16;
constexpr std::uint64_t kWord = 4;
constexpr std::uint64_t kCopyPeriod = std::uint64_t{1} << 20;  // bytes; "in" repeats after them

}  // namespace

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

}  // namespace warpgrade::measure
