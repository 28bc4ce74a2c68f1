// SPDX-License-Identifier: Apache-2.0
// Records what the warps of a time simulation do, for profiles: by source line.
//
// In: each stretch of time that a warp spends in a state, with the step of its program. Out: sums
// by line, which add up to those of all warps. A step of several lines divides its time among them:
// issue slots by slots, fixed latencies by the clocks beyond the slots, and busy pipes by the
// clocks of pipes. A warp that waits for memory is at the line that needs the value, not at the
// load, as in Nsight Compute.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "common/base/diagnostic.h"
#include "common/timing/trace.h"

namespace warpgrade::timing {

/// Whether a warp issues in a clock, or what keeps it from issuing.
enum class WarpState : std::uint8_t {
  kSelected,          ///< It issues.
  kNotSelected,       ///< It could, and the scheduler issues another warp.
  kWait,              ///< A fixed latency between two of its instructions.
  kMathPipeThrottle,  ///< A pipe is busy.
  kLongScoreboard,    ///< Global or local memory answers.
  kShortScoreboard,   ///< Shared memory answers.
  kLgThrottle,        ///< The queue for global and local memory is full.
  kMioThrottle,       ///< The queue for shared memory is full.
  kBarrier,
  kMembar,
  kSleeping,
  kCount,
};
constexpr auto kWarpStates = static_cast<std::size_t>(WarpState::kCount);

/// Nsight Compute's name: "long_scoreboard".
std::string_view name(WarpState state);
/// For people: "issuing", "waiting for global memory".
std::string_view in_words(WarpState state);

/// Clocks by WarpState.
using StateClocks = std::array<double, kWarpStates>;

/// The time that the warps of the mean SM spend at one line, by state.
struct LineActivity {
  base::SourceLocation where;
  StateClocks clocks{};  ///< Summed over the warps.

  double total() const;
};

/// Adds `more` to `all`, line by line; both are in source order.
void add_activity(const std::vector<LineActivity>& more, std::vector<LineActivity>& all);

class WarpRecorder {
 public:
  /// Follows the programs of `trace`, which must have lines and outlive this.
  explicit WarpRecorder(const Trace& trace);

  /// A warp is in `state` for `clocks` because of this step of its program.
  void add(std::uint32_t program, const Step* step, WarpState state, double clocks) {
    const auto at =
        begin_[program] + static_cast<std::size_t>(step - trace_.programs[program].data());
    clocks_[at][static_cast<std::size_t>(state)] += clocks;
  }

  /// By line, in source order, each multiplied by `times`.
  std::vector<LineActivity> lines(double times) const;

 private:
  const Trace& trace_;
  std::vector<std::size_t> begin_;   ///< By program: its first step in `clocks_`.
  std::vector<StateClocks> clocks_;  ///< By step of all programs.
};

}  // namespace warpgrade::timing
