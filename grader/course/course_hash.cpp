// SPDX-License-Identifier: Apache-2.0
#include "grader/course/course_hash.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <vector>

#include "common/base/sha256.h"
#include "grader/course/skeleton_values.h"
#include "grader/text/files.h"

namespace warpgrade::grader::course {
namespace fs = std::filesystem;

std::string manifest_hash(const Lab& lab) {
  std::vector<fs::path> files = {lab.folder / "grader.toml", lab.folder / "reference.cu",
                                 lab.folder / kSkeletonValuesFile,
                                 lab.folder.parent_path() / "gates.toml"};
  // Limits on a card follow from the solution's speed.
  for (const auto& exercise : lab.exercises) {
    files.push_back(lab.folder.parent_path().parent_path() / "solutions" / lab.id /
                    exercise.file_name());
  }
  for (const auto& folder : lab.include_folders) {
    std::error_code ignored;
    for (const auto& entry : fs::recursive_directory_iterator(folder, ignored)) {
      if (entry.is_regular_file(ignored)) files.push_back(entry.path());
    }
  }
  std::sort(files.begin(), files.end());
  std::string all;
  for (const auto& file : files) {
    std::error_code ignored;
    if (!fs::exists(file, ignored)) continue;
    all += fmt::format("{} {}\n", file.lexically_relative(lab.folder).string(),
                       base::sha256_hex(text::read_file(file, file.string())));
  }
  return base::sha256_hex(all);
}

}  // namespace warpgrade::grader::course
