// SPDX-License-Identifier: Apache-2.0
// Decides whether undefined values change the results of a launch.
//
// A kernel may read uninitialised values and discard them, for example if it reads a whole tile at
// the edge of a matrix and checks the index before it stores. Therefore the launches run again with
// other garbage in the affected places, and the results are compared.
//
// Garbage that a launch only copies does not count if it is part of a struct: then it is padding
// (stored_garbage.h). Copies are recognised by the bits of the outputs, which equal the garbage in
// every run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
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
  /// `simulator` has run `sequence` with `options`: it produced `result`, and `after` from the
  /// contents `before`, which need not include inputs. All must outlive this.
  UndefinedValues(sim::Simulator& simulator, const run::Sequence& sequence,
                  const run::Options& options, const run::Result& result,
                  std::vector<run::Buffer>& after,
                  const std::vector<std::vector<std::byte>>& before);

  /// Must be called first if the launch has other findings: it may have stopped early or
  /// changed its inputs. The results are then compared with one more run, on one thread, that
  /// continues past bad addresses. Inputs without content in `before` keep their state after
  /// the launch.
  void compare_with_another_run();
  /// Removes memory reads whose values do not matter from `found`. Removes all of them if the
  /// results stay the same with other garbage in memory and outputs. Otherwise removes the lines
  /// for which this is true with only the bytes that they read, according to `reads`. Lines missing
  /// in `reads` are not tested alone.
  void waive_reads(std::vector<base::Diagnostic>& found,
                   const std::vector<check::UndefinedRead>& reads);
  /// Diagnostics for the registers whose values change the results, one per source line.
  std::vector<base::Diagnostic> registers_that_matter();
  /// A warning if the budget did not suffice for all runs. Values count as harmless if the runs
  /// that there were have shown no difference.
  const std::optional<base::Diagnostic>& untested() const { return untested_; }
  /// Work of the runs so far.
  std::uint64_t work() const { return work_; }

 private:
  /// A run that replaces the first one in comparisons.
  struct OtherRun {
    std::vector<std::vector<std::byte>> inputs;  ///< Initial inputs; empty for other buffers.
    std::vector<run::Buffer> after;
    std::vector<base::Diagnostic> faults;
  };

  /// Other garbage in outputs: in all of them, or in the bytes that one line read.
  struct OutputGarbage {
    std::byte value{};
    const check::UndefinedRead* read = nullptr;
  };

  /// The output bytes that differed in further runs, with their value in each run.
  class Copies;

  bool memory_matters();
  bool read_matters(const check::UndefinedRead& read);
  std::vector<run::Buffer> buffers_before(const OutputGarbage* garbage);
  void give_back_inputs(std::vector<run::Buffer>& buffers);
  bool register_matters(std::uint32_t number);
  bool differs(run::Options options, const OutputGarbage* output_garbage, Copies* copies = nullptr);
  base::Diagnostic not_tested(const std::string& units) const;
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
  std::optional<base::Diagnostic> untested_;
};

}  // namespace warpgrade::measure
