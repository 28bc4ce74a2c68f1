// SPDX-License-Identifier: Apache-2.0
// Reports as the results.json of PrairieLearn's external graders.
//
// One test per exercise. If an exercise could not be judged, the submission is "not gradable": it
// costs the student no attempt and no points. Rules:
// https://docs.prairielearn.com/externalGrading/ (Grading results), and the source of
// pl-external-grader-results.py.
#pragma once

#include <string>

#include "grader/report/report.h"

namespace warpgrade::grader::report {

/// The score is the share of all points, from 0 to 1; the file stays below 1 MB.
std::string render_prairielearn(const Report& report);

}  // namespace warpgrade::grader::report
