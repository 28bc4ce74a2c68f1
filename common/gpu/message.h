// SPDX-License-Identifier: Apache-2.0
// Values as bytes, for the pipe between the program and the process that holds the GPU.
//
// Both ends are the same program, so the format has no version: numbers in the host's own order,
// a sequence as its length and its elements. Fields are read in the order in which they were put.
#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "common/base/diagnostic.h"
#include "common/run/launch.h"

namespace warpgrade::gpu {

class MessageWriter {
 public:
  template <typename T>
  void put(T number) {
    static_assert(std::is_arithmetic_v<T> || std::is_enum_v<T>);
    append(&number, sizeof(number));
  }
  void put_bytes(std::span<const std::byte> bytes) {
    put<std::uint64_t>(bytes.size());
    append(bytes.data(), bytes.size());
  }
  void put_text(const std::string& text) { put_bytes(std::as_bytes(std::span(text))); }

  const std::vector<std::byte>& bytes() const { return bytes_; }

 private:
  void append(const void* data, std::size_t size);

  std::vector<std::byte> bytes_;
};

class MessageReader {
 public:
  explicit MessageReader(std::vector<std::byte> bytes) : bytes_(std::move(bytes)) {}

  template <typename T>
  T get() {
    static_assert(std::is_arithmetic_v<T> || std::is_enum_v<T>);
    T number{};
    std::memcpy(&number, take(sizeof(number)).data(), sizeof(number));
    return number;
  }
  std::vector<std::byte> get_bytes() {
    const auto bytes = take(get<std::uint64_t>());
    return {bytes.begin(), bytes.end()};
  }
  std::string get_text() {
    const auto bytes = take(get<std::uint64_t>());
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  }

 private:
  /// Throws base::ToolError where the message is too short.
  std::span<const std::byte> take(std::uint64_t count);

  std::vector<std::byte> bytes_;
  std::size_t at_ = 0;
};

void put(MessageWriter& to, const run::Launch& launch);
void put(MessageWriter& to, const std::vector<run::Buffer>& buffers);
void put(MessageWriter& to, const std::vector<base::Diagnostic>& diagnostics);
void put(MessageWriter& to, const std::vector<double>& numbers);
run::Launch get_launch(MessageReader& from);
std::vector<run::Buffer> get_buffers(MessageReader& from);
std::vector<base::Diagnostic> get_diagnostics(MessageReader& from);  ///< Without file, column.
std::vector<double> get_numbers(MessageReader& from);

}  // namespace warpgrade::gpu
