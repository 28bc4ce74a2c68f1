// SPDX-License-Identifier: Apache-2.0
// Compares the outputs of a submission with the reference's.
#pragma once

#include <optional>
#include <vector>

#include "common/run/launch.h"
#include "common/verify/output_difference.h"
#include "grader/cases/case_buffers.h"
#include "grader/cases/reference.h"

namespace warpgrade::grader::cases {

/// The first difference; nullopt if every output is right.
std::optional<verify::OutputDifference> first_difference(const std::vector<SizedBuffer>& buffers,
                                                         const Expected& expected,
                                                         const std::vector<run::Buffer>& got);

}  // namespace warpgrade::grader::cases
