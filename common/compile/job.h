// SPDX-License-Identifier: Apache-2.0
// The messages between the library and its compiler process: one Job in, one Answer back, in the
// format of common/base/wire.h.
#pragma once

#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

#include "common/base/wire.h"
#include "common/compile/left_out.h"

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

}  // namespace warpgrade::compile
