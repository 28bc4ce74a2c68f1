// SPDX-License-Identifier: Apache-2.0
// Reports as JUnit's XML, which CI services and course servers show as a list of tests.
//
// One suite per lab and one test per exercise. An exercise that did not pass is a failure, whose
// type is the reason and whose text is the report as a terminal shows it. One that could not be
// judged is an error, and one that is not decided is skipped. Points are properties of the suite:
// "copy.points" and "copy.max_points".
#pragma once

#include <string>

#include "grader/report/report.h"

namespace warpgrade::grader::report {

/// Valid by both schemas of Jenkins' xUnit plugin (junit-10.xsd of 2014 and of 2019), for any
/// output of a submission: characters that XML forbids are escaped as in the text report.
std::string render_junit(const Report& report);

}  // namespace warpgrade::grader::report
