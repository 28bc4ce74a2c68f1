// SPDX-License-Identifier: Apache-2.0
// Invalid or unusable parts of the file count as missing code, because the model can do without
// code.
#include "common/timing/cubin.h"

#include <array>
#include <string>

#include "common/timing/elf.h"
#include "common/timing/ptx_lines.h"

namespace warpgrade::timing {
namespace {

using InstructionKind = MachineInstruction::Kind;

constexpr std::size_t kInstructionBytes = 16;
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

/// The unit that executes the opcode, if it is slower than the issue slot.
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
    case 0x024:  // IMAD
    case 0x026:  // IDP
      return Unit::kFmaHeavy;
    case 0x025:  // IMAD.WIDE
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
    case 0x110:  // F2F of doubles
    case 0x111:  // F2I of 64 bits
    case 0x112:  // I2F of 64 bits
    case 0x113:  // FRND of doubles
      return Unit::kXu;
    default:
      return Unit::kNone;
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
