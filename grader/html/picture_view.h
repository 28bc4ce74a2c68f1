// SPDX-License-Identifier: Apache-2.0
// The figures of an exercise: requests of warps, wrong elements, partitions, and the resources that
// fill the time. Each has its text. The page's script draws requests and partitions; the HTML
// contains the others.
#pragma once

#include <string>

#include "grader/report/pictures.h"
#include "grader/report/report.h"

namespace warpgrade::grader::html {

/// One figure per source line that touches memory, with controls for its warps and passes.
std::string access_view(const report::ExerciseReport& item);

/// The wrong elements as a map.
std::string wrong_view(const report::WrongMap& map);

/// The matrix in the colours of its partitions, with the blocks that begin together.
std::string partition_view(const report::PartitionMap& map);

/// The time of each measured case, and the resources that work in it.
std::string time_view(const report::ExerciseReport& item);

}  // namespace warpgrade::grader::html
