// SPDX-License-Identifier: Apache-2.0
// How platforms name the files of submissions. A layout splits a path into the student, their file,
// and the platform's facts about both. It is guessed from the names alone. The forms come from the
// programs that write them; tests/classes/messy_export.py names them.
//
//   canvas       doejane_LATE_12345_67890_copy-1.cu, doejane_12345_text.html,
//                anon_8kLpQ_67890_copy.cu
//   moodle       Jane Doe_123456_assignsubmission_file/copy.cu          mod/assign: "Download all"
//   blackboard   Lab 1_jdoe_attempt_2026-11-20-23-58-12_copy.cu         "Assignment File Download"
//   brightspace  12345-67890 - Jane Doe - Nov 20, 2026 1159 PM/copy.cu  "Download submissions"
//   gradescope   submission_98765/copy.cu, and submission_metadata.yml  "Export submissions"
//   github       lab1-submissions/lab1-jdoe/copy.cu         "gh classroom clone student-repos"
//   nbgrader     submitted/jdoe/lab1/copy.cu, and timestamp.txt
//   autolab      jdoe@uni.edu_3_copy.cu                     the third attempt
//   submitty     submissions/lab1/jdoe/3/copy.cu, and .submit.timestamp
//   folders      jdoe/coalescing/copy.cu
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "grader/class/hand_in.h"
#include "grader/class/timestamps.h"

namespace warpgrade::grader::class_book {

enum class Layout : std::uint8_t {
  kCanvas,
  kMoodle,
  kBlackboard,
  kBrightspace,
  kGradescope,
  kGithub,
  kNbgrader,
  kAutolab,
  kSubmitty,
  kFolders
};

std::span<const std::string_view> layout_names();

/// The parts of a path. `student` is the platform's name of the student.
struct LayoutParts {
  std::string student;
  HandedIdentity identity;
  std::string rest;  ///< The path in the student's hand-in.
  std::optional<std::int64_t> time;
  bool late_mark = false;
  std::int64_t number = 0;   ///< Number of an upload of one name.
  std::int64_t attempt = 0;  ///< The platform numbers attempts: it counts more than any time.
  std::string group;         ///< Files of one hand-in: the key of its metadata.
  bool is_companion = false;
  std::string title;  ///< The title of the assignment, which precedes the student in a name.
};

/// All ways to split a path; none if the layout has no such path, as for files that the platform
/// adds. "Lab 1_anna_lee_attempt_..." may be by `lee` or by `anna_lee`.
std::vector<LayoutParts> splits_of(Layout layout, const std::string& path, const TimeZone& zone);

/// The identity in a folder's name: "Doe, Jane(jdoe)" (Sakai) or "Doe_Jane_jdoe_1234" (ILIAS).
/// Empty if it has no such form.
HandedIdentity identity_in(const std::string& folder);

/// Whether the platform itself wrote the file: its index, its metadata, and nbgrader's other
/// folders.
bool is_platforms_own(Layout layout, std::string_view path);

struct LayoutGuess {
  Layout layout = Layout::kFolders;
  std::size_t fitting = 0;  ///< Paths that the layout has.
  std::size_t all = 0;
};

/// How many of `paths` the layout has.
LayoutGuess fit_layout(Layout layout, const std::vector<std::string>& paths);

/// The layout that most of `paths` have.
LayoutGuess guess_layout(const std::vector<std::string>& paths);

/// Members and time of a submission, from the platform's own file.
struct GroupMetadata {
  std::string group;
  std::vector<HandedIdentity> students;
  std::optional<std::int64_t> time;
};
/// The groups that Gradescope's submission_metadata.yml names.
std::vector<GroupMetadata> gradescope_metadata(std::string_view text);

/// Whether that file holds a text that was handed in through Blackboard's page.
bool has_blackboard_text(std::string_view receipt);

/// The students that Blackboard's text file beside a hand-in names.
std::vector<HandedIdentity> blackboard_students(std::string_view text);

}  // namespace warpgrade::grader::class_book
