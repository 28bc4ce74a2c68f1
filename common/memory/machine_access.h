// SPDX-License-Identifier: Apache-2.0
// The memory accesses that the assembler generates for a PTX instruction.
//
// It joins accesses to neighbouring words of shared memory, keeps arrays of a thread in
// registers, and spills registers to local memory. It also chooses the machine code of atomics.
// Counters count these accesses instead of those in PTX. A bulk copy gets the form of a warp's
// requests.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "common/device/profile.h"
#include "common/memory/shared_banks.h"
#include "common/ptx/module.h"
#include "common/run/observer.h"

namespace warpgrade::memory {

/// A register that the assembler spills to local memory, or loads from there.
struct SpillAccess {
  bool is_store = false;
  std::uint8_t bytes = 0;   ///< Per lane.
  std::int32_t offset = 0;  ///< From the start of the thread's stack.

  friend bool operator==(const SpillAccess&, const SpillAccess&) = default;
};

struct MachineAccess {
  static constexpr std::uint8_t kMerged = 0xff;
  /// For a load or store of shared memory whose machine access differs: its bytes per lane, or
  /// kMerged if another instruction's access includes it. 0: as in PTX.
  std::uint8_t shared_bytes = 0;
  bool is_register = false;  ///< An access to local memory that machine code does not make.
  std::vector<SpillAccess> spills = {};  ///< With each execution of the instruction.

  friend bool operator==(const MachineAccess&, const MachineAccess&) = default;
};

/// Whether the assembler dropped the access, or joined it to another one.
inline bool is_left_out(const MachineAccess& access, run::Space space) {
  return space == run::Space::kLocal
             ? access.is_register
             : space == run::Space::kShared && access.shared_bytes == MachineAccess::kMerged;
}

/// By instruction of a function; empty if all accesses are as in PTX.
using MachineAccesses = std::vector<MachineAccess>;

inline const MachineAccess kAsInPtx;

/// The access of an instruction.
inline const MachineAccess& access_of(const MachineAccesses& all, std::uint32_t instruction) {
  return instruction < all.size() ? all[instruction] : kAsInPtx;
}

// The wide machine access for a PTX access to shared memory and its neighbours.

/// A wide access to shared memory for the PTX access `narrow` on its line: of `bytes` per lane,
/// aligned to its size as the hardware demands. It uses its own addresses, so it must outlive its
/// event.
class WideAccess {
 public:
  WideAccess(const run::MemoryEvent& narrow, std::uint8_t bytes) : event_(narrow) {
    for (std::size_t lane = 0; lane < address_.size(); ++lane) {
      if ((narrow.mask >> lane & 1U) != 0) address_[lane] = narrow.address[lane] / bytes * bytes;
    }
    event_.bytes = bytes;
    event_.address = address_.data();
    event_.data = nullptr;
    if (narrow.stride % bytes != 0) event_.stride = run::kIrregular;
  }
  WideAccess(const WideAccess&) = delete;
  WideAccess& operator=(const WideAccess&) = delete;

  const run::MemoryEvent& event() const { return event_; }

 private:
  std::array<std::uint64_t, 32> address_{};
  run::MemoryEvent event_;
};

// Predicts the machine code of each atom and red of a kernel from its PTX.
//
// NVRTC emits atom even if the result is unused. The assembler then uses the cheaper red, and turns
// an addition of 1 to shared memory into a count of lanes (ATOMS.POPC.INC). Observed in sm_90
// machine code of one kernel per operation. Only an immediate 1 is recognised.
//
// If the assembler knows that all lanes of a warp use one address, one lane does the operation for
// all: it adds a shared number times the number of lanes (VOTE, POPC; from cc 7 on), or a value
// that the warp reduced before (REDUX; from cc 8 on, 32 bits, result unused).

struct AtomicForm {
  /// The implementation on shared memory with the 32 banks of the H200.
  enum class OnShared : std::uint8_t {
    kOneByOne,        ///< Lanes on one word run one after another.
    kCompareAndSwap,  ///< The same, with twice the wavefronts.
    kCount,           ///< Lanes on one word count once, as in a store.
    kLoop,            ///< A loop in machine code, see shared_banks.h.
  };
  OnShared on_shared = OnShared::kOneByOne;
  bool is_reduction = false;  ///< The result is not used.
  bool is_float = false;
  bool by_one_lane = false;  ///< Only the last active lane acts, for all of them.

  friend bool operator==(const AtomicForm&, const AtomicForm&) = default;
};

/// One form per instruction of `function`; meaningless for instructions that are not atomics.
std::vector<AtomicForm> atomic_forms(const ptx::Function& function, const device::Profile& profile);

/// The access that the machine code makes: `event` with only the lanes that do the work.
run::MemoryEvent as_executed(const AtomicForm& form, const run::MemoryEvent& event);

/// The bank use of an operation that is not a loop.
SharedUse shared_use(run::Operation operation, AtomicForm::OnShared how);

// How loads from global memory use L1, by cache operator, eviction hint and scope. Measured on an
// H200 (tests/evidence/golden/h200_loads). ld.cg, ld.cv, cp.async.cg and loads that other SMs order
// bypass L1; ld.nc uses it even with .cg.

enum class L1Use : std::uint8_t {
  kServes,    ///< Looks sectors up in L1, and fills L1 with the missing ones.
  kReads,     ///< Looks sectors up, but fills nothing: .lu, .L1::no_allocate.
  kBypasses,  ///< Neither.
};

/// One per instruction of `function`; meaningless for instructions that are not loads.
std::vector<L1Use> l1_uses(const ptx::Function& function);

// A bulk copy as requests of a warp: up to 32 adjacent lanes of 16 bytes, split where the global
// address is a multiple of 512. The copy engine makes no such requests; this form lets counters and
// the time model treat a copy like other accesses.

/// Calls `visit` for both sides of each part of a copy, the source side first; never for events
/// that start no copy.
void for_each_bulk_request(const run::BulkEvent& event,
                           const std::function<void(const run::MemoryEvent&)>& visit);

}  // namespace warpgrade::memory
