// SPDX-License-Identifier: Apache-2.0
// A file that was found, with the facts that its name or layout gives.
#pragma once

#include <string>

#include "grader/class/sorting.h"

namespace warpgrade::grader::class_book {

struct GivenFile {
  FoundFile file;
  std::string student;   ///< Empty if it is not known.
  std::string group;     ///< One hand-in of the student.
  std::string exercise;  ///< LAB/EXERCISE by the rule; empty if the path contains it.
  bool is_companion = false;
  bool is_stamped = true;  ///< Its time is the file's own, not one that a platform wrote down.
  HandedIdentity identity;
};

}  // namespace warpgrade::grader::class_book
