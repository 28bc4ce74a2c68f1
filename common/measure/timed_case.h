// SPDX-License-Identifier: Apache-2.0
// Launches whose time is compared with the copy baseline's, from several contents in turn.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "common/compile/program.h"
#include "common/run/pattern.h"
#include "common/run/sequence.h"
#include "common/verify/output_difference.h"

namespace warpgrade::measure {

struct TimedCase {
  run::Sequence sequence;
  std::vector<run::Pattern> before;
  /// One a buffer: it holds something before the launch, whose elements could as well stand in any
  /// other order, and do.
  std::vector<bool> any_order;
  /// Makes the right results of the buffers, in a launch of its own.
  const compile::Program* reference = nullptr;
  run::Launch reference_launch;
  /// The first element that is wrong in the buffers `got` that a launch has made of `before`, where
  /// the reference makes `after` (without inputs).
  std::function<std::optional<verify::OutputDifference>(const std::vector<run::Buffer>& before,
                                                        const std::vector<run::Buffer>& after,
                                                        const std::vector<run::Buffer>& got)>
      difference;
  bool is_timed = true;        ///< Or only checked.
  std::vector<double> bounds;  ///< Fractions of copy that gates ask for.
  double narrow = 0.01;        ///< See StoppingOptions.
};

}  // namespace warpgrade::measure
