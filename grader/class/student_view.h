// SPDX-License-Identifier: Apache-2.0
// A report as the student of a class gets it: without the cases that are secret, of which neither
// name, sizes nor results may be told. The instructor's report, in JSON, has all.
#pragma once

#include "grader/course/course.h"
#include "grader/report/report.h"

namespace warpgrade::grader {

/// `report` of one submission for `exercise`. What went wrong in secret cases alone is one remark,
/// and the next step is to try other sizes.
Report student_view(Report report, const Exercise& exercise);

}  // namespace warpgrade::grader
