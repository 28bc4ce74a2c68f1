// SPDX-License-Identifier: Apache-2.0
// The work of the compiler process: one Job in, one Answer back, in the format of
// common/base/wire.h, and a cache of answers on disk.
//
// Only texts of the course and of the program itself are cached. A truncated or damaged file
// counts as missing. If writing fails, the answer is not cached.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "common/compile/program.h"

namespace warpgrade::compile {

struct Job {
  std::string library;                       ///< Path of libnvrtc.
  std::vector<std::string> toolkit_folders;  ///< Searched by #include <...>.
  std::string folder;                        ///< Searched by #include "..."; may be empty.
  std::string root;                          ///< Contains `folder` and everything it may include.
  std::vector<std::string> include_folders;  ///< Searched by #include, too.
  std::string name;                          ///< The name in the compiler's log.
  std::string source;                        ///< The text to compile.
  std::string architecture;                  ///< "sm_90".
  std::vector<std::string> options;          ///< Further options of NVRTC.
  std::vector<std::string> expressions;      ///< Name expressions whose lowered names are needed.
  std::uint64_t cpu_seconds = 0;             ///< Limit on processor time.
  std::uint64_t memory_bytes = 0;            ///< Limit on address space.
};

enum class CompileStatus : std::uint8_t {
  kCompiled,   ///< ptx, machine_code and lowered are filled.
  kRejected,   ///< The source does not compile; see log.
  kExhausted,  ///< The compiler ran out of memory.
  kOutOfTime,  ///< The process has used the job's processor time.
  kToolError,  ///< NVRTC cannot be loaded or a call failed; see failure.
};

struct Answer {
  CompileStatus outcome = CompileStatus::kToolError;
  std::string failure;
  std::string log;
  std::string ptx;
  std::string machine_code;
  std::vector<std::string> lowered;  ///< In the order of Job::expressions.
  std::vector<LeftOut> left_out;     ///< Host code that was not compiled.
  std::string source;                ///< The compiled text, if it differs from the job's.
};

constexpr CompileStatus wire_last(CompileStatus /*type*/) { return CompileStatus::kToolError; }

inline auto wire_fields(Job& job) {
  return std::tie(job.library, job.toolkit_folders, job.folder, job.root, job.include_folders,
                  job.name, job.source, job.architecture, job.options, job.expressions,
                  job.cpu_seconds, job.memory_bytes);
}

inline auto wire_fields(Answer& answer) {
  return std::tie(answer.outcome, answer.failure, answer.log, answer.ptx, answer.machine_code,
                  answer.lowered, answer.left_out, answer.source);
}

// Caches compiler answers for texts of the course and of the program itself on disk: each grade
// needs three of them, and each costs as much compile time as the submission.
//
// A file contains the digest of its content before the content, so a truncated or damaged file
// counts as missing. Files are written under another name and renamed; if writing fails, the answer
// is not cached. Of more files than a folder may have, the oldest are removed.

constexpr std::size_t kMostAnswers = 64;

/// Whether a source's answer depends only on its own text, because it includes no other file.
bool is_self_contained(std::string_view source);

/// The key of the answer to `job`, an encoded Job, by a compiler that consists of `files` and
/// NVRTC's files beside them. Empty if one of them is missing, which disables caching.
std::string answer_key(std::string_view job, const std::vector<std::filesystem::path>& files);

class KeptAnswers {
 public:
  /// Caches at most `most` answers in `folder`, which need not exist. An empty path disables the
  /// cache.
  explicit KeptAnswers(std::filesystem::path folder, std::size_t most = kMostAnswers)
      : folder_(std::move(folder)), most_(most) {}

  std::optional<std::string> find(const std::string& key) const;
  void keep(const std::string& key, std::string_view answer) const;

 private:
  std::filesystem::path folder_;
  std::size_t most_;
};

/// Sets the folder for answers to our own texts, for the whole process; by default, caching is
/// disabled.
void keep_own_answers_in(const std::filesystem::path& folder);
KeptAnswers own_answers();

}  // namespace warpgrade::compile
