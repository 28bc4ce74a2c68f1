// SPDX-License-Identifier: Apache-2.0
// Whether values that nothing has given change what a launch makes.
//
// A kernel may read what was never written and throw it away, as one does that reads a whole tile
// at the matrix's edge and checks the index before it stores. So the launches are run again with
// other garbage in the places in question, and what it makes is compared.
//
// Garbage that a launch only copies decides nothing if it is a part of a struct: then it is
// padding (stored_garbage.h). It is recognised by the bits of the outputs: those bits are the
// garbage's own in every run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "common/base/diagnostic.h"
#include "common/check/undefined_read.h"
#include "common/measure/stored_garbage.h"
#include "common/run/runner.h"
#include "common/run/sequence.h"
#include "common/sim/simulator.h"

namespace warpgrade::measure {

class UndefinedValues {
 public:
  /// `simulator` has run `sequence` with `options`: it made `result`, and `after` of the contents
  /// `before`, of which those of inputs are not needed. All outlive this. `result` and further runs
  /// share the options' launch_budget.
  UndefinedValues(sim::Simulator& simulator, const run::Sequence& sequence,
                  const run::Options& options, const run::Result& result,
                  std::vector<run::Buffer>& after,
                  const std::vector<std::vector<std::byte>>& before);

  /// To be called first if the launch has other findings, too: it may have stopped early or have
  /// changed its inputs. What the questions compare with is then one more run, on one thread, that
  /// goes on past bad addresses. Inputs of which `before` has no content are as the launch left
  /// them.
  void compare_with_another_run();
  /// Takes reads of memory out of `found` of which the content does not matter: of all lines, where
  /// nothing is made otherwise while memory and outputs hold other garbage; else of those lines for
  /// which that holds of what they alone have taken, as `reads` knows it. Lines of which `reads`
  /// has nothing are not judged alone.
  void waive_reads(std::vector<base::Diagnostic>& found,
                   const std::vector<check::UndefinedRead>& reads);
  /// Diagnostics for the registers whose content changes what it makes, one a source line.
  std::vector<base::Diagnostic> registers_that_matter();
  /// Set where the budget did not last for all runs: the answers so far say nothing then.
  const std::optional<base::Diagnostic>& over_budget() const { return over_budget_; }
  /// Work of the runs so far.
  std::uint64_t work() const { return work_; }

 private:
  /// A run that others are compared with in place of the first one.
  struct OtherRun {
    std::vector<std::vector<std::byte>> inputs;  ///< Before it; empty for other buffers.
    std::vector<run::Buffer> after;
    std::vector<base::Diagnostic> faults;
  };

  /// Other garbage in outputs: in all of them, or in what one line has read.
  struct OutputGarbage {
    std::byte value{};
    const check::UndefinedRead* read = nullptr;
  };

  /// The bytes of outputs that were different in further runs, and their value in each of these.
  class Copies;

  bool memory_matters();
  bool read_matters(const check::UndefinedRead& read);
  std::vector<run::Buffer> buffers_before(const OutputGarbage* garbage);
  void give_back_inputs(std::vector<run::Buffer>& buffers);
  bool register_matters(std::uint32_t number);
  bool differs(run::Options options, const OutputGarbage* output_garbage, Copies* copies = nullptr);
  run::Result run_again(std::vector<run::Buffer>& buffers, run::Options options);

  sim::Simulator& simulator_;
  const run::Sequence& sequence_;
  run::Options options_;
  const run::Result& result_;
  std::vector<run::Buffer>& after_;
  const std::vector<std::vector<std::byte>>& before_;
  std::size_t registers_ = 0;  // elements of Options::register_garbage
  std::uint64_t work_ = 0;
  std::optional<OtherRun> other_;
  std::optional<base::Diagnostic> over_budget_;
};

}  // namespace warpgrade::measure
