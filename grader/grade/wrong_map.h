// SPDX-License-Identifier: Apache-2.0
// Which elements of an output are wrong, as a map, and in words where they form a plain pattern.
#pragma once

#include <optional>
#include <vector>

#include "common/run/launch.h"
#include "grader/cases/reference.h"
#include "grader/course/manifest.h"
#include "grader/report/pictures.h"

namespace warpgrade::grader {

/// The map of the first output with a wrong element, of 64 x 64 cells at most; nothing where every
/// element is right, or only the sum of an output is defined.
std::optional<WrongMap> wrong_map(const Exercise& exercise, const Variables& variables,
                                  const Expected& expected, const std::vector<run::Buffer>& got);

/// Which of `rows` x `columns` elements are set, in words: "rows 8 to 31", "columns 0 and 32 to
/// 63", "in each tile of 32 x 32: rows 8 to 31", "all elements".
std::string pattern_text(const std::vector<bool>& is_set, std::uint64_t rows,
                         std::uint64_t columns);

}  // namespace warpgrade::grader
