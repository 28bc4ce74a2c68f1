// SPDX-License-Identifier: Apache-2.0
// The messages between the library and its compiler process: one Job in, one Answer back, each as a
// message of common/base/wire.h.
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
  std::vector<std::string> toolkit_folders;  ///< #include <...> looks there.
  std::string folder;                        ///< #include "..." looks there; may be empty.
  std::string root;                          ///< Has `folder`, and all that includes reach of it.
  std::vector<std::string> include_folders;  ///< #include looks there, too.
  std::string name;                          ///< __FILE__, and the name in the compiler's log.
  std::string source;                        ///< The text to compile.
  std::string architecture;                  ///< "sm_90".
  std::vector<std::string> expressions;      ///< Name expressions whose lowered names are wanted.
  std::uint64_t cpu_seconds = 0;             ///< Limit on processor time.
  std::uint64_t memory_bytes = 0;            ///< Limit on address space.
};

enum class CompileStatus : std::uint8_t {
  kCompiled,   ///< ptx, machine_code and lowered are filled.
  kRejected,   ///< The source does not compile: log says why.
  kExhausted,  ///< The compiler reported that memory ran out.
  kOutOfTime,  ///< The process has used the processor time of the job.
  kToolError,  ///< NVRTC cannot be loaded or a call failed: failure names call and error.
};

struct Answer {
  CompileStatus outcome = CompileStatus::kToolError;
  std::string failure;
  std::string log;
  std::string ptx;
  std::string machine_code;
  std::vector<std::string> lowered;  ///< In the order of Job::expressions.
  std::vector<LeftOut> left_out;     ///< Host code that was not compiled.
  std::string source;                ///< The text compiled, where it is not the job's.
};

constexpr CompileStatus wire_last(CompileStatus /*type*/) { return CompileStatus::kToolError; }

inline auto wire_fields(Job& job) {
  return std::tie(job.library, job.toolkit_folders, job.folder, job.root, job.include_folders,
                  job.name, job.source, job.architecture, job.expressions, job.cpu_seconds,
                  job.memory_bytes);
}

inline auto wire_fields(Answer& answer) {
  return std::tie(answer.outcome, answer.failure, answer.log, answer.ptx, answer.machine_code,
                  answer.lowered, answer.left_out, answer.source);
}

}  // namespace warpgrade::compile
