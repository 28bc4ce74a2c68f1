// SPDX-License-Identifier: Apache-2.0
// Compares the results of a launch's executed blocks with the reference's.
//
// Only some blocks were executed, so the comparison covers only elements that the launch changed.
// Only the blocks of the reference that write these elements are executed.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "common/sim/memory/sparse_buffer.h"
#include "common/verify/output_difference.h"
#include "grader/cases/reference.h"
#include "grader/cases/sized_case.h"

namespace warpgrade::grader::cases {

struct SampledOutputs {
  std::optional<verify::OutputDifference> difference;  ///< The first one.
  std::string modified_input;  ///< The name of an input that was written to; empty: none.
  /// Part of the output's elements that were written. If the reference has no elements_per_block,
  /// no elements are compared, and this is the touched part of the inputs.
  double done = 0;
};

/// `got` holds the launch's results, and afterwards the reference's. Throws base::ToolError if the
/// reference fails.
SampledOutputs check_sample(const SizedCase& sized, const ReferenceLaunch& reference,
                            std::vector<sim::SparseBuffer>& got);

}  // namespace warpgrade::grader::cases
