// SPDX-License-Identifier: Apache-2.0
// Reports for course servers and CI services: Autolab, Classroom 50, Gradescope, PrairieLearn,
// and JUnit's XML.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "grader/report/formats/format_parts.h"
#include "grader/report/report.h"

namespace warpgrade::grader::report {

// Reports as Autolab reads them from an autograder's standard output.
//
// First the report for the student, then one line of JSON with the points of each exercise, whose
// name in Autolab must be the one here: "coalescing/copy". Exercises that could not be judged are
// left out of the scores, so that Autolab keeps its earlier ones. Rules:
// https://docs.autolabproject.com/lab/ (Writing Autograders), and saveAutograde() in Autolab's
// app/helpers/assessment_autograde_core.rb.

/// The last line is the JSON; no other line is taken for it.
std::string render_autolab(const Report& report);

// Reports as the result.json that an autograder of Classroom 50 writes.
//
// Variables of its runner name the submission's owner. An exercise that could not be judged is a
// test that did not pass and counts neither in the score nor in the maximum; the autograder should
// then end with an error, so that the runner publishes no result. Rules:
// https://github.com/foundation50/classroom50, schemas/result-v1.schema.json and the wiki's page
// Advanced-Autograding.

/// The environment variables that must be set.
inline constexpr std::array<std::string_view, 6> kClassroom50Variables = {
    "CLASSROOM", "ASSIGNMENT", "USERNAME", "SUBMISSION_TAG", "COMMIT_URL", "RELEASE_URL"};

std::string render_classroom50(const Report& report, const Environment& environment);

// Reports as Gradescope's results.json.
//
// One test per exercise, with its points and its report. An exercise that could not be judged is a
// test without points, and the text at the top reports missing grades: Gradescope has no other way.
// Rules: https://gradescope-autograders.readthedocs.io/en/latest/specs/ (Output format).

/// There is always a score at the top: the points of the judged exercises.
std::string render_gradescope(const Report& report);

// Reports as the results.json of PrairieLearn's external graders.
//
// One test per exercise. If an exercise could not be judged, the submission is "not gradable": it
// costs the student no attempt and no points. Rules:
// https://docs.prairielearn.com/externalGrading/ (Grading results), and the source of
// pl-external-grader-results.py.

/// The score is the share of all points, from 0 to 1; the file stays below 1 MB.
std::string render_prairielearn(const Report& report);

// Reports as JUnit's XML, which CI services and course servers show as a list of tests.
//
// One suite per lab and one test per exercise. An exercise that did not pass is a failure, whose
// type is the reason and whose text is the report as a terminal shows it. One that could not be
// judged is an error, and one that is not decided is skipped. Points are properties of the suite:
// "copy.points" and "copy.max_points".

/// Valid by both schemas of Jenkins' xUnit plugin (junit-10.xsd of 2014 and of 2019), for any
/// output of a submission: characters that XML forbids are escaped as in the text report.
std::string render_junit(const Report& report);

/// A file of the course that `warpgrade check` examined; no `findings` if it is as it should be.
struct CheckedFile {
  std::string lab;
  std::string file;
  std::vector<std::string> findings;
};

/// The same form for `warpgrade check`: a suite per lab, a test per file.
std::string render_junit(const std::vector<CheckedFile>& files);

}  // namespace warpgrade::grader::report
