// SPDX-License-Identifier: Apache-2.0
// Works out what the assembler makes of each atom and red of a kernel, read off its PTX.
//
// NVRTC writes atom even where nobody wants the result; the assembler then takes the cheaper red,
// and an addition of 1 to shared memory becomes a count of lanes (ATOMS.POPC.INC). Seen in the
// machine code for sm_90 of one kernel an operation. Only an immediate 1 is recognised.
//
// Where all lanes of a warp go to one address, known to the assembler, one lane does it for all: it
// adds a number that they share as often as there are lanes (VOTE, POPC; from cc 7 on), or what
// the warp has reduced before (REDUX, from cc 8 on, of 32 bits, where nobody uses the result).
#pragma once

#include <cstdint>
#include <vector>

#include "common/device/profile.h"
#include "common/memory/shared_banks.h"
#include "common/ptx/module.h"
#include "common/run/observer.h"

namespace warpgrade::memory {

struct AtomicForm {
  /// How it is done on shared memory with 32 banks of the H200.
  enum class OnShared : std::uint8_t {
    kOneByOne,        ///< Lanes on one word follow each other.
    kCompareAndSwap,  ///< The same, in twice the wavefronts.
    kCount,           ///< Lanes on one word count as one, as in a store.
    kLoop,            ///< No such instruction: shared_loop.h.
  };
  OnShared on_shared = OnShared::kOneByOne;
  bool is_reduction = false;  ///< The result is not used.
  bool is_float = false;
  bool by_one_lane = false;  ///< The last active one, for all of them.

  friend bool operator==(const AtomicForm&, const AtomicForm&) = default;
};

/// One for each instruction of `function`; those of other instructions mean nothing.
std::vector<AtomicForm> atomic_forms(const ptx::Function& function, const device::Profile& profile);

/// The access that machine code makes of `event`: the same with only those lanes that do the work.
run::MemoryEvent as_executed(const std::vector<AtomicForm>& forms, const run::MemoryEvent& event);

/// How an access of shared memory is done, by the forms of its function. Of anything but an atomic,
/// on other banks than the H200's and where there is no PTX: kOneByOne.
AtomicForm::OnShared on_shared(const std::vector<AtomicForm>& forms, const run::MemoryEvent& event,
                               device::SharedBanks banks);

/// How what is no loop uses the banks.
SharedUse shared_use(run::Operation operation, AtomicForm::OnShared how);

}  // namespace warpgrade::memory
