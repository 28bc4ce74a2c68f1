// SPDX-License-Identifier: Apache-2.0
// The table of instructions as data: syntax, facts and forms of each opcode, and matrix shapes.
//
// In: the rows of instructions.def. Out: constant tables, which the parser and all later stages
// read. Two of them hold the facts: one has a row per opcode, which holds the range of its forms
// in the other. A third one holds the syntax. The shape of a matrix instruction and the machine
// instructions of its product follow from its modifiers and types.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "common/ptx/module.h"

namespace warpgrade::ptx {

// The rows of instructions.def as data.

/// A set of types: bit i represents the Type with value i.
using TypeSet = std::uint32_t;

constexpr TypeSet bit_of(Type type) { return TypeSet{1} << static_cast<std::uint32_t>(type); }

struct InstructionRow {
  Opcode opcode{};
  std::string_view mnemonic;
  std::uint8_t fewest_operands = 0;
  std::uint8_t most_operands = 0;
  TypeSet types = 0;             ///< Types allowed as the first type.
  ModifierSet modifiers;         ///< Supported modifiers.
  std::string_view unsupported;  ///< Why it is refused; empty if it is supported.
};

/// One row per opcode, in the order of Opcode.
std::span<const InstructionRow> instruction_table();

inline const InstructionRow& row_of(Opcode opcode) {
  return instruction_table()[static_cast<std::size_t>(opcode)];
}

/// The row with this mnemonic, or the row of Opcode::other if it is unknown.
const InstructionRow& find_row(std::string_view mnemonic);

/// How many of the first operands are results.
enum class Results : std::uint8_t {
  kNoResult,
  kOneResult,  ///< May be a vector; for call, a list of .param variables.
  kOneOrTwo,   ///< d or d|p; see Instruction::has_second_result.
};

/// Where control continues after the instruction.
enum class Flow : std::uint8_t {
  kNext,
  kBranch,     ///< The label in operand 0.
  kJumpTable,  ///< A label of the table in operand 1.
  kCall,       ///< The function in operand 1, then the next instruction.
  kReturn,
  kExit,
  kTrap,
};

/// The effect of the instruction on memory or on the order of memory accesses.
enum class MemoryRole : std::uint8_t {
  kNoMemory,
  kHint,            ///< Passes an address to the caches; changes no value that the program reads.
  kLoad,            ///< Modifiers give its strength, also for kStore, kAtomic and kReduction.
  kStore,           ///< Also to the .param variables of a call.
  kAtomic,          ///< Reads, modifies, writes and returns the old value.
  kReduction,       ///< Modifies and returns nothing.
  kFence,           ///< Orders accesses of its thread; a modifier gives the scope.
  kBarrier,         ///< Threads of a block wait for each other: all of them, or a given number.
  kArrival,         ///< Counts threads at such a barrier without waiting.
  kWarpBarrier,     ///< Threads of a warp wait for each other.
  kClusterBarrier,  ///< Threads of a cluster arrive, or wait until all of them have arrived.
  kCopy,            ///< Starts an asynchronous copy from global to shared memory.
  kBulkCopy,        ///< Starts a copy by the bulk copy engine from or to shared memory.
  kCopyGroup,       ///< Closes a group of asynchronous copies, or waits for groups.
  kBarrierObject,   ///< Reads and modifies an mbarrier object in shared memory.
};

/// The rule in timing/machine_code.cpp that determines issue slots and latency.
enum class Timing : std::uint8_t {
  kOneSlot,     ///< One issue slot and the arithmetic latency.
  kWithCarry,   ///< The same, and it reads the carry flag (CC.CF).
  kInteger,     ///< One slot; 64-bit values need as many slots as an address.
  kLogic,       ///< Like kInteger; free between predicates, and merges with others of its class.
  kMove,        ///< Free, except from special registers.
  kConversion,  ///< Free if it widens an integer.
  kFree,        ///< The generic address of a variable is known.
  kMultiplication,  ///< Integers by the profile; a power of two is a shift.
  kDivision,        ///< A reciprocal with a correction.
  kRoot,            ///< One slot with .approx.
  kReciprocal,      ///< As kRoot.
  kExchange,        ///< Between lanes; latency of an access to shared memory.
  kShuffle,         ///< As kExchange; it occupies shared memory.
  kMatch,           ///< As kExchange; on some GPUs it is a request to shared memory.
  kMatrix,          ///< A product on the tensor cores at the profile's rate.
};

/// When ptxas expands the instruction into branches or a call, which end a basic block.
enum class Expansion : std::uint8_t {
  kInline,    ///< Never; a guard becomes a predicate on its machine instructions.
  kSkipped,   ///< Under a guard: a branch skips it.
  kDividing,  ///< Floats with a rounding modifier, and integers except .u32.
  kRounding,  ///< With a rounding modifier.
  kDouble,    ///< For .f64.
  kWide,      ///< For 64-bit integers.
  kApart,     ///< Always.
};

/// The pipe of the instruction, by Nsight Compute's names, unless its type decides: .f64 values and
/// integer products have pipes of their own.
enum class Pipe : std::uint8_t {
  kFma,  ///< Floating point, and instructions that ptxas puts on either pipe.
  kAlu,  ///< Logic, shifts, comparisons and selections.
  kXu,   ///< Table functions and bit counts.
};

/// The arithmetic of the instruction, for passes that combine instructions as ptxas does, and for
/// advice about atomics.
enum class Algebra : std::uint8_t {
  kApart,  ///< Nothing that combines.
  kSum,
  kDifference,
  kProduct,
  kNegation,
  kShift,  ///< To the left, which multiplies by a power of two.
  kAnd,
  kOr,
  kXor,
  kExtreme,  ///< A minimum or maximum.
};

/// How the decoder puts the operands into the slots of a micro-op, and what it adds
/// (sim/decode: one fill function per value).
enum class Layout : std::uint8_t {
  kInOrder,        ///< d[|p], a, b, c, e
  kComparison,     ///< As kInOrder; a last operand may join the result.
  kLanes,          ///< As kInOrder; the last is the member mask, and none may be missing.
  kSet,            ///< As kInOrder; the sources have the second type.
  kConversion,     ///< d, a; registers may be wider than the types. Or d, a, b in order.
  kLookup,         ///< d[|p], a, b, c, a table of bits [, q]
  kMove,           ///< d, a; either may be a vector. The layout also selects the handler.
  kPolicy,         ///< d: a cache policy, which has no effect.
  kIgnored,        ///< Operands without effect.
  kDuration,       ///< One 32-bit source.
  kLoad,           ///< d, [address]
  kStore,          ///< [address], b [, [barrier object]]
  kAtomic,         ///< [d,] [address], b [, c]; without d as kStore
  kAddress,        ///< [address]; other operands have no effect.
  kTarget,         ///< A label; or an index and a table of labels.
  kCall,           ///< (results), function, (arguments)
  kBarrier,        ///< [d,] barrier [, threads] [, predicate]
  kCopy,           ///< [to], [from], bytes [, bytes to read]; or operands of a wait.
  kBulkCopy,       ///< [to], [from], bytes [, [barrier object]]
  kBarrierObject,  ///< [d,] [object] [, a]
  kProduct,        ///< d, a, b, c: fragments of matrices.
  kFragment,       ///< One fragment and the address of its matrix [, stride].
  kTiles,          ///< A vector of tiles and the addresses of their rows.
};

/// Width of an operand's slot, per lane.
enum class Width : std::uint8_t {
  kOwnType,     ///< The first type.
  kOwnOrWide,   ///< The first type, or twice its width with .wide.
  kSecondType,  ///< The second type.
  kFlag,        ///< A predicate.
  kBytes4,
  kBytes8,
};

/// Widths of the operands of Layout::kInOrder and of layouts that build on it. A second result is a
/// predicate.
struct Widths {
  Width d = Width::kOwnType;
  Width a = Width::kOwnType;
  Width b = Width::kOwnType;
  Width c = Width::kOwnType;
  Width e = Width::kOwnType;

  friend bool operator==(const Widths&, const Widths&) = default;
};

/// Instructions whose semantics share files in sim/exec. Choosers in these files select the
/// function for opcode, types and modifiers (sim/exec/handlers.cpp).
enum class Family : std::uint8_t {
  kArithmetic,  ///< Integers, floats, 16-bit floats and pairs of 16 bits.
  kBits,
  kBitFields,
  kLogic,
  kPredicate,  ///< Comparisons with predicates as results.
  kSet,        ///< Comparisons with numbers as results.
  kSelection,
  kConversion,
  kAddress,
  kCluster,
  kMemory,
  kAtomic,
  kCopy,
  kBarrierObject,
  kControl,
  kLanes,
  kProduct,
  kFragment,
  kTiles,
  kCall,
  kOfLayout,  ///< The layout selects the handler.
};

struct InstructionFacts {
  Results results = Results::kOneResult;
  /// The operand that must be an [address]; if there are two, the first.
  std::optional<std::uint8_t> address = std::nullopt;
  Flow flow = Flow::kNext;
  MemoryRole memory = MemoryRole::kNoMemory;
  bool read_only = false;  ///< Loads data that no thread writes meanwhile, like ld with .nc.
  Timing timing = Timing::kOneSlot;
  Pipe pipe = Pipe::kFma;
  Expansion expansion = Expansion::kInline;
  Algebra algebra = Algebra::kApart;
  /// The type that a comparison compares, as an index into Instruction::types.
  std::optional<std::uint8_t> compared_type = std::nullopt;
  Layout layout = Layout::kInOrder;
  Widths widths = {};
  Family family = Family::kArithmetic;

  friend bool operator==(const InstructionFacts&, const InstructionFacts&) = default;
};

/// A form of an opcode: any instruction with `modifier`.
struct InstructionForm {
  Opcode opcode{};
  Modifier modifier{};
  InstructionFacts facts;
};

/// All forms, in the order of instructions.def; the first match wins.
std::span<const InstructionForm> instruction_forms();

/// The facts of an opcode's row, which apply to every form without a row of its own.
const InstructionFacts& facts(Opcode opcode);

/// The facts of one instruction, taking its form into account.
const InstructionFacts& facts(const Instruction& in);

constexpr bool is_root_or_reciprocal(Timing timing) {
  return timing == Timing::kRoot || timing == Timing::kReciprocal;
}

/// Whether lanes of a warp exchange values.
constexpr bool is_exchange(Timing timing) {
  return timing == Timing::kExchange || timing == Timing::kShuffle || timing == Timing::kMatch;
}

/// Whether an instruction with this flow ends its basic block.
constexpr bool ends_basic_block(Flow flow) { return flow != Flow::kNext && flow != Flow::kCall; }

/// Whether control never continues with the next instruction: `in` jumps, or ends the function or
/// the thread, and has no guard.
bool never_falls_through(const Instruction& in);

/// Whether `in` is an atomic, with or without a result.
bool is_update(const Instruction& in);

/// Whether `in` accesses memory with a strong operation: an atomic, or a load or store that is
/// volatile, relaxed, acquire or release (PTX ISA 9.0, memory consistency model).
bool is_strong(const Instruction& in);

// The shape of a matrix instruction, and the machine instructions of a product.

/// m x n x k as in .m16n8k16: a is m x k, b is k x n, c is m x n.
struct MatrixShape {
  std::uint32_t m = 0;
  std::uint32_t n = 0;
  std::uint32_t k = 0;
};

/// The shape that an instruction names, if any.
std::optional<MatrixShape> matrix_shape(const Instruction& in);

/// One product on the tensor core of an SM sub-partition.
struct MatrixProduct {
  enum class Pipe : std::uint8_t { kHmma, kImma, kDmma };  ///< Floats, integers, doubles.
  Pipe pipe{};
  std::uint32_t instructions = 0;     ///< Machine instructions.
  std::uint32_t multiplications = 0;  ///< In each of them.
  std::uint32_t source_bits = 0;
};

/// The machine instructions of an mma or a wmma.mma on a device of this compute capability (75,
/// 90); nullopt for other instructions.
///
/// Matches ptxas 13.0: HMMA and IMMA have 16 x 8 results and 32 bytes of k; the HMMA of cc 7.5 and
/// tf32 wmma have 16 bytes of k, and the IMMA of cc 7.5 has 8 x 8 results.
std::optional<MatrixProduct> matrix_product(const Instruction& in,
                                            std::uint32_t compute_capability);

// The registers that an instruction writes and reads, and what is known about their values. The
// carry flag (CC.CF) does not count as a register.

/// The number of leading operands of `in` that are results; at most its number of operands.
std::size_t results(const Instruction& in);

/// Calls body(register) for each register that `operand` names.
template <typename Body>
void for_each_register(const Operand& operand, const Body& body) {
  if (operand.kind == Operand::Kind::kRegister) body(operand.index);
  for (const auto& element : operand.elements) for_each_register(element, body);
}

/// Calls body(register) for each register that `in` writes, fully or in part.
template <typename Body>
void for_each_written(const Instruction& in, const Body& body) {
  for (std::size_t k = 0; k < results(in); ++k) for_each_register(in.operands[k], body);
}

/// Calls body(register) each time `in` reads the register: for each operand, then for the guard.
template <typename Body>
void for_each_read(const Instruction& in, const Body& body) {
  for (auto k = results(in); k < in.operands.size(); ++k) for_each_register(in.operands[k], body);
  if (in.guard) body(*in.guard);
}

/// Whether any instruction reads a result of `in`.
bool is_result_used(const Function& function, const Instruction& in);

/// The value of an operand that is the same constant in the whole function.
std::optional<std::uint64_t> constant(const Function& function, const Operand& operand);

/// Whether `in` is an atomic that only reads: it adds the constant 0, or swaps a constant for the
/// same one.
bool changes_nothing(const Function& function, const Instruction& in);

// Finds registers that, to the assembler's knowledge, hold the same value in all lanes of a warp.
//
// Such a register is written once, without a guard, from parameters, constants, the block's index
// and size, addresses of variables, other uniform registers, or loads from uniform addresses. Loop
// counters are written twice and left out, although the assembler recognises some of them.

/// By register: 1 if it is uniform.
std::vector<std::uint8_t> uniform_registers(const Function& function);

/// Whether `operand`, a number, an address or a vector, has the same value in all lanes.
bool is_uniform(const Operand& operand, const std::vector<std::uint8_t>& registers);

}  // namespace warpgrade::ptx
