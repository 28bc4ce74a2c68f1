// SPDX-License-Identifier: Apache-2.0
// A decoded PTX instruction: a handler, the places of its operands, and its cost.
//
// Every register of a warp is a slot: 32 adjacent lanes, each as wide as the register's type (a
// predicate is one 32-bit mask). Immediates, parameters, addresses of variables and special
// registers are also slots, filled before the warp runs. So a handler needs only one kind of
// operand: the byte offset of a slot in the warp's register file.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "common/ptx/module.h"
#include "common/run/observer.h"

namespace warpgrade::sim {

// A decoded matrix instruction: shape, formats, rule of the sum, and the register slots of its
// fragments.
//
// MicroOp::target of such an instruction is an index into Code::matrices. A slot of a fragment has
// 32 lanes of 4 bytes, or of 8 bytes for f64.

/// Format of an element in memory and in a fragment.
enum class Element : std::uint8_t { kF16, kBf16, kTf32, kF32, kF64, kS8, kU8, kS32 };

constexpr std::uint32_t bytes_of(Element element) {
  switch (element) {
    case Element::kS8:
    case Element::kU8:
      return 1;
    case Element::kF16:
    case Element::kBf16:
      return 2;
    case Element::kF64:
      return 8;
    default:
      return 4;
  }
}

/// How the tensor cores of a generation add up products (exec/uncommon/mma.cpp).
struct TensorRule {
  std::uint8_t fraction_bits = 0;  ///< Bits kept below the largest summand's leading place.
  std::uint8_t half_step = 0;      ///< Products of f16 and bf16 per step.
  std::uint8_t tf32_step = 0;      ///< Products of tf32 per step.
};

struct MatrixOp {
  std::uint32_t m = 0;
  std::uint32_t n = 0;
  std::uint32_t k = 0;
  Element a{};
  Element b{};
  Element c{};
  Element d{};
  bool saturates = false;
  TensorRule rule;
  std::uint32_t step = 0;  ///< Products per step.

  /// wmma.load and wmma.store: the moved operand and its memory layout.
  enum class Operand : std::uint8_t { kA, kB, kC, kD };
  Operand operand{};
  bool column_major = false;

  /// ldmatrix, stmatrix: 8 x 8 tiles of two-byte elements, optionally transposed.
  bool transposes = false;

  std::vector<std::uint32_t> d_slots;  ///< Also the registers of a load or a store.
  std::vector<std::uint32_t> a_slots;
  std::vector<std::uint32_t> b_slots;
  std::vector<std::uint32_t> c_slots;
  std::uint32_t addresses = 0;  ///< 64-bit lanes for the addresses of one access.
};

struct Warp;
struct MicroOp;

/// Executes `op` for the lanes in `mask`, which is not empty.
using Handler = void (*)(Warp& warp, const MicroOp& op, std::uint32_t mask);

__extension__ using Wide = unsigned __int128;  ///< A lane of a .b128 register.

using Slot = std::uint32_t;  ///< Byte offset into a warp's register file, a multiple of 64.
constexpr Slot kNoSlot = std::numeric_limits<Slot>::max();
constexpr std::uint32_t kNoInstruction = std::numeric_limits<std::uint32_t>::max();

/// MicroOp::uses of a load whose value all lanes may use.
constexpr std::uint32_t kAllLanes = std::numeric_limits<std::uint32_t>::max();

/// How bar.red combines the threads' predicates.
enum class BarrierReduction : std::uint8_t { kNone, kPopc, kAnd, kOr };

struct MicroOp {
  Handler handler = nullptr;
  Handler teller = nullptr;  ///< Tells the block's watchers of rare operands; nullptr: needless.
  Slot d = kNoSlot;          ///< Result.
  Slot a = kNoSlot;          ///< First source; the base of an address.
  Slot b = kNoSlot;
  Slot c = kNoSlot;
  Slot e = kNoSlot;         ///< Fourth source.
  Slot p = kNoSlot;         ///< Second result, a predicate.
  Slot guard = kNoSlot;     ///< Predicate that selects lanes; kNoSlot: all.
  std::int64_t offset = 0;  ///< Address offset, or an immediate (lop3's table, bar's number).
  /// Micro-op of a branch; first element in Code::vectors; index into Code::matrices.
  std::uint32_t target = 0;
  std::uint32_t instruction = kNoInstruction;  ///< Index into ptx::Function::instructions.
  std::uint32_t uses = kAllLanes;              ///< Index into Code::uses, for loads.
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

  /// A predicate under which a lane uses the value of a load (ptx/conditional_loads.h).
  struct Use {
    Slot predicate = 0;
    bool negated = false;
  };

  const ptx::Function* function = nullptr;
  std::vector<ptx::Refusal> refused;  ///< Instructions that fault when executed.
  std::vector<MicroOp> ops;
  std::vector<Slot> vectors;         ///< Slots of the elements of vector operands.
  std::vector<std::uint32_t> jumps;  ///< Micro-ops of jump tables.
  std::vector<Constant> constants;
  std::vector<std::vector<Use>> uses;  ///< By conditional load: one of its predicates must hold.
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

/// How set joins a comparison with a predicate: the decoder stores it in MicroOp::target, and
/// exec/uncommon/set.cpp reads it.
enum class Join : std::uint32_t { kNone, kAnd, kOr, kXor };

// Work: the cost of a block's execution, in units of about the time of a plain warp instruction.
//
// A limit on work stops a kernel that would occupy the host for too long. Work is counted rather
// than timed, so a kernel stops at the same place on every machine under any load. Each micro-op is
// one unit; slower operations are charged with the numbers below. These were fitted to the run
// times of kernels of one kind each, with all checks on. They are accurate within a factor of about
// three, which is enough for a limit.

/// An observed request of a warp with one stride.
constexpr std::uint64_t kRequestWork = 64;
/// The same per lane with irregular addresses, and for lanes that move less than a word, because
/// each byte is tracked separately.
constexpr std::uint64_t kScatteredLaneWork = 8;
constexpr std::uint64_t kScatteredByteWork = 96;
/// Per lane of an atomic operation.
constexpr std::uint64_t kAtomicLaneWork = 8;
/// A request, and an instruction, that the time model traces: it stores and replays them.
constexpr std::uint64_t kTracedRequestWork = 256;
constexpr std::uint64_t kTracedWork = 16;
/// A barrier, or another event that orders accesses; for each observer.
constexpr std::uint64_t kOrderWork = 16;
/// A fence, after which all accesses of its threads are new for the checks; for each observer.
constexpr std::uint64_t kFenceWork = 128;
/// A call of a device function.
constexpr std::uint64_t kCallWork = 128;
/// A call of printf by a thread.
constexpr std::uint64_t kPrintWork = 128;
/// Per byte that printf formats, or reads as its format or a string.
constexpr std::uint64_t kPrintedByteWork = 4;
/// A call of malloc or free by a thread, and bytes of the heap's addresses per unit. Each piece has
/// its own addresses, and observers need memory per address.
constexpr std::uint64_t kHeapWork = 256;
constexpr std::uint64_t kHeapBytesPerUnit = 4;
/// Bytes of memory filled per unit.
constexpr std::uint64_t kFilledPerUnit = 64;
/// An arithmetic instruction in half precision; one on pairs counts as two.
constexpr std::uint64_t kHalfWork = 32;
/// The same for tanh.
constexpr std::uint64_t kHalfTanhWork = 72;
/// A number that is rounded to half precision; a pair counts as two.
constexpr std::uint64_t kHalfConversionWork = 8;
/// Instructions of the kernel whose counts are added up per unit.
constexpr std::uint64_t kCountsPerUnit = 8;

/// For messages.
constexpr const char* kUnitsText =
    "a warp instruction is one unit, a request of memory or a call of printf or malloc is many";

}  // namespace warpgrade::sim
