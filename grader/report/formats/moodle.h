// SPDX-License-Identifier: Apache-2.0
// A class's grades for Moodle's import of grades (CSV, comma, UTF-8): one row per student, one
// column per exercise.
//
//   Username,First name,Last name,ID number,Email address,coalescing/copy
//   ada,Ada,Lovelace,1815,ada@example.org,7.5
//
// At the import, a column is mapped to the user (Username to username, say) and each exercise to a
// grade item, or a new one. A single dash is Moodle's sign for no grade. In Moodle, a row with an
// unknown student stops the whole import. Rules: grade/import/csv/classes/load_data.php of
// moodle/moodle.
#pragma once

#include <string>
#include <vector>

#include "grader/report/formats/class_grade.h"

namespace warpgrade::grader::report {

std::string render_moodle(const std::vector<ClassGrade>& grades);

}  // namespace warpgrade::grader::report
