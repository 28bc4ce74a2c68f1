// SPDX-License-Identifier: Apache-2.0
// Makes what the pictures of a report show: runs the submission once more, with a trace.
//
// The case that failed is traced, or else the first measured one; a few blocks of it, unless its
// results are wrong and are to be mapped, or its launches build on each other. Nothing of it has a
// say in the grade, and a grade without pictures does none of it.
#pragma once

#include <optional>
#include <vector>

#include "grader/grade/case_outcome.h"
#include "grader/grade/grading_services.h"
#include "grader/report/pictures.h"

namespace warpgrade::grader {

/// Pictures of the submission whose cases ended as `runs`; `salt` is the salt of its measured
/// cases. Returns nullopt if no case was simulated, or if none can be simulated again.
std::optional<Pictures> draw_pictures(const GradingServices& services, const GradingTask& task,
                                      const std::vector<CaseRun>& runs, std::uint64_t salt);

}  // namespace warpgrade::grader
