// SPDX-License-Identifier: Apache-2.0
// A class's grades as `nbgrader export` writes them: a row for each student and exercise.
//
//   assignment,duedate,timestamp,student_id,last_name,first_name,email,raw_score,...
//   coalescing-copy,,2026-11-22 14:20:00,ada,Lovelace,Ada,ada@example.org,10.0,2.5,7.5,10.0
//
// Names of assignments have a dash, since nbgrader's are names of folders. An exercise that could
// not be judged has no row: nbgrader would read a zero. Rules: CsvExportPlugin in
// nbgrader/plugins/export.py, 0.9.6.
#pragma once

#include <string>
#include <vector>

#include "grader/report/formats/class_grade.h"

namespace warpgrade::grader::report {

std::string render_nbgrader(const std::vector<ClassGrade>& grades);

}  // namespace warpgrade::grader::report
