// SPDX-License-Identifier: Apache-2.0
// A student's view of a report in a class: it hides names, sizes and results of secret cases. The
// instructor's report, in JSON, has them all.
#pragma once

#include "grader/course/course.h"
#include "grader/report/report.h"

namespace warpgrade::grader::class_book {

/// `report` of one submission for `exercise`. Faults in secret cases alone become one remark, and
/// the next step is to try other sizes.
report::Report student_view(report::Report report, const course::Exercise& exercise);

}  // namespace warpgrade::grader::class_book
