// SPDX-License-Identifier: Apache-2.0
// A cubin of one kernel, put together from its machine words: an ELF header, the kernel's section,
// the sections' names, and their headers.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

namespace warpgrade::timing {

using MachineWords = std::vector<std::pair<std::uint64_t, std::uint64_t>>;

inline std::vector<char> small_cubin(const std::string& kernel, const MachineWords& words) {
  constexpr std::size_t kHeader = 64;
  const std::string names = std::string(1, '\0') + ".text." + kernel + std::string(1, '\0');
  const std::size_t text_bytes = words.size() * 16;
  const std::size_t names_at = kHeader + text_bytes;
  const std::size_t headers_at = names_at + names.size();
  std::vector<char> out(headers_at + 3 * kHeader);
  const auto put = [&](std::size_t at, std::uint64_t value, std::size_t bytes) {
    std::memcpy(out.data() + at, &value, bytes);
  };
  std::memcpy(out.data(),
              "\x7f"
              "ELF\x02",
              5);
  put(0x28, headers_at, 8);
  put(0x3c, 3, 2);  // sections
  put(0x3e, 2, 2);  // the last has their names
  for (std::size_t i = 0; i < words.size(); ++i) {
    put(kHeader + 16 * i, words[i].first, 8);
    put(kHeader + 16 * i + 8, words[i].second, 8);
  }
  std::memcpy(out.data() + names_at, names.data(), names.size());
  const auto section = [&](std::size_t number, std::uint64_t name, std::uint64_t offset,
                           std::uint64_t bytes) {
    const std::size_t at = headers_at + number * kHeader;
    put(at, name, 4);
    put(at + 0x18, offset, 8);
    put(at + 0x20, bytes, 8);
  };
  section(1, 1, kHeader, text_bytes);
  section(2, 0, names_at, names.size());
  return out;
}

}  // namespace warpgrade::timing
