// SPDX-License-Identifier: Apache-2.0
#include "common/timing/elf.h"

#include <array>
#include <string>

namespace warpgrade::timing {
namespace {

struct SectionHeader {
  std::uint32_t name;
  std::uint32_t type;
  std::uint64_t flags;
  std::uint64_t address;
  std::uint64_t offset;
  std::uint64_t size;
  std::uint32_t link;
  std::uint32_t info;
  std::uint64_t alignment;
  std::uint64_t entry_size;
};

struct Relocation {
  std::uint64_t place;
  std::uint64_t symbol_and_type;
  std::int64_t addend;
};

struct Symbol {
  std::uint32_t name;
  std::uint8_t info;
  std::uint8_t other;
  std::uint16_t section;
  std::uint64_t value;
  std::uint64_t size;
};

std::span<const char> contents(std::span<const char> file, const SectionHeader& section) {
  if (section.offset > file.size() || file.size() - section.offset < section.size) return {};
  return file.subspan(section.offset, section.size);
}

std::string_view text_at(std::span<const char> text, std::uint64_t at) {
  if (at >= text.size()) return {};
  const std::string_view rest(text.data() + at, text.size() - at);
  return rest.substr(0, rest.find('\0'));
}

}  // namespace

Elf::Elf(std::span<const char> file) {
  constexpr std::array<char, 5> kMagic = {0x7f, 'E', 'L', 'F', 2};
  if (file.size() < kMagic.size() || std::memcmp(file.data(), kMagic.data(), kMagic.size()) != 0)
    return;
  const auto headers = read_at<std::uint64_t>(file, 0x28);
  const auto count = read_at<std::uint16_t>(file, 0x3c);
  const auto names_at = read_at<std::uint16_t>(file, 0x3e);
  if (!headers || !count || !names_at || *headers > file.size()) return;
  const auto names =
      read_at<SectionHeader>(file, *headers + std::uint64_t{*names_at} * sizeof(SectionHeader));
  if (!names) return;
  file_ = file;
  headers_ = *headers;
  count_ = *count;
  names_ = contents(file, *names);
}

std::span<const char> Elf::section(std::string_view name) const {
  for (std::uint64_t i = 0; i < count_; ++i) {
    const auto one = read_at<SectionHeader>(file_, headers_ + i * sizeof(SectionHeader));
    if (one && text_at(names_, one->name) == name) return contents(file_, *one);
  }
  return {};
}

std::vector<std::uint64_t> Elf::places_of(std::string_view symbol, std::string_view of) const {
  std::vector<std::uint64_t> out;
  const auto relocations = section(".rela" + std::string(of));
  const auto symbols = section(".symtab");
  const auto names = section(".strtab");
  for (std::uint64_t at = 0; const auto one = read_at<Relocation>(relocations, at);
       at += sizeof(Relocation)) {
    const auto found =
        read_at<Symbol>(symbols, (one->symbol_and_type >> 32) * std::uint64_t{sizeof(Symbol)});
    if (found && text_at(names, found->name) == symbol) out.push_back(one->place);
  }
  return out;
}

}  // namespace warpgrade::timing
