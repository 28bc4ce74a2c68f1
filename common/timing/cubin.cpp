// SPDX-License-Identifier: Apache-2.0
// What is outside of the file, or of no use, is as good as no code at all: the model can do
// without.
#include "common/timing/cubin.h"

#include <array>
#include <cstring>
#include <optional>
#include <string>

namespace warpgrade::timing {
namespace {

using InstructionKind = MachineInstruction::Kind;

constexpr std::size_t kInstructionBytes = 16;
constexpr std::uint32_t kFirstMajor = 7;    // Volta
constexpr std::uint32_t kSplitOffsets = 9;  // since Hopper

template <typename T>
std::optional<T> read(std::span<const char> from, std::uint64_t at) {
  if (at > from.size() || from.size() - at < sizeof(T)) return std::nullopt;
  T value{};
  std::memcpy(&value, from.data() + at, sizeof(T));
  return value;
}

/// The part of an ELF section's header that is used; the file's layout (64 bits, little-endian).
struct Section {
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

std::span<const char> contents(std::span<const char> file, const Section& section) {
  if (section.offset > file.size() || file.size() - section.offset < section.size) return {};
  return file.subspan(section.offset, section.size);
}

std::span<const char> text_of(std::span<const char> file, std::string_view kernel) {
  constexpr std::array<char, 5> kMagic = {0x7f, 'E', 'L', 'F', 2};
  if (file.size() < kMagic.size() || std::memcmp(file.data(), kMagic.data(), kMagic.size()) != 0)
    return {};
  const auto headers = read<std::uint64_t>(file, 0x28);
  const auto count = read<std::uint16_t>(file, 0x3c);
  const auto names_at = read<std::uint16_t>(file, 0x3e);
  if (!headers || !count || !names_at || *headers > file.size()) return {};
  const auto section = [&](std::uint64_t number) {
    return read<Section>(file, *headers + number * sizeof(Section));
  };
  const auto names = section(*names_at);
  if (!names) return {};
  const std::span<const char> text = contents(file, *names);
  const std::string wanted = ".text." + std::string(kernel);
  for (std::uint16_t i = 0; i < *count; ++i) {
    const auto one = section(i);
    if (!one || one->name >= text.size()) continue;
    const std::string_view name(text.data() + one->name, text.size() - one->name);
    if (name.substr(0, name.find('\0')) == wanted) return contents(file, *one);
  }
  return {};
}

InstructionKind kind_of_opcode(std::uint64_t opcode) {
  switch (opcode) {
    case 0x181:  // LDG
      return InstructionKind::kGlobalLoad;
    case 0x186:  // STG
      return InstructionKind::kGlobalStore;
    case 0x184:  // LDS
      return InstructionKind::kSharedLoad;
    case 0x188:  // STS
      return InstructionKind::kSharedStore;
    case 0x183:  // LDL
      return InstructionKind::kLocalLoad;
    case 0x187:  // STL
      return InstructionKind::kLocalStore;
    case 0x020:  // FMUL
    case 0x021:  // FADD
    case 0x023:  // FFMA
    case 0x028:  // DMUL
    case 0x029:  // DADD
    case 0x02b:  // DFMA
      return InstructionKind::kFloat;
    case 0x147:  // BRA
      return InstructionKind::kBranch;
    default:
      return InstructionKind::kOther;
  }
}

/// Bytes from behind a branch to where it goes; of code within 2^31 bytes.
std::int64_t offset_of(std::uint64_t low, std::uint32_t major) {
  const auto high_bits = static_cast<std::int32_t>(low >> 32);
  if (major < kSplitOffsets) return high_bits;
  return (std::int64_t{high_bits >> 2} * 256 + static_cast<std::int64_t>(low >> 16 & 0xff)) * 4;
}

/// Bytes of .U8, .S8, .U16, .S16, none, .64, .128.
constexpr std::array<std::uint8_t, 8> kAccessBytes = {1, 1, 2, 2, 4, 8, 16, 0};

}  // namespace

std::vector<MachineInstruction> machine_instructions(std::span<const char> cubin,
                                                     std::string_view kernel, std::uint32_t major) {
  std::vector<MachineInstruction> out;
  if (major < kFirstMajor) return out;
  const std::span<const char> text = text_of(cubin, kernel);
  for (std::uint64_t at = 0; at + kInstructionBytes <= text.size(); at += kInstructionBytes) {
    const std::uint64_t low = *read<std::uint64_t>(text, at);
    const std::uint64_t high = *read<std::uint64_t>(text, at + 8);
    MachineInstruction one;
    one.kind = kind_of_opcode(low & 0x1ff);
    one.is_double = one.kind == InstructionKind::kFloat && (low & 0x8) != 0;
    one.is_look_up = (low & 0x1ff) == 0x108;
    if (one.kind == InstructionKind::kBranch) {
      one.target =
          static_cast<std::int64_t>(at / kInstructionBytes) + 1 + offset_of(low, major) / 16;
    } else if (const auto opcode = low & 0xfff;
               opcode == 0x810 || opcode == 0x836 || opcode == 0x890) {  // IADD3, VIADD, UIADD3
      const bool is_same = (low >> 16 & 0xff) == (low >> 24 & 0xff);
      if (is_same) one.step = static_cast<std::int32_t>(low >> 32);
    } else if (one.kind != InstructionKind::kOther && one.kind != InstructionKind::kFloat) {
      one.bytes = kAccessBytes[high >> 9 & 7];
    }
    out.push_back(one);
  }
  return out;
}

}  // namespace warpgrade::timing
