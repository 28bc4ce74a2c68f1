// SPDX-License-Identifier: Apache-2.0
// Remarks about single places of a submission, for editors and pull requests.
//
// A remark is a diagnostic, a wrong result, a wrong answer or a failed gate, with its line if
// known: for a wrong result the line that stores it, for a gate the line that moves most of the
// memory in question.
#pragma once

#include <string>
#include <vector>

#include "common/base/diagnostic.h"
#include "grader/report/report.h"

namespace warpgrade::grader::report {

struct Remark {
  std::string rule;       ///< A diagnostic's kind, or "incorrect", "wrong_answer", "mechanism", ...
  bool is_error = false;  ///< A failed gate is a warning.
  base::SourceLocation where;
  std::string message;  ///< Safe to show, with newlines.
  std::vector<base::RelatedPlace> related;
};

/// The remarks of an exercise that failed, errors first; none if it passed or was not judged.
std::vector<Remark> remarks_of(const ExerciseReport& item);

}  // namespace warpgrade::grader::report
