// SPDX-License-Identifier: Apache-2.0
// Reports as Autolab reads them from an autograder's standard output.
//
// First the report for the student, then one line of JSON with the points of each exercise, whose
// name in Autolab must be the one here: "coalescing/copy". Exercises that could not be judged are
// left out of the scores, so that Autolab keeps its earlier ones. Rules:
// https://docs.autolabproject.com/lab/ (Writing Autograders), and saveAutograde() in Autolab's
// app/helpers/assessment_autograde_core.rb.
#pragma once

#include <string>

#include "grader/report/report.h"

namespace warpgrade::grader::report {

/// The last line is the JSON; no other line is taken for it.
std::string render_autolab(const Report& report);

}  // namespace warpgrade::grader::report
