// SPDX-License-Identifier: Apache-2.0
// The result of timing a kernel and the copy baseline in turn on a GPU, and who makes it.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "common/measure/comparison.h"
#include "common/measure/measurement.h"
#include "common/verify/output_difference.h"

namespace warpgrade::measure {

struct CopyComparison {
  Measurement measured;  ///< Diagnostics, printed text, the median of the times.
  /// The difference in the first launch that was not right; nothing where all were.
  std::optional<verify::OutputDifference> difference;
  std::optional<Fraction> fraction;  ///< Set where all were right and the case is timed.
  /// Why the time cannot be true, in words; empty where it can.
  std::string impossible;
  std::vector<std::string> notes;  ///< For whoever set the case.
};

/// Cases of one submission on the way through their comparisons.
class CopyComparisons {
 public:
  virtual ~CopyComparisons() = default;
  /// Times launches of the kernel and of the copy baseline in turn until the case's bounds are
  /// decided or it takes too long, and checks every one of them. Throws base::ToolError where the
  /// reference fails, else as GpuBench::measure() does. Not to be asked again after it has thrown
  /// or a comparison has found diagnostics.
  virtual CopyComparison compare(std::size_t which) = 0;
};

}  // namespace warpgrade::measure
