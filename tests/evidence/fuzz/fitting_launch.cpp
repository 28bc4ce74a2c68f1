// SPDX-License-Identifier: Apache-2.0
#include "tests/evidence/fuzz/fitting_launch.h"

#include <fmt/format.h>

#include <algorithm>

namespace warpgrade::fuzz {

run::Launch fitting_launch(const ptx::Function& kernel, std::vector<run::Buffer>& buffers) {
  constexpr std::size_t kMostBuffers = 4;
  constexpr std::size_t kBufferBytes = 512;
  constexpr std::uint64_t kMostValueBytes = 1 << 16;
  run::Launch launch;
  launch.kernel = kernel.name;
  launch.grid.x = 2;
  launch.block.x = 48;
  launch.dynamic_shared_bytes = 512;
  for (const auto& parameter : kernel.parameters) {
    if (parameter.bytes == 8 && buffers.size() < kMostBuffers) {
      launch.arguments.emplace_back(run::BufferArgument{buffers.size()});
      run::Buffer buffer;
      buffer.name = fmt::format("b{}", buffers.size());
      buffer.bytes.resize(kBufferBytes);
      buffer.read_only = buffers.size() == 1;
      buffers.push_back(std::move(buffer));
    } else {
      const auto bytes = std::min(parameter.bytes, kMostValueBytes);
      launch.arguments.emplace_back(run::ValueArgument(bytes));
    }
  }
  return launch;
}

}  // namespace warpgrade::fuzz
