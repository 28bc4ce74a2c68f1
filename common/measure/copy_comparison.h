// SPDX-License-Identifier: Apache-2.0
// The result of timing a kernel and the copy baseline in turn on a GPU, and the interface for it.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "common/measure/comparison.h"
#include "common/measure/measurement.h"
#include "common/measure/roofline.h"
#include "common/verify/output_difference.h"

namespace warpgrade::measure {

struct CopyComparison {
  Measurement measured;  ///< Diagnostics, printed text, the median of the times.
  /// The difference in the first wrong launch; nullopt if all were right.
  std::optional<verify::OutputDifference> difference;
  std::optional<Fraction> fraction;  ///< Set if all launches were right and the case is timed.
  std::optional<Roofline> roofline;  ///< Medians; set with `fraction`, if the case has operations.
  /// The reason why the time is impossible; empty if it is plausible.
  std::string impossible;
  std::vector<std::string> notes;  ///< For the author of the case.
};

/// The cases of one submission during their comparisons.
class CopyComparisons {
 public:
  virtual ~CopyComparisons() = default;
  /// Times launches of the kernel and of the copy baseline in turn, and checks each launch, until
  /// the case's bounds are decided or time runs out. Throws base::ToolError if the reference fails,
  /// and otherwise like GpuBench::measure(). Must not be called again after an exception or after a
  /// comparison with diagnostics.
  virtual CopyComparison compare(std::size_t which) = 0;
};

}  // namespace warpgrade::measure
