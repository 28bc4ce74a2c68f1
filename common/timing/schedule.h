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
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "common/base/diagnostic.h"
#include "common/ptx/module.h"
#include "common/timing/machine_code.h"

namespace warpgrade::timing {

// Source lines of steps, for profiles: a step consists of instructions of one or more lines.

/// The part of a step that belongs to a line.
struct StepPart {
  std::uint32_t line = 0;  ///< Index in StepLines::places().
  double slots = 0;
  double clocks = 0;
  double pipes = 0;  ///< Clocks of all pipes.

  friend bool operator==(const StepPart&, const StepPart&) = default;
  friend auto operator<=>(const StepPart&, const StepPart&) = default;
};
using StepParts = std::vector<StepPart>;

/// Numbers the lists of parts that the steps of a kernel have. Number 0 is the empty list.
class StepLines {
 public:
  /// Without lines, for tests and as a default.
  StepLines() = default;
  /// The lines of the instructions of `function`.
  explicit StepLines(const ptx::Function& function);

  /// The same lines without lists.
  StepLines without_lists() const {
    StepLines out;
    out.places_ = places_;
    out.line_of_ = line_of_;
    return out;
  }

  const std::vector<base::SourceLocation>& places() const { return places_; }
  std::uint32_t line_of(std::uint32_t instruction) const { return line_of_.at(instruction); }
  const StepParts& parts(std::uint32_t number) const { return lists_.at(number); }
  std::uint32_t number_of(const StepParts& parts);
  /// The number of both lists together.
  std::uint32_t merged(std::uint32_t a, std::uint32_t b);

 private:
  std::vector<base::SourceLocation> places_;
  std::vector<std::uint32_t> line_of_;  ///< By instruction.
  std::vector<StepParts> lists_ = {{}};
  std::map<StepParts, std::uint32_t> numbers_ = {{{}, 0}};
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> merged_;
};

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
  std::uint32_t parts = 0;                    ///< Number in StepLines; 0: lines are not followed.

  friend bool operator==(const Step&, const Step&) = default;
};

/// One executed instruction of a stretch.
struct Executed {
  std::uint32_t instruction = 0;
  std::uint32_t requests = 0;  ///< Its memory requests.
  bool is_off = false;         ///< Predicated off in all lanes: it issues without effect.

  friend bool operator==(const Executed&, const Executed&) = default;
};

/// The steps of `stretch`. kRequest counts requests in the order of the stretch. With `lines`, each
/// step has its parts there; all else is the same.
std::vector<Step> schedule(const std::vector<MachineOp>& ops, std::span<const Executed> stretch,
                           StepLines* lines = nullptr);

}  // namespace warpgrade::timing
