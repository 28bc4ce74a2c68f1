// SPDX-License-Identifier: Apache-2.0
// The right results of a case, and the comparison of a submission's outputs with them.
// In: a case at one size and a seed. Out: its inputs and the outputs of reference.cu's kernel,
// and the first difference of a submission.
// The reference is the course's own code, run without checks. It must not write to its inputs.
// Results are kept for further devices and submissions, up to a limit on memory; the oldest go
// first.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "common/run/launch.h"
#include "common/run/runner.h"
#include "common/verify/compare.h"
#include "grader/cases/sized_case.h"
#include "grader/cases/work_ahead.h"

namespace warpgrade::grader::cases {

/// The buffers of one case before a launch and after the reference's.
struct Expected {
  std::vector<run::Buffer> before;      ///< Inputs filled, outputs poisoned.
  std::vector<run::Buffer> after;       ///< Without the contents of inputs, which do not change.
  std::uint64_t warp_instructions = 0;  ///< Executed by the reference; 0 on a GPU.
};

/// The reference's launch for one case, yet to be made.
struct ReferenceLaunch {
  const compile::Program* program = nullptr;
  run::Launch launch;
};

/// Runs one launch of a program; several threads may call it at a time.
using Execute =
    std::function<run::Result(const compile::Program& program, const run::Launch& launch,
                              std::vector<run::Buffer>& buffers, const run::Options& options)>;
/// Each call uses a separate simulator.
run::Result simulate(const compile::Program& program, const run::Launch& launch,
                     std::vector<run::Buffer>& buffers, const run::Options& options);
/// Runs all launches on `runner`, one after another. `runner` must outlive the result.
Execute in_turn_on(run::Runner& runner);

/// Move the read-only buffers, or the others. Inputs are too large to copy for each launch.
void move_inputs(std::vector<run::Buffer>& from, std::vector<run::Buffer>& to);
void move_outputs(std::vector<run::Buffer> from, std::vector<run::Buffer>& to);

class Reference {
 public:
  /// Runs by `execute`; compiles for `architecture` through `compilations`, which outlives this.
  Reference(Execute execute, std::string architecture, Compilations& compilations,
            std::uint64_t seed);

  /// Begins to compile the lab's reference.
  void prepare(const course::Lab& lab);
  /// Compiles it, and waits for the result. Throws as expected() does.
  void compile(const course::Lab& lab);
  /// Makes inputs from this Reference's seed and `variant`: another variant gives other inputs.
  /// Throws base::ToolError if the reference does not compile, lacks the kernel or fails: that is
  /// the course's mistake, not the student's. Several threads may call this at the same time. A
  /// launch uses at most `threads` host threads; 0: all.
  std::shared_ptr<const Expected> expected(const course::Lab& lab, const SizedCase& sized,
                                           std::uint64_t variant = 0, unsigned threads = 0);
  /// The same for a single use. The result is not kept, and outputs have no contents from before
  /// the launch; outputs() makes those.
  Expected make(const course::Lab& lab, const SizedCase& sized, std::uint64_t variant,
                unsigned threads);
  /// The buffers before a launch, inputs left empty.
  std::vector<run::Buffer> outputs(const SizedCase& sized, std::uint64_t variant) const;
  /// The same with inputs.
  std::vector<run::Buffer> before(const SizedCase& sized, std::uint64_t variant) const;
  /// For callers that launch it elsewhere. Throws as expected() does.
  ReferenceLaunch launch(const course::Lab& lab, const SizedCase& sized);

 private:
  struct Result {
    std::string key;
    std::shared_future<std::shared_ptr<const Expected>> expected;
    std::uint64_t bytes = 0;  // 0 until they are known.
  };

  compile::CompileRequest request(const course::Lab& lab) const;
  std::list<Result>::iterator find(const std::string& key);

  Execute execute_;
  std::string architecture_;
  Compilations& compilations_;
  std::uint64_t seed_;
  std::mutex mutex_;           // Guards the members below.
  std::list<Result> results_;  // The latest last.
  std::uint64_t bytes_ = 0;    // Size of all results.
};

// Compares the outputs of a submission with the reference's.

/// The first difference of `got` from `after`; nullopt if every output is right. The contents of
/// `before`, which may be empty, explain a difference.
std::optional<verify::OutputDifference> first_difference(const std::vector<SizedBuffer>& buffers,
                                                         const std::vector<run::Buffer>& before,
                                                         const std::vector<run::Buffer>& after,
                                                         const std::vector<run::Buffer>& got);
inline std::optional<verify::OutputDifference> first_difference(
    const std::vector<SizedBuffer>& buffers, const Expected& expected,
    const std::vector<run::Buffer>& got) {
  return first_difference(buffers, expected.before, expected.after, got);
}

/// The difference of an output that is compared as a whole, by its total or its pieces; nullopt
/// if they agree. Pieces need `before`.
std::optional<verify::OutputDifference> whole_difference(const SizedBuffer& buffer,
                                                         const std::vector<std::byte>& before,
                                                         const std::vector<std::byte>& right,
                                                         const std::vector<std::byte>& got);

}  // namespace warpgrade::grader::cases
