// SPDX-License-Identifier: Apache-2.0
#include "common/measure/copy_kernel.h"

#include <algorithm>
#include <cstring>

#include "common/compile/own_program.h"
#include "common/run/value_argument.h"

namespace warpgrade::measure {
namespace {

constexpr std::uint32_t kBlock = 256;
constexpr std::uint64_t kPiece = 16;
constexpr std::uint64_t kWord = 4;

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

void resize(CopyCase& copy, std::uint64_t bytes) {
  const std::uint64_t size = std::max((bytes + kWord - 1) / kWord, std::uint64_t{1}) * kWord;
  const std::uint64_t threads = size / kPiece + size % kPiece / kWord;
  copy.launch.kernel = kCopyKernel;
  copy.launch.grid.x = static_cast<std::uint32_t>((threads + kBlock - 1) / kBlock);
  copy.launch.block.x = kBlock;
  copy.launch.arguments = {run::BufferArgument{0}, run::BufferArgument{1},
                           run::value_argument(size)};
  copy.buffers.resize(2);
  copy.buffers[0].name = "out";
  copy.buffers[0].defined = false;
  copy.buffers[1].name = "in";
  copy.buffers[1].read_only = true;
  for (auto& buffer : copy.buffers) buffer.bytes.resize(size);
}

CopyCase copy_case(std::uint64_t bytes) {
  CopyCase made;
  resize(made, bytes);
  std::fill(made.buffers[0].bytes.begin(), made.buffers[0].bytes.end(), std::byte{0xff});
  // No two neighbouring words are equal, and no long runs of zeros: the copy moves real data. It
  // repeats itself after 1 MiB, so that it is quick to make and to send.
  constexpr std::uint64_t kPeriod = std::uint64_t{1} << 20;
  auto& in = made.buffers[1].bytes;
  const std::uint64_t size = in.size();
  std::uint32_t content = 0x9e3779b9U;
  for (std::uint64_t i = 0; i < std::min(size, kPeriod); i += kWord) {
    std::memcpy(in.data() + i, &content, kWord);
    content = content * 1664525U + 1013904223U;
  }
  for (std::uint64_t done = kPeriod; done < size; done *= 2) {
    std::memcpy(in.data() + done, in.data(), std::min(done, size - done));
  }
  return made;
}

}  // namespace warpgrade::measure
