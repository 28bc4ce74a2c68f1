// SPDX-License-Identifier: Apache-2.0
// Parts of a 64-bit little-endian ELF file, such as a cubin.
//
// Invalid or truncated parts count as missing; nothing throws.
#pragma once

#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace warpgrade::timing {

/// The value at byte `at`; nullopt if it exceeds the file.
template <typename T>
std::optional<T> read_at(std::span<const char> from, std::uint64_t at) {
  if (at > from.size() || from.size() - at < sizeof(T)) return std::nullopt;
  T value{};
  std::memcpy(&value, from.data() + at, sizeof(T));
  return value;
}

class Elf {
 public:
  explicit Elf(std::span<const char> file);

  /// The bytes of the section; empty if it does not exist.
  std::span<const char> section(std::string_view name) const;

  /// The positions in a section that contain the address of `symbol`, from its relocations.
  std::vector<std::uint64_t> places_of(std::string_view symbol, std::string_view section) const;

 private:
  std::span<const char> file_;
  std::span<const char> names_;
  std::uint64_t headers_ = 0;
  std::uint16_t count_ = 0;
};

}  // namespace warpgrade::timing
