// SPDX-License-Identifier: Apache-2.0
#include "grader/cases/submission.h"

#include <utility>

#include "common/base/error.h"
#include "common/base/sha256.h"

namespace warpgrade::grader {

Submission read_submission(std::filesystem::path file, std::string shown) {
  Submission out{std::move(file), std::move(shown), {}, {}};
  std::string bytes;
  try {
    bytes = compile::read_source_bytes(out.file);
  } catch (const base::UsageError& error) {
    out.content = Unreadable{error.what()};
    return out;
  }
  if (bytes.size() <= compile::kMostSourceBytes) out.sha256 = base::sha256_hex(bytes);
  auto source = compile::source_of(out.file, std::move(bytes));
  if (auto* wrong = std::get_if<std::vector<base::Diagnostic>>(&source)) {
    for (auto& diagnostic : *wrong) diagnostic.where.file = out.shown;
    out.content = std::move(*wrong);
    return out;
  }
  auto& request = std::get<compile::CompileRequest>(source);
  request.file = out.shown;
  out.content = std::move(request);
  return out;
}

}  // namespace warpgrade::grader
