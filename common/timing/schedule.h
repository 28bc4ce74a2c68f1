// SPDX-License-Identifier: Apache-2.0
// The order in which the assembler lets a warp's instructions issue, as steps.
//
// In: a stretch, PTX instructions that a warp has executed one after the other and that machine
// code can mix (no loop's head, barrier or real branch between). Out: steps in machine order. A
// list scheduler keeps what depends on registers and memory in order and else takes loads, and what
// they need, first: that is what ptxas does to have many loads in flight. A load never passes a
// store that may be to the same memory, so loads from plain pointers stay behind global stores and
// pass those to shared memory. A result of memory is waited for where it is used first.
//
// Where a stretch has several passes of a loop, which machine code has unrolled, each pass has
// registers of its own: its loads need not wait until those of the pass before are used.
//
// Not modelled: that registers run out, of which ptxas takes care by hoisting less.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "common/timing/machine_code.h"

namespace warpgrade::timing {

struct Step {
  enum class Kind : std::uint8_t {
    kCompute,  ///< `slots` issue slots, and `value` clocks at least from the first to the next
               ///< step.
    kRequest,  ///< TracedAccess number `value` of memory: of the stretch, in a program of the warp.
    kWait,     ///< For register `value` of before; in a program for the answer to request `value`.
    kWaitHere,  ///< For the answer to request `value` of the stretch; in no program.
    kBarrier,
    kPass,  ///< `value` clocks of the stage that shared memory's wavefronts pass; nothing waits.
  };
  Kind kind{};
  std::uint16_t slots = 0;
  std::uint32_t value = 0;
  std::array<std::uint16_t, kPipes> pipes{};  ///< Of kCompute: clocks of its scheduler's pipes.

  friend bool operator==(const Step&, const Step&) = default;
};

/// One executed instruction of a stretch.
struct Executed {
  std::uint32_t instruction = 0;
  std::uint32_t requests = 0;  ///< Memory requests that it has made.
  bool is_off = false;         ///< No lane had its predicate: it issues and does nothing.

  friend bool operator==(const Executed&, const Executed&) = default;
};

/// The steps of `stretch`. kRequest counts requests in the order of the stretch.
std::vector<Step> schedule(const std::vector<MachineOp>& ops, std::span<const Executed> stretch);

}  // namespace warpgrade::timing
