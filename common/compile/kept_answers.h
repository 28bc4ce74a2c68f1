// SPDX-License-Identifier: Apache-2.0
// Answers of the compiler to texts of the course's and of the program's own, kept on disk: each
// grade needs three of them, and they take as long as the submission's.
//
// A key is a digest of all that an answer depends on: the job, and the compiler's files by path,
// size and date. A file holds the digest of its content before the content, so that one that is cut
// off or damaged is not there. It is written beside and renamed; where nothing can be written,
// nothing is kept. The submissions' answers are never kept and never looked for. A folder has at
// most kMostAnswers files: the oldest go.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warpgrade::compile {

constexpr std::size_t kMostAnswers = 64;

/// Whether a source's answer follows from its own text alone: it names no further file.
bool is_self_contained(std::string_view source);

/// The key of the answer to `job`, an encoded Job, of a compiler made of `files` and of what lies
/// beside them under NVRTC's name. Empty where one of them is not there: no answer is kept.
std::string answer_key(std::string_view job, const std::vector<std::filesystem::path>& files);

class KeptAnswers {
 public:
  /// In `folder`, which need not be there yet. Of an empty path: keeps nothing.
  explicit KeptAnswers(std::filesystem::path folder) : folder_(std::move(folder)) {}

  std::optional<std::string> find(const std::string& key) const;
  void keep(const std::string& key, std::string_view answer) const;

 private:
  std::filesystem::path folder_;
};

/// The folder for the answers to our own texts, for the whole process; at first none is kept.
void keep_own_answers_in(const std::filesystem::path& folder);
KeptAnswers own_answers();

}  // namespace warpgrade::compile
