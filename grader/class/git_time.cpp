// SPDX-License-Identifier: Apache-2.0
#include "grader/class/git_time.h"

#include <chrono>

#include "common/base/error.h"
#include "common/compile/child.h"
#include "grader/class/name_rule.h"

namespace warpgrade::grader::class_book {

std::optional<std::int64_t> commit_time(const std::filesystem::path& git_folder) {
  constexpr std::chrono::seconds kPatience{20};
  static const NameRule kCommitter(R"((?m)^committer .* (?<time>\d{1,12}) [+-]\d{4}$(?<student>))");
  try {
    // cat-file runs no program from the repository's configuration.
    const auto git = compile::run_child({"/usr/bin/git",
                                         {"--git-dir=" + git_folder.string(), "-c",
                                          "safe.directory=*", "cat-file", "commit", "HEAD"}},
                                        "", kPatience);
    const auto found = kCommitter.groups(git.output, {"time"});
    if (found) return std::stoll(found->front());
  } catch (const base::ToolError&) {
    // Git is not installed.
  }
  return std::nullopt;
}

}  // namespace warpgrade::grader::class_book
