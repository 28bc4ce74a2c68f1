// SPDX-License-Identifier: Apache-2.0
// A cubin with one kernel, assembled from its machine words: an ELF header, the kernel's section,
// optionally a line table with its one relocation to the kernel, and the names of all sections.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

namespace warpgrade::timing {

using MachineWords = std::vector<std::pair<std::uint64_t, std::uint64_t>>;

class SmallElf {
 public:
  void add(const std::string& name, const std::string& bytes) {
    names_.push_back(name);
    contents_.push_back(bytes);
  }

  std::vector<char> file() const {
    constexpr std::size_t kHeader = 64;
    std::string names(1, '\0');
    std::string body(kHeader, '\0');
    std::string headers(kHeader, '\0');
    const auto add = [&](const std::string& name, const std::string& bytes) {
      std::string header(kHeader, '\0');
      put(header, 0, names.size(), 4);
      put(header, 0x18, body.size(), 8);
      names += name + '\0';
      put(header, 0x20, (name.empty() ? names : bytes).size(), 8);
      body += name.empty() ? names : bytes;
      headers += header;
    };
    for (std::size_t i = 0; i < names_.size(); ++i) add(names_[i], contents_[i]);
    add("", "");
    put(body, 0x28, body.size(), 8);
    put(body, 0x3c, names_.size() + 2, 2);
    put(body, 0x3e, names_.size() + 1, 2);  // the last section has their names
    std::memcpy(body.data(),
                "\x7f"
                "ELF\x02",
                5);
    const std::string all = body + headers;
    return {all.begin(), all.end()};
  }

  static void put(std::string& to, std::size_t at, std::uint64_t value, std::size_t bytes) {
    std::memcpy(to.data() + at, &value, bytes);
  }

 private:
  std::vector<std::string> names_;
  std::vector<std::string> contents_;
};

/// The kernel's address is at byte `place` of the table.
inline std::vector<char> small_cubin(const std::string& kernel, const MachineWords& words,
                                     const std::string& table = "", std::uint64_t place = 0) {
  SmallElf elf;
  std::string text(words.size() * 16, '\0');
  for (std::size_t i = 0; i < words.size(); ++i) {
    SmallElf::put(text, 16 * i, words[i].first, 8);
    SmallElf::put(text, 16 * i + 8, words[i].second, 8);
  }
  elf.add(".text." + kernel, text);
  if (table.empty()) return elf.file();
  std::string relocation(24, '\0');
  SmallElf::put(relocation, 0, place, 8);
  SmallElf::put(relocation, 12, 1, 4);  // symbol 1
  std::string symbols(48, '\0');
  SmallElf::put(symbols, 24, 1, 4);
  elf.add(".nv_debug_line_sass", table);
  elf.add(".rela.nv_debug_line_sass", relocation);
  elf.add(".symtab", symbols);
  elf.add(".strtab", std::string(1, '\0') + kernel + '\0');
  return elf.file();
}

}  // namespace warpgrade::timing
