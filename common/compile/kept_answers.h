// SPDX-License-Identifier: Apache-2.0
// Caches compiler answers for texts of the course and of the program itself on disk: each grade
// needs three of them, and each costs as much compile time as the submission.
//
// A key is a digest of everything that an answer depends on: the job, and path, size and date of
// the compiler's files. A file contains the digest of its content before the content, so a
// truncated or damaged file counts as missing. Files are written under another name and renamed; if
// writing fails, the answer is not cached. Answers for submissions are never cached. A folder has
// at most kMostAnswers files: the oldest are removed.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warpgrade::compile {

constexpr std::size_t kMostAnswers = 64;

/// Whether a source's answer depends only on its own text, because it includes no other file.
bool is_self_contained(std::string_view source);

/// The key of the answer to `job`, an encoded Job, by a compiler that consists of `files` and
/// NVRTC's files beside them. Empty if one of them is missing, which disables caching.
std::string answer_key(std::string_view job, const std::vector<std::filesystem::path>& files);

class KeptAnswers {
 public:
  /// Caches in `folder`, which need not exist. An empty path disables the cache.
  explicit KeptAnswers(std::filesystem::path folder) : folder_(std::move(folder)) {}

  std::optional<std::string> find(const std::string& key) const;
  void keep(const std::string& key, std::string_view answer) const;

 private:
  std::filesystem::path folder_;
};

/// Sets the folder for answers to our own texts, for the whole process; by default, caching is
/// disabled.
void keep_own_answers_in(const std::filesystem::path& folder);
KeptAnswers own_answers();

}  // namespace warpgrade::compile
