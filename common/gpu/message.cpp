// SPDX-License-Identifier: Apache-2.0
#include "common/gpu/message.h"

#include "common/base/error.h"

namespace warpgrade::gpu {
namespace {

void put(MessageWriter& to, const base::Dim3& extent) {
  to.put(extent.x);
  to.put(extent.y);
  to.put(extent.z);
}

base::Dim3 get_extent(MessageReader& from) {
  base::Dim3 extent;
  extent.x = from.get<std::uint32_t>();
  extent.y = from.get<std::uint32_t>();
  extent.z = from.get<std::uint32_t>();
  return extent;
}

}  // namespace

void MessageWriter::append(const void* data, std::size_t size) {
  if (size == 0) return;
  const std::size_t before = bytes_.size();
  bytes_.resize(before + size);
  std::memcpy(bytes_.data() + before, data, size);
}

std::span<const std::byte> MessageReader::take(std::uint64_t count) {
  if (count > bytes_.size() - at_)
    throw base::ToolError("a message of the GPU process is too short");
  const auto bytes = std::span(bytes_).subspan(at_, count);
  at_ += count;
  return bytes;
}

void put(MessageWriter& to, const run::Launch& launch) {
  to.put_text(launch.kernel);
  put(to, launch.grid);
  put(to, launch.block);
  to.put(launch.dynamic_shared_bytes);
  to.put<std::uint64_t>(launch.arguments.size());
  for (const auto& argument : launch.arguments) {
    const auto* const buffer = std::get_if<run::BufferArgument>(&argument);
    to.put(buffer != nullptr);
    if (buffer != nullptr) {
      to.put<std::uint64_t>(buffer->index);
    } else {
      to.put_bytes(std::get<run::ValueArgument>(argument));
    }
  }
}

run::Launch get_launch(MessageReader& from) {
  run::Launch launch;
  launch.kernel = from.get_text();
  launch.grid = get_extent(from);
  launch.block = get_extent(from);
  launch.dynamic_shared_bytes = from.get<std::uint32_t>();
  for (auto left = from.get<std::uint64_t>(); left > 0; --left) {
    if (from.get<bool>()) {
      launch.arguments.emplace_back(run::BufferArgument{from.get<std::uint64_t>()});
    } else {
      launch.arguments.emplace_back(from.get_bytes());
    }
  }
  return launch;
}

void put(MessageWriter& to, const std::vector<run::Buffer>& buffers) {
  to.put<std::uint64_t>(buffers.size());
  for (const auto& buffer : buffers) {
    to.put_text(buffer.name);
    to.put_bytes(buffer.bytes);
    to.put(buffer.element_bytes);
    to.put(buffer.read_only);
    to.put(buffer.defined);
  }
}

std::vector<run::Buffer> get_buffers(MessageReader& from) {
  std::vector<run::Buffer> buffers(from.get<std::uint64_t>());
  for (auto& buffer : buffers) {
    buffer.name = from.get_text();
    buffer.bytes = from.get_bytes();
    buffer.element_bytes = from.get<std::uint32_t>();
    buffer.read_only = from.get<bool>();
    buffer.defined = from.get<bool>();
  }
  return buffers;
}

void put(MessageWriter& to, const std::vector<base::Diagnostic>& diagnostics) {
  to.put<std::uint64_t>(diagnostics.size());
  for (const auto& diagnostic : diagnostics) {
    to.put(diagnostic.kind);
    to.put_text(diagnostic.message);
    to.put(diagnostic.where.line);
    to.put(diagnostic.block && diagnostic.thread);
    if (diagnostic.block && diagnostic.thread) {
      put(to, *diagnostic.block);
      put(to, *diagnostic.thread);
    }
  }
}

std::vector<base::Diagnostic> get_diagnostics(MessageReader& from) {
  std::vector<base::Diagnostic> diagnostics(from.get<std::uint64_t>());
  for (auto& diagnostic : diagnostics) {
    diagnostic.kind = from.get<base::DiagnosticKind>();
    diagnostic.message = from.get_text();
    diagnostic.where.line = from.get<std::uint32_t>();
    if (from.get<bool>()) {
      diagnostic.block = get_extent(from);
      diagnostic.thread = get_extent(from);
    }
  }
  return diagnostics;
}

void put(MessageWriter& to, const std::vector<double>& numbers) {
  to.put<std::uint64_t>(numbers.size());
  for (const double number : numbers) to.put(number);
}

std::vector<double> get_numbers(MessageReader& from) {
  std::vector<double> numbers(from.get<std::uint64_t>());
  for (double& number : numbers) number = from.get<double>();
  return numbers;
}

}  // namespace warpgrade::gpu
