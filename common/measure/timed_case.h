// SPDX-License-Identifier: Apache-2.0
// Launches that are timed against the copy baseline, with several contents in turn.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "common/compile/program.h"
#include "common/gpu/timed_memory.h"
#include "common/run/pattern.h"
#include "common/run/sequence.h"
#include "common/verify/output_difference.h"

namespace warpgrade::measure {

struct TimedCase {
  run::Sequence sequence;
  std::vector<run::Pattern> before;
  /// By buffer: the elements of its initial content may be in any order, and are
  /// shuffled.
  std::vector<bool> any_order;
  std::vector<gpu::Nearness> nearness = {};  ///< See gpu::TimedProgram.
  /// Computes the expected results in a launch of its own.
  const compile::Program* reference = nullptr;
  run::Launch reference_launch;
  /// The first wrong element of `got`, the buffers after a launch on `before`, for which the
  /// reference computes `after` (without inputs).
  std::function<std::optional<verify::OutputDifference>(const std::vector<run::Buffer>& before,
                                                        const std::vector<run::Buffer>& after,
                                                        const std::vector<run::Buffer>& got)>
      difference;
  bool is_timed = true;  ///< If not, only checked.
  /// Bytes that the copy baseline moves; nullopt: run::least_traffic() of `before`.
  std::optional<std::uint64_t> bytes;
  /// Floating-point operations that the peak baseline executes; 0: bytes alone are the roof.
  double operations = 0;
  std::vector<double> bounds;  ///< Fractions of the roof that gates require.
  double narrow = 0.01;        ///< See StoppingOptions.
};

}  // namespace warpgrade::measure
