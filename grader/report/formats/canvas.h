// SPDX-License-Identifier: Apache-2.0
// A class's grades for the import into Canvas's gradebook: one row per student, one column per
// exercise.
//
//   Student,ID,SIS User ID,SIS Login ID,Section,coalescing/copy
//       Points Possible,,,,,10
//   "Lovelace, Ada",,1815,ada,A,7.5
//
// Canvas's own ID is unknown here; Canvas finds students by their SIS ID or login. It finds an
// assignment by its name, or creates it. An exercise that could not be judged is an empty cell.
// Rules: lib/gradebook_importer.rb of instructure/canvas-lms.
#pragma once

#include <string>
#include <vector>

#include "grader/report/formats/class_grade.h"

namespace warpgrade::grader::report {

std::string render_canvas(const std::vector<ClassGrade>& grades);

}  // namespace warpgrade::grader::report
