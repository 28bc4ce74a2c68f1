// SPDX-License-Identifier: Apache-2.0
#include "common/timing/cubin.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace warpgrade::timing {
namespace {

/// The value at byte `at`; nullopt if it exceeds the file.
template <typename T>
std::optional<T> read_at(std::span<const char> from, std::uint64_t at) {
  if (at > from.size() || from.size() - at < sizeof(T)) return std::nullopt;
  T value{};
  std::memcpy(&value, from.data() + at, sizeof(T));
  return value;
}

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

/// An entry of a table ".rel" (before Hopper); one of ".rela" has an addend behind it.
struct Relocation {
  std::uint64_t place;
  std::uint64_t symbol_and_type;
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
  const auto symbols = section(".symtab");
  const auto names = section(".strtab");
  const auto add = [&](std::string_view form, std::uint64_t bytes) {
    const auto relocations = section(std::string(form) + std::string(of));
    for (std::uint64_t at = 0; const auto one = read_at<Relocation>(relocations, at); at += bytes) {
      const auto found =
          read_at<Symbol>(symbols, (one->symbol_and_type >> 32) * std::uint64_t{sizeof(Symbol)});
      if (found && text_at(names, found->name) == symbol) out.push_back(one->place);
    }
  };
  add(".rel", sizeof(Relocation));
  add(".rela", sizeof(Relocation) + sizeof(std::int64_t));
  return out;
}

namespace {

constexpr std::string_view kTable = ".nv_debug_line_sass";
constexpr std::uint64_t kBytesOfInstruction = 16;

/// Reads bytes in sequence; past the end it returns zeros.
class Bytes {
 public:
  Bytes(std::span<const char> from, std::uint64_t at) : from_(from), at_(at) {}

  std::uint64_t place() const { return at_; }
  bool is_at_end() const { return at_ >= from_.size(); }
  /// Moves forward to `place`, never back and never past the end.
  void go_to(std::uint64_t place) {
    at_ = std::max(at_, std::min<std::uint64_t>(place, from_.size()));
  }
  void skip(std::uint64_t bytes) { go_to(at_ + std::min<std::uint64_t>(bytes, from_.size())); }

  template <typename T>
  T take() {
    const T value = read_at<T>(from_, at_).value_or(T{});
    at_ += sizeof(T);
    return value;
  }

  /// LEB128.
  std::uint64_t number() { return leb128(false); }
  std::int64_t signed_number() { return static_cast<std::int64_t>(leb128(true)); }

 private:
  std::uint64_t leb128(bool is_signed) {
    std::uint64_t value = 0;
    std::uint32_t shift = 0;
    std::uint8_t byte = 0x80;
    while ((byte & 0x80U) != 0 && !is_at_end()) {
      byte = take<std::uint8_t>();
      if (shift < 64) value |= std::uint64_t{byte & 0x7fU} << shift;
      shift += 7;
    }
    if (is_signed && (byte & 0x40U) != 0 && shift < 64) value |= ~std::uint64_t{0} << shift;
    return value;
  }

  std::span<const char> from_;
  std::uint64_t at_;
};

/// The head of a table: how to read its operations.
struct Head {
  std::uint64_t end = 0;
  std::uint64_t least_step = 0;  ///< Bytes of an address.
  std::int64_t line_base = 0;
  std::uint8_t line_range = 0;
  std::uint8_t first_special = 1;
  std::array<std::uint8_t, 256> operands{};  ///< Operands per standard operation.
};

/// The head of the table that contains byte `place`; line_range is 0 if not found.
Head head_of(std::span<const char> section, std::uint64_t place) {
  Bytes bytes(section, 0);
  while (!bytes.is_at_end()) {
    Head head;
    const auto length = bytes.take<std::uint32_t>();
    head.end = bytes.place() + length;
    if (place >= head.end) {
      bytes.go_to(head.end);
      continue;
    }
    bytes.skip(2 + 4);  // version, length of the head
    head.least_step = bytes.take<std::uint8_t>();
    bytes.skip(1);  // whether a row is a statement
    head.line_base = bytes.take<std::int8_t>();
    head.line_range = bytes.take<std::uint8_t>();
    head.first_special = bytes.take<std::uint8_t>();
    for (std::uint32_t i = 1; i < head.first_special; ++i) {
      head.operands.at(i) = bytes.take<std::uint8_t>();
    }
    return head;
  }
  return {};
}

/// The state of a sequence. A row gives the address from which a line applies.
class Rows {
 public:
  Rows(const Head& head, std::vector<std::uint32_t>& lines) : head_(head), lines_(lines) {}

  void special(std::uint32_t operation) {
    address_ += operation / head_.line_range * head_.least_step;
    line_ += head_.line_base + operation % head_.line_range;
    add_row();
  }

  void standard(std::uint8_t operation, Bytes& bytes) {
    switch (operation) {
      case 1:
        return add_row();
      case 2:
        address_ += bytes.number() * head_.least_step;
        return;
      case 3:
        line_ += bytes.signed_number();
        return;
      case 8:
        address_ += (255U - head_.first_special) / head_.line_range * head_.least_step;
        return;
      case 9:
        address_ += bytes.take<std::uint16_t>();
        return;
      default:
        for (std::uint32_t i = 0; i < head_.operands.at(operation); ++i) bytes.number();
    }
  }

  /// Code after the last row belongs to its line.
  void finish() { fill(lines_.size()); }

 private:
  void add_row() {
    fill(std::min<std::uint64_t>(address_ / kBytesOfInstruction, lines_.size()));
    row_line_ = line_;
  }

  void fill(std::uint64_t until) {
    for (; next_ < until; ++next_) lines_[next_] = static_cast<std::uint32_t>(row_line_);
  }

  const Head& head_;
  std::vector<std::uint32_t>& lines_;
  std::uint64_t address_ = 0;
  std::uint64_t next_ = 0;  ///< The first instruction without a line.
  std::int64_t line_ = 1;
  std::int64_t row_line_ = 0;
};

}  // namespace

std::vector<std::uint32_t> ptx_lines(const Elf& cubin, std::string_view kernel, std::size_t count) {
  const auto section = cubin.section(kTable);
  const auto places = cubin.places_of(kernel, kTable);
  if (places.empty()) return {};
  const Head head = head_of(section, places[0]);
  if (head.line_range == 0) return {};
  std::vector<std::uint32_t> lines(count);
  Rows rows(head, lines);
  Bytes bytes(section.first(std::min<std::uint64_t>(head.end, section.size())),
              places[0] + sizeof(std::uint64_t));  // after the start address of the code
  while (!bytes.is_at_end()) {
    const auto operation = bytes.take<std::uint8_t>();
    if (operation >= head.first_special) {
      rows.special(operation - head.first_special);
    } else if (operation != 0) {
      rows.standard(operation, bytes);
    } else {
      const auto length = bytes.number();
      const auto next = bytes.place() + length;
      if (bytes.take<std::uint8_t>() == 1) break;  // the end of the sequence
      bytes.go_to(next);
    }
  }
  rows.finish();
  return lines;
}

namespace {

using InstructionKind = MachineInstruction::Kind;

constexpr std::size_t kInstructionBytes = 16;
constexpr std::uint64_t kNoPredicate = 7;   // the predicate PT, not negated
constexpr std::uint32_t kFirstMajor = 7;    // Volta
constexpr std::uint32_t kSplitOffsets = 9;  // since Hopper

using Unit = MachineInstruction::Unit;

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
    case 0x144:  // CALL.REL
      return InstructionKind::kCall;
    case 0x150:  // RET
      return InstructionKind::kReturn;
    case 0x14d:  // EXIT
      return InstructionKind::kExit;
    case 0x189:  // SHFL
      return InstructionKind::kExchange;
    case 0x118:  // NOP
      return InstructionKind::kNothing;
    default:
      return InstructionKind::kOther;
  }
}

/// The unit that executes the opcode, if it is slower than the issue slot on some card.
Unit unit_of_opcode(std::uint64_t opcode) {
  switch (opcode) {
    case 0x007:  // SEL
    case 0x008:  // FSEL
    case 0x009:  // FMNMX
    case 0x00b:  // FSETP
    case 0x00c:  // ISETP
    case 0x010:  // IADD3
    case 0x011:  // LEA
    case 0x012:  // LOP3
    case 0x016:  // PRMT
    case 0x017:  // IMNMX
    case 0x019:  // SHF
    case 0x036:  // VIADD
    case 0x048:  // VIMNMX
      return Unit::kAlu;
    case 0x020:  // FMUL
    case 0x021:  // FADD
    case 0x023:  // FFMA
      return Unit::kFloat;
    case 0x024:  // IMAD
    case 0x026:  // IDP
      return Unit::kFmaHeavy;
    case 0x025:  // IMAD.WIDE
      return Unit::kWideProduct;
    case 0x027:  // IMAD.HI
      return Unit::kFmaHeavyTwice;
    case 0x028:  // DMUL
    case 0x029:  // DADD
    case 0x02a:  // DSETP
    case 0x02b:  // DFMA
      return Unit::kFp64;
    case 0x100:  // FLO
    case 0x101:  // BREV
    case 0x102:  // FCHK
    case 0x104:  // F2F
    case 0x105:  // F2I
    case 0x106:  // I2F
    case 0x107:  // FRND
    case 0x108:  // MUFU
    case 0x109:  // POPC
      return Unit::kXu;
    case 0x110:  // F2F of doubles
    case 0x111:  // F2I of 64 bits
    case 0x112:  // I2F of 64 bits
    case 0x113:  // FRND of doubles
      return Unit::kXuOfDoubles;
    default:
      return Unit::kNone;
  }
}

std::optional<FloatOperation> float_operation_of(std::uint64_t opcode) {
  switch (opcode) {
    case 0x020:
      return FloatOperation::kFmul;
    case 0x021:
      return FloatOperation::kFadd;
    case 0x023:
      return FloatOperation::kFfma;
    case 0x028:
      return FloatOperation::kDmul;
    case 0x029:
      return FloatOperation::kDadd;
    case 0x02b:
      return FloatOperation::kDfma;
    default:
      return std::nullopt;
  }
}

/// Bytes from the end of a branch to its target, for code within 2^31 bytes.
std::int64_t offset_of(std::uint64_t low, std::uint32_t major) {
  const auto high_bits = static_cast<std::int32_t>(low >> 32);
  if (major < kSplitOffsets) return high_bits;
  return (std::int64_t{high_bits >> 2} * 256 + static_cast<std::int64_t>(low >> 16 & 0xff)) * 4;
}

/// Bytes of .U8, .S8, .U16, .S16, no suffix, .64, .128.
constexpr std::array<std::uint8_t, 8> kAccessBytes = {1, 1, 2, 2, 4, 8, 16, 0};

}  // namespace

std::vector<MachineInstruction> machine_instructions(std::span<const char> cubin,
                                                     std::string_view kernel, std::uint32_t major) {
  std::vector<MachineInstruction> out;
  if (major < kFirstMajor) return out;
  const Elf file(cubin);
  const auto text = file.section(".text." + std::string(kernel));
  const auto lines = ptx_lines(file, kernel, text.size() / kInstructionBytes);
  for (std::uint64_t at = 0; at + kInstructionBytes <= text.size(); at += kInstructionBytes) {
    const std::uint64_t low = *read_at<std::uint64_t>(text, at);
    const std::uint64_t high = *read_at<std::uint64_t>(text, at + 8);
    const auto number = at / kInstructionBytes;
    MachineInstruction one;
    one.kind = kind_of_opcode(low & 0x1ff);
    one.unit = unit_of_opcode(low & 0x1ff);
    if ((low >> 12 & 15) == kNoPredicate) one.float_operation = float_operation_of(low & 0x1ff);
    one.stall = high >> 41 & 15;
    one.sets = high >> 46 & 7;
    one.waits = high >> 52 & 63;
    one.line = lines.empty() ? 0 : lines[number];
    if (one.kind == InstructionKind::kBranch || one.kind == InstructionKind::kCall) {
      one.target = static_cast<std::int64_t>(number) + 1 + offset_of(low, major) / 16;
    } else if (const auto opcode = low & 0xfff;
               opcode == 0x810 || opcode == 0x836 || opcode == 0x890) {  // IADD3, VIADD, UIADD3
      const bool is_same = (low >> 16 & 0xff) == (low >> 24 & 0xff);
      if (is_same) one.step = static_cast<std::int32_t>(low >> 32);
    } else if (one.moves()) {
      one.bytes = kAccessBytes[high >> 9 & 7];
      const bool is_local =
          one.kind == InstructionKind::kLocalLoad || one.kind == InstructionKind::kLocalStore;
      if (is_local) one.offset = static_cast<std::int32_t>(static_cast<std::int64_t>(low) >> 40);
    }
    out.push_back(one);
  }
  return out;
}

}  // namespace warpgrade::timing
