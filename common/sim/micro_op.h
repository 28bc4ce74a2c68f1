// SPDX-License-Identifier: Apache-2.0
// A PTX instruction made ready to execute: a handler and the places of its operands.
//
// Every register of a warp is a slot: 32 lanes side by side, each as wide as the register's type
// (a predicate is one 32-bit mask). Immediates, parameters, addresses of variables and special
// registers are slots too, filled before the warp runs, so a handler knows one kind of operand: the
// byte offset of a slot in the warp's register file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "common/ptx/module.h"
#include "common/run/observer.h"

namespace warpgrade::sim {

struct Warp;
struct MicroOp;

/// Executes `op` for the lanes in `mask`, which is not empty.
using Handler = void (*)(Warp& warp, const MicroOp& op, std::uint32_t mask);

using Slot = std::uint32_t;  ///< Byte offset into a warp's register file, a multiple of 64.
constexpr Slot kNoSlot = std::numeric_limits<Slot>::max();
constexpr std::uint32_t kNoInstruction = std::numeric_limits<std::uint32_t>::max();

/// What bar.red makes of the threads' predicates.
enum class BarrierReduction : std::uint8_t { kNone, kPopc, kAnd, kOr };

struct MicroOp {
  Handler handler = nullptr;
  Slot d = kNoSlot;  ///< Result.
  Slot a = kNoSlot;  ///< First source; the base of an address.
  Slot b = kNoSlot;
  Slot c = kNoSlot;
  Slot e = kNoSlot;          ///< Fourth source.
  Slot p = kNoSlot;          ///< Second result, a predicate.
  Slot guard = kNoSlot;      ///< Predicate that lanes must have; kNoSlot: all.
  std::int64_t offset = 0;   ///< Added to an address; an immediate (lop3's table, bar's number).
  std::uint32_t target = 0;  ///< Micro-op of a branch; first of `vector` in Code::vectors.
  std::uint32_t instruction = kNoInstruction;  ///< Index into ptx::Function::instructions.
  bool guard_negated = false;
  bool is_volatile = false;
  ptx::StateSpace space = ptx::StateSpace::kGeneric;
  run::Operation operation = run::Operation::kLoad;
  BarrierReduction reduction = BarrierReduction::kNone;
};

/// A function made ready to execute, with what its warps need.
struct Code {
  /// A slot that is filled before execution: with one value for all lanes, or by a special
  /// register.
  struct Constant {
    Slot slot = 0;
    std::uint32_t bytes = 4;  ///< A lane.
    std::uint64_t value = 0;
    bool is_special = false;
    ptx::SpecialRegister special{};
  };

  const ptx::Function* function = nullptr;
  std::vector<MicroOp> ops;
  std::vector<Slot> vectors;         ///< Slots of the elements of vector operands.
  std::vector<std::uint32_t> jumps;  ///< Micro-ops of jump tables.
  std::vector<Constant> constants;
  std::uint32_t register_bytes = 0;  ///< Size of a warp's register file.
  std::uint32_t shared_bytes = 0;    ///< Static shared memory.
  std::vector<run::SharedVariable>
      shared_variables;             ///< Static ones, and where dynamic ones begin.
  std::uint32_t local_bytes = 0;    ///< A thread.
  bool has_global_atomics = false;  ///< Blocks must run in one order.
};

}  // namespace warpgrade::sim
