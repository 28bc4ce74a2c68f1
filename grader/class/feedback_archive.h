// SPDX-License-Identifier: Apache-2.0
// Feedback for the way back: a zip in the form in which a platform takes files for all students.
//
// In: the book, a platform, and the file. Out: what `class feedback` writes for each student, under
// the names that the platform assigns to students:
//
//   moodle      "Jane Doe_123_assignfeedback_file_/index.html": View all submissions, Upload
//               multiple feedback files in a zip. 123 is the participant's number of the grading
//               worksheet (mod/assign/feedback/file/importziplib.php of moodle/moodle)
//   canvas      "doejane_12345_678_feedback.txt": Re-Upload Submissions. Both numbers are those of
//               the student's own file (app/models/submission_comment... of instructure/canvas-lms:
//               Assignment#infer_comment_context_from_filename)
//   blackboard  "Lab 1_jdoe_attempt_2026-11-20-23-58-12_feedback.txt": beside the student's files
//   of
//               an unpacked Assignment File Download
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "grader/class/book_file.h"

namespace warpgrade::grader::class_book {

struct FeedbackArchive {
  std::size_t students = 0;
  std::vector<std::string> left_out;  ///< Students without a name on the platform.
};

/// `platform`: "moodle", "canvas" or "blackboard". Throws base::UsageError if no student has a name
/// there, base::ToolError if the file cannot be written.
FeedbackArchive write_feedback_archive(Sqlite& book, std::string_view platform,
                                       const std::filesystem::path& file);

}  // namespace warpgrade::grader::class_book
