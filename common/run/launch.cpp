// SPDX-License-Identifier: Apache-2.0
// The parts of a launch that need bytes: its arguments, and the initial content of its buffers.
//
// Arguments get the addresses of buffers. Content is made in pieces on demand, so that a launch
// with gigabytes needs no host memory for it.
#include "common/run/launch.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "common/base/error.h"
#include "common/base/place.h"
#include "common/device/profile.h"

namespace warpgrade::run {
namespace {

constexpr std::size_t kPointerBytes = 8;

void put_address(const PointerField& field, const std::vector<std::uint64_t>& addresses,
                 ValueArgument& bytes) {
  if (field.buffer >= addresses.size()) {
    throw base::UsageError(fmt::format("an argument names buffer {}, but the launch has {}",
                                       field.buffer, addresses.size()));
  }
  if (bytes.size() < kPointerBytes || field.offset > bytes.size() - kPointerBytes) {
    throw base::UsageError(fmt::format("an address at byte {} does not fit into a struct of {}",
                                       field.offset, bytes.size()));
  }
  std::memcpy(bytes.data() + field.offset, &addresses[field.buffer], kPointerBytes);
}

}  // namespace

ValueArgument bytes_of(const Argument& argument, const std::vector<std::uint64_t>& addresses) {
  if (const auto* value = std::get_if<ValueArgument>(&argument)) return *value;
  if (const auto* buffer = std::get_if<BufferArgument>(&argument)) {
    ValueArgument out(kPointerBytes);
    put_address({0, buffer->index}, addresses, out);
    return out;
  }
  const auto& structure = std::get<StructArgument>(argument);
  auto out = structure.bytes;
  for (const auto& field : structure.pointers) put_address(field, addresses, out);
  return out;
}

namespace {

// Fits in the L1 cache; a multiple of every element size.
constexpr std::uint64_t kPiece = 8192;

}  // namespace

Pattern pattern_of(Buffer buffer, std::uint64_t bytes) {
  Pattern out;
  out.name = buffer.name;
  out.element_bytes = buffer.element_bytes;
  out.read_only = buffer.read_only;
  out.defined = buffer.defined;
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

std::uint64_t least_traffic(const std::vector<Pattern>& patterns) {
  std::uint64_t sum = 0;
  for (const auto& pattern : patterns) {
    const bool is_written = !pattern.read_only && pattern.is_compared;
    sum += pattern.bytes * ((pattern.defined ? 1 : 0) + (is_written ? 1 : 0));
  }
  return sum;
}

Buffer made(const Pattern& pattern) {
  Buffer out;
  out.name = pattern.name;
  out.element_bytes = pattern.element_bytes;
  out.read_only = pattern.read_only;
  out.defined = pattern.defined;
  // In pieces that are appended once complete, because resizing first would write the vector twice.
  auto& bytes = out.bytes;
  bytes.reserve(pattern.bytes);
  std::array<std::byte, kPiece> piece;
  while (bytes.size() < pattern.period) {
    const auto part = std::span(piece).first(std::min(kPiece, pattern.period - bytes.size()));
    pattern.make(bytes.size(), part);
    bytes.insert(bytes.end(), part.begin(), part.end());
  }
  bytes.resize(pattern.bytes);
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

namespace {

bool is_empty(const base::Dim3& extent) { return extent.x == 0 || extent.y == 0 || extent.z == 0; }

bool is_within(const base::Dim3& extent, const base::Dim3& most) {
  return extent.x <= most.x && extent.y <= most.y && extent.z <= most.z;
}

std::string on_device(const LaunchLimits& limits) {
  return limits.device.empty() ? "" : " on " + limits.device;
}

}  // namespace

LaunchLimits limits_of(const device::Profile& profile) {
  LaunchLimits limits;
  limits.threads_per_block = profile.sm.limits.threads_per_block;
  limits.shared_bytes_per_block = profile.shared.max_bytes_per_block;
  limits.device = profile.name;
  return limits;
}

std::string wrong_grid(const base::Dim3& grid, const LaunchLimits& limits) {
  const auto& most = limits.grid;
  if (is_empty(grid)) return "a grid has at least one block in each dimension";
  if (is_within(grid, most)) return {};
  return fmt::format("a grid is at most {} x {} x {} blocks{}", most.x, most.y, most.z,
                     on_device(limits));
}

std::string wrong_block(const base::Dim3& block, const LaunchLimits& limits) {
  if (is_empty(block)) return "a block has at least one thread in each dimension";
  // Extents first, because the product of three 32-bit numbers may not fit in 64 bits.
  if (is_within(block, limits.block) && base::volume(block) <= limits.threads_per_block) return {};
  return fmt::format("a block has at most {} threads{}, and {} in z", limits.threads_per_block,
                     on_device(limits), limits.block.z);
}

std::string wrong_shared_bytes(std::uint64_t bytes, const LaunchLimits& limits) {
  if (bytes <= limits.shared_bytes_per_block) return {};
  return fmt::format("a block has at most {} bytes of shared memory{}",
                     limits.shared_bytes_per_block, on_device(limits));
}

std::string wrong_launch(const base::Dim3& grid, const base::Dim3& block,
                         std::uint64_t shared_bytes, const LaunchLimits& limits) {
  if (const auto wrong = wrong_grid(grid, limits); !wrong.empty()) {
    return fmt::format("grid {} x {} x {}: {}", grid.x, grid.y, grid.z, wrong);
  }
  if (const auto wrong = wrong_block(block, limits); !wrong.empty()) {
    return fmt::format("block {} x {} x {}: {}", block.x, block.y, block.z, wrong);
  }
  if (const auto wrong = wrong_shared_bytes(shared_bytes, limits); !wrong.empty()) {
    return fmt::format("{} bytes of shared memory: {}", shared_bytes, wrong);
  }
  return {};
}

}  // namespace warpgrade::run
