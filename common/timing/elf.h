// SPDX-License-Identifier: Apache-2.0
// The parts of an ELF file of 64 bits, little-endian: a cubin's.
//
// Whatever is outside of the file, or of no use, is not there: nothing is thrown.
#pragma once

#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace warpgrade::timing {

/// The value at byte `at`; none where the bytes end before.
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

  /// The bytes of the section; empty where there is none of that name.
  std::span<const char> section(std::string_view name) const;

  /// The places in a section that hold the address of `symbol`, by its relocations.
  std::vector<std::uint64_t> places_of(std::string_view symbol, std::string_view section) const;

 private:
  std::span<const char> file_;
  std::span<const char> names_;
  std::uint64_t headers_ = 0;
  std::uint16_t count_ = 0;
};

}  // namespace warpgrade::timing
