// SPDX-License-Identifier: Apache-2.0
// Makes the data of a report's pictures: runs the submission once more, with a trace.
//
// It traces the case that failed, or else the first measured one. A few blocks suffice, unless its
// results are wrong and must be mapped, or its launches depend on each other. Pictures never affect
// the grade, and a grade without pictures skips this work.
#pragma once

#include <optional>
#include <vector>

#include "grader/grade/execute/case_outcome.h"
#include "grader/grade/plan/plan.h"
#include "grader/report/pictures.h"

namespace warpgrade::grader::grade {

/// Pictures of the submission whose cases ended as `runs`. Returns nullopt if no case was
/// simulated, or if none can be simulated again.
std::optional<report::Pictures> draw_pictures(const Plan& plan, const std::vector<CaseRun>& runs);

}  // namespace warpgrade::grader::grade
