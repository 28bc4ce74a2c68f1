// SPDX-License-Identifier: Apache-2.0
// Facts of an instruction that more than one stage needs: how many of its operands are results,
// which one is its address, where control goes, what it does to memory, which class of time it
// belongs to, what ptxas makes of it.
//
// They are a column of instructions.def. Where a modifier changes them (bar and bar.red, mbarrier
// and mbarrier.init), a FORM row below the instruction's row has those of that form. Everything
// that asks for a fact asks here; only the decoder and the exec files, which choose a handler for
// each instruction, look at opcodes.
//
// Sources: the PTX ISA 9.0 for results and addresses (the syntax of each instruction in 9.7), flow
// (9.7.12) and memory (9.7.9, 9.7.13 and the memory consistency model, chapter 8); the machine code
// that ptxas 13.0 writes for time and expansion.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "common/ptx/module.h"

namespace warpgrade::ptx {

/// How many of the first operands are results.
enum class Results : std::uint8_t {
  kNoResult,
  kOneResult,  ///< Perhaps a vector; for call, a list of .param variables.
  kOneOrTwo,   ///< d or d|p: Instruction::has_second_result says which.
};

/// The place to which control goes when the instruction is executed.
enum class Flow : std::uint8_t {
  kNext,
  kBranch,     ///< To the label that is operand 0.
  kJumpTable,  ///< To a label of the table that is operand 1.
  kCall,       ///< To the function that is operand 1, and then to the next instruction.
  kReturn,
  kExit,
  kTrap,
};

/// The effect of the instruction on memory, or on the order of accesses to it.
enum class MemoryRole : std::uint8_t {
  kNoMemory,
  kHint,            ///< Names an address for the caches; no value that the program reads changes.
  kLoad,            ///< Modifiers say how strong it is, also for kStore, kAtomic and kReduction.
  kStore,           ///< Also to .param variables of a call.
  kAtomic,          ///< Reads, changes, writes, and returns the old value.
  kReduction,       ///< Changes, and returns nothing.
  kFence,           ///< Orders accesses of its thread: a modifier says for whom.
  kBarrier,         ///< Threads of a block wait for each other: all of them, or a number.
  kArrival,         ///< They are counted at such a barrier and go on.
  kWarpBarrier,     ///< Threads of a warp wait for each other.
  kClusterBarrier,  ///< Threads of a cluster arrive, or wait until all of them have arrived.
  kCopy,            ///< A copy from global to shared memory begins, and runs by itself.
  kBulkCopy,        ///< One of the bulk copy engine begins, between shared memory and another.
  kCopyGroup,       ///< Closes a group of such copies, or waits for some.
  kBarrierObject,   ///< Reads and changes an mbarrier object in shared memory.
};

/// The rule of timing/machine_code.cpp that gives the issue slots and the latency.
enum class Timing : std::uint8_t {
  kOneSlot,     ///< One issue slot and the latency of arithmetic.
  kWithCarry,   ///< Likewise, and it reads the carry flag (CC.CF).
  kInteger,     ///< One slot; values of 64 bits take as many slots as an address does.
  kLogic,       ///< Like kInteger; free between predicates, and merges with others of its class.
  kMove,        ///< Free, but for a special register.
  kConversion,  ///< Free where an integer becomes a wider one.
  kFree,        ///< The generic address of a variable is known.
  kMultiplication,  ///< Integers by the profile, a power of two is a shift.
  kDivision,        ///< A reciprocal and its correction.
  kRoot,            ///< Reciprocals and roots: one slot where .approx is enough.
  kExchange,        ///< Between lanes, as long as an access to shared memory.
  kMatrix,          ///< A product on the tensor cores: the profile's rate.
};

/// The case in which ptxas makes branches or a call of the instruction, which end a basic block.
enum class Expansion : std::uint8_t {
  kInline,    ///< Never: under a guard its machine instructions have a predicate.
  kSkipped,   ///< Under a guard: a branch leads round it.
  kDividing,  ///< Floats with a rounding modifier, and integers but .u32.
  kRounding,  ///< With a rounding modifier.
  kDouble,    ///< For .f64.
  kWide,      ///< For integers of 64 bits.
  kApart,     ///< Always.
};

/// The pipe that it goes through, by Nsight Compute's names, unless its type decides that: values
/// of .f64 and integer products have pipes of their own.
enum class Pipe : std::uint8_t {
  kFma,  ///< Floating point; also what the assembler puts there or into the other one, as it likes.
  kAlu,  ///< Logic, shifts, comparisons and selections.
  kXu,   ///< Functions that are looked up, and counts of bits.
};

struct InstructionFacts {
  Results results = Results::kOneResult;
  /// The operand that must be an [address], the first of two.
  std::optional<std::uint8_t> address = std::nullopt;
  Flow flow = Flow::kNext;
  MemoryRole memory = MemoryRole::kNoMemory;
  Timing timing = Timing::kOneSlot;
  Pipe pipe = Pipe::kFma;
  Expansion expansion = Expansion::kInline;

  friend bool operator==(const InstructionFacts&, const InstructionFacts&) = default;
};

/// A form of an opcode: the instruction that carries `modifier`.
struct InstructionForm {
  Opcode opcode{};
  Modifier modifier{};
  InstructionFacts facts;
};

/// All forms, in the order of instructions.def: the first that fits counts.
std::span<const InstructionForm> instruction_forms();

/// The facts of an opcode's row, which hold for every form that has no row of its own.
const InstructionFacts& facts(Opcode opcode);

/// The facts of one instruction, its form included.
const InstructionFacts& facts(const Instruction& in);

/// Whether an instruction with this flow is the last of its basic block.
constexpr bool ends_basic_block(Flow flow) { return flow != Flow::kNext && flow != Flow::kCall; }

/// Whether control never goes from `in` to the instruction behind it: `in` jumps, or ends the
/// function or the thread, and no guard may turn that off.
bool never_falls_through(const Instruction& in);

}  // namespace warpgrade::ptx
