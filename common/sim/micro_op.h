// SPDX-License-Identifier: Apache-2.0
// A decoded PTX instruction: a handler and the places of its operands.
//
// Every register of a warp is a slot: 32 adjacent lanes, each as wide as the register's type (a
// predicate is one 32-bit mask). Immediates, parameters, addresses of variables and special
// registers are also slots, filled before the warp runs. So a handler needs only one kind of
// operand: the byte offset of a slot in the warp's register file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "common/ptx/module.h"
#include "common/run/observer.h"
#include "common/sim/matrix_op.h"

namespace warpgrade::sim {

struct Warp;
struct MicroOp;

/// Executes `op` for the lanes in `mask`, which is not empty.
using Handler = void (*)(Warp& warp, const MicroOp& op, std::uint32_t mask);

__extension__ using Wide = unsigned __int128;  ///< A lane of a .b128 register.

using Slot = std::uint32_t;  ///< Byte offset into a warp's register file, a multiple of 64.
constexpr Slot kNoSlot = std::numeric_limits<Slot>::max();
constexpr std::uint32_t kNoInstruction = std::numeric_limits<std::uint32_t>::max();

/// How bar.red combines the threads' predicates.
enum class BarrierReduction : std::uint8_t { kNone, kPopc, kAnd, kOr };

struct MicroOp {
  Handler handler = nullptr;
  Slot d = kNoSlot;  ///< Result.
  Slot a = kNoSlot;  ///< First source; the base of an address.
  Slot b = kNoSlot;
  Slot c = kNoSlot;
  Slot e = kNoSlot;         ///< Fourth source.
  Slot p = kNoSlot;         ///< Second result, a predicate.
  Slot guard = kNoSlot;     ///< Predicate that selects lanes; kNoSlot: all.
  std::int64_t offset = 0;  ///< Address offset, or an immediate (lop3's table, bar's number).
  /// Micro-op of a branch; first element in Code::vectors; index into Code::matrices.
  std::uint32_t target = 0;
  std::uint32_t instruction = kNoInstruction;  ///< Index into ptx::Function::instructions.
  bool guard_negated = false;
  bool is_volatile = false;
  bool is_bulk = false;        ///< Part of a bulk copy.
  bool orders_memory = false;  ///< Lanes that meet see each other's earlier accesses.
  ptx::StateSpace space = ptx::StateSpace::kGeneric;
  run::Operation operation = run::Operation::kLoad;
  BarrierReduction reduction = BarrierReduction::kNone;
};

/// Slots of a function's .param variable: one value per lane, `stride` bytes apart.
struct ParameterSlot {
  Slot slot = 0;
  std::uint32_t stride = 8;
  std::uint32_t bytes = 0;  ///< Size of the variable.
};

/// A function that can be called: a part of the linked function. [0] is the kernel.
struct Callee {
  std::string name;  ///< The PTX name.
  std::uint32_t entry = 0;
  std::uint32_t local_bytes = 0;  ///< Size of its variables in local memory.
  std::vector<ParameterSlot> results;
  std::vector<ParameterSlot> parameters;
  /// Everything that a recursive call saves, in [slots_begin, slots_end); an entry with `bytes` 0
  /// is a predicate.
  std::vector<ParameterSlot> slots;
  Slot slots_begin = 0;
  Slot slots_end = 0;
  ptx::Range undefined;       ///< Its entries in Code::undefined.
  std::uint64_t address = 0;  ///< The value of a pointer to it; 0 if its address is never taken.
};

/// A call in the code: the caller's .param variables and, for a direct call, the callee.
struct CallSite {
  static constexpr std::uint32_t kIndirect = std::numeric_limits<std::uint32_t>::max();
  std::uint32_t callee = kIndirect;  ///< Index into Code::callees.
  std::uint32_t caller = 0;          ///< Index into Code::callees.
  std::vector<ParameterSlot> results;
  std::vector<ParameterSlot> arguments;
  Slot scratch = kNoSlot;  ///< 64-bit lanes, for memory reads by printf.
};

constexpr Slot kMeetingStride = 256;  ///< 32 lanes of 8 bytes.

/// A decoded function, with everything that its warps need.
struct Code {
  /// A slot that is filled before execution, with one value for all lanes or by a special
  /// register.
  struct Constant {
    Slot slot = 0;
    std::uint32_t bytes = 4;  ///< Bytes per lane.
    std::uint64_t value = 0;
    bool is_special = false;
    ptx::SpecialRegister special{};
  };

  /// A register that may be read before it is written; initially garbage.
  struct Undefined {
    Slot slot = 0;
    std::uint32_t bytes = 0;             ///< Bytes per lane; 0: a predicate.
    std::vector<std::uint32_t> readers;  ///< Instructions, as in UndefinedRegister::readers.
  };

  const ptx::Function* function = nullptr;
  std::vector<ptx::Refusal> refused;  ///< Instructions that fault when executed.
  std::vector<MicroOp> ops;
  std::vector<Slot> vectors;         ///< Slots of the elements of vector operands.
  std::vector<std::uint32_t> jumps;  ///< Micro-ops of jump tables.
  std::vector<Constant> constants;
  std::vector<Callee> callees;
  std::vector<CallSite> sites;
  std::vector<MatrixOp> matrices;
  std::vector<Undefined> undefined;
  Slot local_base = kNoSlot;  ///< 64-bit lanes: Frame::local_base of their current call.
  /// Six slots, kMeetingStride bytes apart, for operands of lanes that meet from different places;
  /// kNoSlot if no two instructions are of the same kind.
  Slot meeting = kNoSlot;
  std::uint32_t register_bytes = 0;  ///< Size of a warp's register file.
  std::uint32_t shared_bytes = 0;    ///< Static shared memory.
  /// Bytes that the simulator adds between shared variables to detect accesses past the end; 0 with
  /// at most one variable.
  std::uint32_t shared_padding = 0;
  std::vector<run::SharedVariable>
      shared_variables;             ///< Static variables, and the start of dynamic ones.
  std::uint32_t local_bytes = 0;    ///< Stack size per thread.
  bool has_global_atomics = false;  ///< Global atomics or flags: blocks must run in one order.
  bool uses_heap = false;           ///< Uses the heap; the same applies.
};

}  // namespace warpgrade::sim
