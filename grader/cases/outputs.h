// SPDX-License-Identifier: Apache-2.0
// Compares the outputs of a submission with the reference's.
#pragma once

#include <cstddef>
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

/// The difference between the sums of the elements of `buffer`; nullopt if they are equal.
std::optional<verify::OutputDifference> total_difference(const SizedBuffer& buffer,
                                                         const std::vector<std::byte>& right,
                                                         const std::vector<std::byte>& got);

}  // namespace warpgrade::grader::cases
