// SPDX-License-Identifier: Apache-2.0
#include "grader/report/formats/nbgrader.h"

#include <algorithm>

namespace warpgrade::grader::report {
namespace {

// The number as Python prints a float: "10.0", "7.5".
std::string python_number(double value) {
  auto out = csv_number(value);
  return out.find_first_of(".en") == std::string::npos ? out + ".0" : out;
}

// The time as Python prints it: "2026-11-22 14:20:00" for "2026-11-22T14:20:00Z".
std::string python_time(std::string time) {
  std::replace(time.begin(), time.end(), 'T', ' ');
  if (time.ends_with('Z')) time.pop_back();
  return time;
}

}  // namespace

std::string render_nbgrader(const std::vector<ClassGrade>& grades) {
  auto out =
      csv_line({"assignment", "duedate", "timestamp", "student_id", "last_name", "first_name",
                "email", "raw_score", "late_submission_penalty", "score", "max_score"});
  for (const auto& grade : grades) {
    if (!grade.points) continue;
    const auto penalty = std::max(grade.full_points - *grade.points, 0.0);
    out += csv_line({grade.lab + "-" + grade.exercise, python_time(grade.due_at),
                     python_time(grade.submitted_at), grade.student, csv_name(grade.last_name),
                     csv_name(grade.first_name), grade.email, python_number(grade.full_points),
                     python_number(penalty), python_number(*grade.points),
                     python_number(grade.max_points)});
  }
  return out;
}

}  // namespace warpgrade::grader::report
