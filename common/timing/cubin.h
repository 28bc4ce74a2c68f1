// SPDX-License-Identifier: Apache-2.0
// The machine instructions of a kernel in a cubin, as far as the time model needs them.
//
// A cubin is an ELF file with a section .text.KERNEL. From Volta on an instruction has 16 bytes:
// the lowest 9 bits are the operation, the next 3 its form, and bits 73 to 75 of a memory access
// its size. A branch has its offset from bit 32 on (from Hopper on its lowest 8 bits, in 4-byte
// words, from bit 16), and a local access its constant offset from bit 40 on. The bits from 105 on
// are the assembler's schedule: clocks to the next instruction, which of six barriers its result
// opens, and for which ones it waits. The test contains instructions as printed by nvdisasm.
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
    kBranch,  ///< `target` is the index of the target instruction.
    kCall,    ///< The same for calls.
    kReturn,  ///< From a call.
    kExit,
    kExchange,  ///< Between lanes.
    kNothing,   ///< Padding of the section.
  };
  enum class Unit : std::uint8_t { kNone, kAlu, kFmaHeavy, kFmaHeavyTwice, kFp64, kXu };
  static constexpr std::uint8_t kNoBarrier = 7;

  bool moves() const { return kind >= Kind::kGlobalLoad && kind <= Kind::kLocalStore; }

  Kind kind{};
  Unit unit{};
  std::uint8_t bytes = 0;          ///< Bytes per lane of a memory access.
  std::uint8_t stall = 0;          ///< Clocks until the warp issues the next instruction.
  std::uint8_t sets = kNoBarrier;  ///< The barrier that opens when its result is ready.
  std::uint8_t waits = 0;          ///< One bit per barrier that it waits for.
  std::uint32_t line = 0;          ///< PTX line, from 1 on; 0 if unknown.
  std::int32_t step = 0;           ///< A constant that it adds to a register; else 0.
  std::int32_t offset = 0;         ///< Place of a local access on the stack.
  std::int64_t target = 0;
};

/// The instructions of `kernel` for compute capability `major`; empty if the code is missing,
/// invalid or older than Volta's.
std::vector<MachineInstruction> machine_instructions(std::span<const char> cubin,
                                                     std::string_view kernel, std::uint32_t major);

}  // namespace warpgrade::timing
