// SPDX-License-Identifier: Apache-2.0
// The compiler process: reads a Job on standard input, runs NVRTC until no host code is left that
// it refuses (host_code.h), and writes an Answer to standard output.
//
// A separate process limits the effect of any source on the compiler (endless run, no memory,
// crash) to one compile error. It sets its limits before it compiles the source, sees only the
// toolkit's headers and the folders of the course and the submission (include_guard.h), and dies
// with its parent. It is built without sanitizers, because they reserve more address space than the
// limit allows.
//
// The program's own process compiles each job. That of the tests keeps answers
// (tests/compile/kept_compiler.cpp).
#pragma once

#include <optional>

#include "common/compile/include_guard.h"
#include "common/compile/job.h"

namespace warpgrade::compile {

/// Answers that are known without a compilation.
class KnownAnswers {
 public:
  virtual ~KnownAnswers() = default;
  /// Called before NVRTC is loaded.
  virtual std::optional<Answer> find(const Job& job) = 0;
  /// Called with each answer once it is written.
  virtual void keep(const Job& job, const Answer& answer) = 0;
  /// Sees the files of the compilation.
  virtual LookupObserver observer() = 0;
};

/// The files that a compilation of `job` may include.
IncludeReach reach_of(const Job& job);

/// Answers the job on standard input; returns the exit code of the process. `known` is optional.
int answer_one_job(KnownAnswers* known);

}  // namespace warpgrade::compile
