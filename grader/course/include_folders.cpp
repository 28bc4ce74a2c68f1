// SPDX-License-Identifier: Apache-2.0
#include "grader/course/include_folders.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <system_error>

#include "common/base/text.h"
#include "grader/text/toml_reader.h"

namespace warpgrade::grader::course {
namespace {

namespace fs = std::filesystem;

// In the course's root: what students do not get.
constexpr std::array<std::string_view, 3> kKeptBack = {"solutions", "studies", "tests"};

// The reason to refuse `folder` in the course at `root`; empty if it is allowed.
std::string why_not(const fs::path& folder, const fs::path& root) {
  std::error_code error;
  if (!fs::is_directory(folder, error)) return "the folder does not exist";
  const auto inside = folder.lexically_relative(root);
  if (inside.empty() || *inside.begin() == "..") {
    return "it lies outside the course, so no pack could bring it along";
  }
  if (std::ranges::count(kKeptBack, inside.begin()->string()) != 0) {
    return "it is in a part of the course that students do not receive";
  }
  if (inside == "." || inside == "labs" || fs::exists(folder / "grader.toml", error)) {
    return "it holds a manifest; put the headers into a folder of their own";
  }
  return {};
}

}  // namespace

std::vector<fs::path> include_folders(const fs::path& lab, const std::vector<std::string>& given,
                                      const base::SourceLocation& where) {
  std::vector<fs::path> out;
  std::error_code error;
  const auto root = fs::weakly_canonical(lab / ".." / "..", error);
  for (const auto& name : given) {
    auto folder = fs::weakly_canonical(lab / name, error);
    // "include/" would have an empty last part.
    if (!folder.has_filename()) folder = folder.parent_path();
    const auto why = error ? error.message() : why_not(folder, root);
    if (!why.empty()) {
      base::fail_at(where,
                    fmt::format("include folder `{}`: {}", base::escape_controls(name), why));
    }
    out.push_back(std::move(folder));
  }
  return out;
}

}  // namespace warpgrade::grader::course
