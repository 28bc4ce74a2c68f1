// SPDX-License-Identifier: Apache-2.0
// A map of an output's wrong elements, and a text if they form a simple pattern.
#pragma once

#include <optional>
#include <vector>

#include "common/run/launch.h"
#include "grader/cases/case_buffers.h"
#include "grader/cases/reference.h"
#include "grader/report/pictures.h"

namespace warpgrade::grader::grade {

/// The map of the first output with a wrong element, of 64 x 64 cells at most; nullopt if every
/// element is right, or if only the sum of an output is defined.
std::optional<report::WrongMap> wrong_map(const std::vector<cases::SizedBuffer>& buffers,
                                          const cases::Expected& expected,
                                          const std::vector<run::Buffer>& got);

/// Describes the set elements among `rows` x `columns`: "rows 8 to 31", "columns 0 and 32 to 63",
/// "in each tile of 32 x 32: rows 8 to 31", "all elements".
std::string pattern_text(const std::vector<bool>& is_set, std::uint64_t rows,
                         std::uint64_t columns);

}  // namespace warpgrade::grader::grade
