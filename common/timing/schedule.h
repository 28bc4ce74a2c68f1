// SPDX-License-Identifier: Apache-2.0
// The order in which the assembler lets a warp's instructions issue, as steps.
//
// Input: a stretch, consecutive PTX instructions of a warp that machine code can reorder (no loop
// head, barrier or real branch between them). Output: steps in machine order. A list scheduler
// respects dependences through registers and memory; otherwise loads, and the instructions that
// they need, come first. ptxas does the same to have many loads in flight. Loads that wait for no
// other load come before those whose address a load delivers. So a warp that gathers 16 elements
// loads 16 indices, then 16 elements, and waits twice instead of 17 times. A load never passes a
// store that may use the same memory, so loads from plain pointers stay after global stores and
// pass stores to shared memory. A warp waits for a loaded value at its first use.
//
// If a stretch contains several passes of a loop that machine code has unrolled, each pass has its
// own registers: its loads need not wait for uses in the previous pass.
//
// ptxas hoists less if registers are scarce. For an unrolled loop whose loads are independent,
// machine code gives the number of loads in flight (UnrolledLoop::loads_ahead); elsewhere this is
// not modelled.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "common/timing/machine_code.h"

namespace warpgrade::timing {

struct Step {
  enum class Kind : std::uint8_t {
    kCompute,   ///< `slots` issue slots, and at least `value` clocks from the first to the next
                ///< step.
    kRequest,   ///< Request `value`: of the stretch, or in a program of the warp.
    kWait,      ///< For register `value` from before; in a program for the answer to request
                ///< `value`.
    kWaitHere,  ///< For the answer to request `value` of the stretch; not in programs.
    kBarrier,
    kPass,  ///< `value` clocks of the shared memory stage, without waiting.
  };
  Kind kind{};
  std::uint16_t slots = 0;
  std::uint32_t value = 0;
  std::array<std::uint16_t, kPipes> pipes{};  ///< For kCompute: clocks of its scheduler's pipes.

  friend bool operator==(const Step&, const Step&) = default;
};

/// One executed instruction of a stretch.
struct Executed {
  std::uint32_t instruction = 0;
  std::uint32_t requests = 0;  ///< Its memory requests.
  bool is_off = false;         ///< Predicated off in all lanes: it issues without effect.

  friend bool operator==(const Executed&, const Executed&) = default;
};

/// The steps of `stretch`. kRequest counts requests in the order of the stretch.
std::vector<Step> schedule(const std::vector<MachineOp>& ops, std::span<const Executed> stretch);

}  // namespace warpgrade::timing
