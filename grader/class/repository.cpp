// SPDX-License-Identifier: Apache-2.0
#include "grader/class/repository.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "common/base/error.h"
#include "common/base/text.h"
#include "common/compile/child.h"
#include "grader/class/names.h"

namespace warpgrade::grader::class_book {
namespace {

constexpr const char* kGit = "/usr/bin/git";

// The output of a git command that reads no settings for it; empty if git cannot be started.
std::string output_of(const std::filesystem::path& git_folder, std::vector<std::string> command) {
  constexpr std::chrono::seconds kPatience{20};
  if (!has_git()) return {};
  std::vector<std::string> words = {"GIT_ALLOW_PROTOCOL=none",
                                    "GIT_NO_LAZY_FETCH=1",
                                    kGit,
                                    "--git-dir=" + git_folder.string(),
                                    "--literal-pathspecs",
                                    "-c",
                                    "safe.directory=*"};
  std::ranges::move(command, std::back_inserter(words));
  try {
    return compile::run_child({"/usr/bin/env", words}, "", kPatience).output;
  } catch (const base::ToolError&) {
    return {};
  }
}

}  // namespace

bool has_git() { return std::filesystem::exists(kGit); }

std::optional<std::int64_t> commit_time(const std::filesystem::path& git_folder,
                                        const std::string& file) {
  static const NameRule kStamp(R"(^(?<time>\d{1,12}) [0-9a-f]+\s*$(?<student>))");
  std::vector<std::string> command = {"rev-list", "-1", "--timestamp", "HEAD", "--"};
  if (!file.empty()) command.push_back(file);
  const auto found = kStamp.groups(output_of(git_folder, std::move(command)), {"time"});
  if (!found) return std::nullopt;
  return std::stoll(found->front());
}

std::string other_branches(const std::filesystem::path& git_folder) {
  constexpr std::size_t kMostShown = 200;
  auto out = output_of(git_folder, {"for-each-ref", "--no-merged=HEAD", "--format=%(refname:short)",
                                    "refs/heads", "refs/remotes"})
                 .substr(0, kMostShown);
  while (out.ends_with('\n')) out.pop_back();
  std::ranges::replace(out, '\n', ' ');
  return base::escape_controls(out);
}

}  // namespace warpgrade::grader::class_book
