// SPDX-License-Identifier: Apache-2.0
#include "common/run/pattern.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <utility>

namespace warpgrade::run {

Pattern pattern_of(Buffer buffer, std::uint64_t bytes) {
  Pattern out;
  out.name = buffer.name;
  out.element_bytes = buffer.element_bytes;
  out.read_only = buffer.read_only;
  out.bytes = bytes;
  out.period = std::min<std::uint64_t>(buffer.bytes.size(), bytes);
  out.make = [content = std::make_shared<const std::vector<std::byte>>(std::move(buffer.bytes))](
                 std::uint64_t first, std::span<std::byte> to) {
    std::memcpy(to.data(), content->data() + first, to.size());
  };
  return out;
}

std::vector<Pattern> patterns_of(const std::vector<Buffer>& buffers) {
  std::vector<Pattern> out;
  for (const auto& buffer : buffers) out.push_back(pattern_of(buffer, buffer.bytes.size()));
  return out;
}

Buffer made(const Pattern& pattern) {
  Buffer out;
  out.name = pattern.name;
  out.element_bytes = pattern.element_bytes;
  out.read_only = pattern.read_only;
  out.defined = pattern.read_only;
  out.bytes.resize(pattern.bytes);
  auto& bytes = out.bytes;
  if (bytes.empty()) return out;
  pattern.make(0, std::span(bytes).first(pattern.period));
  for (auto done = pattern.period; done < bytes.size(); done *= 2) {
    std::memcpy(bytes.data() + done, bytes.data(), std::min(done, bytes.size() - done));
  }
  return out;
}

std::vector<Buffer> made(const std::vector<Pattern>& patterns) {
  std::vector<Buffer> out;
  for (const auto& pattern : patterns) out.push_back(made(pattern));
  return out;
}

}  // namespace warpgrade::run
