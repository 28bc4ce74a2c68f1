// SPDX-License-Identifier: Apache-2.0
#include "grader/cases/submission.h"

#include <utility>

#include "common/base/error.h"

namespace warpgrade::grader {

std::variant<compile::CompileRequest, std::vector<base::Diagnostic>> read_submission(
    const Submission& submission) {
  try {
    auto source = compile::read_source(submission.file);
    if (auto* request = std::get_if<compile::CompileRequest>(&source))
      request->file = submission.shown;
    if (auto* wrong = std::get_if<std::vector<base::Diagnostic>>(&source)) {
      for (auto& diagnostic : *wrong) diagnostic.where.file = submission.shown;
    }
    return source;
  } catch (const base::UsageError& error) {
    throw base::ToolError(error.what());
  }
}

}  // namespace warpgrade::grader
