// SPDX-License-Identifier: Apache-2.0
// Predicts the machine code of each atom and red of a kernel from its PTX.
//
// NVRTC emits atom even if the result is unused. The assembler then uses the cheaper red, and turns
// an addition of 1 to shared memory into a count of lanes (ATOMS.POPC.INC). Observed in sm_90
// machine code of one kernel per operation. Only an immediate 1 is recognised.
//
// If the assembler knows that all lanes of a warp use one address, one lane does the operation for
// all: it adds a shared number times the number of lanes (VOTE, POPC; from cc 7 on), or a value
// that the warp reduced before (REDUX; from cc 8 on, 32 bits, result unused).
#pragma once

#include <cstdint>
#include <vector>

#include "common/device/profile.h"
#include "common/memory/shared_banks.h"
#include "common/ptx/module.h"
#include "common/run/observer.h"

namespace warpgrade::memory {

struct AtomicForm {
  /// The implementation on shared memory with the 32 banks of the H200.
  enum class OnShared : std::uint8_t {
    kOneByOne,        ///< Lanes on one word run one after another.
    kCompareAndSwap,  ///< The same, with twice the wavefronts.
    kCount,           ///< Lanes on one word count once, as in a store.
    kLoop,            ///< A loop in machine code, see shared_loop.h.
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

}  // namespace warpgrade::memory
