// SPDX-License-Identifier: Apache-2.0
// Machine code in a cubin: the instructions of a kernel, as far as the time model asks for them.
//
// A cubin is an ELF file with a section .text.KERNEL. From Volta on an instruction has 16 bytes:
// the lowest 9 bits say what it does, the next 3 in which form, bits 73 to 75 of a memory access
// how much it moves, and a branch has its offset from bit 32 on (since Hopper its lowest 8 bits, in
// words, from bit 16). From bit 105 on stands how the assembler has scheduled it: clocks to the
// next instruction, which of six barriers its result opens, and for which ones it waits. The test
// has words as nvdisasm prints them.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace warpgrade::timing {

struct MachineInstruction {
  enum class Kind : std::uint8_t {
    kOther,
    kGlobalLoad,
    kGlobalStore,
    kSharedLoad,
    kSharedStore,
    kLocalLoad,
    kLocalStore,
    kFloat,   ///< Adds or multiplies floats or doubles.
    kBranch,  ///< `target` is the number of the instruction that it goes to.
    kCall,    ///< Likewise.
    kReturn,  ///< From a call.
    kExit,
    kExchange,  ///< Between lanes.
    kNothing,   ///< Fills up the section.
  };
  enum class Unit : std::uint8_t { kNone, kAlu, kFmaHeavy, kFmaHeavyTwice, kFp64, kXu };
  static constexpr std::uint8_t kNoBarrier = 7;

  bool moves() const { return kind >= Kind::kGlobalLoad && kind <= Kind::kLocalStore; }

  Kind kind{};
  Unit unit{};
  std::uint8_t bytes = 0;          ///< A lane's, of an access to memory.
  std::uint8_t stall = 0;          ///< Clocks until the warp issues the next instruction.
  std::uint8_t sets = kNoBarrier;  ///< The barrier that tells when its result is there.
  std::uint8_t waits = 0;          ///< A bit for each barrier that it waits for.
  std::uint32_t line = 0;          ///< Of the PTX, from 1 on; 0 where it is not known.
  std::int32_t step = 0;           ///< What it adds to a register, a constant; else 0.
  std::int64_t target = 0;
};

/// The instructions of `kernel` for compute capability `major`; none where the code is not there,
/// is no cubin, or is older than Volta's.
std::vector<MachineInstruction> machine_instructions(std::span<const char> cubin,
                                                     std::string_view kernel, std::uint32_t major);

}  // namespace warpgrade::timing
