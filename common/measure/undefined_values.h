// SPDX-License-Identifier: Apache-2.0
// Decides whether undefined values change the results of a launch.
//
// The launches run again with other garbage in the affected places, and the results are compared.
// Each run replaces the first run's garbage by another repeated byte. Garbage that a launch only
// copies as part of a struct is padding and does not count. The first part finds the bytes of
// buffers in which a kernel stored an undefined value.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "common/base/diagnostic.h"
#include "common/check/finding.h"
#include "common/run/observer.h"
#include "common/run/runner.h"
#include "common/sim/simulator.h"

namespace warpgrade::measure {

// Finds the bytes of buffers in which a kernel stored an undefined value.
//
// A struct has padding bytes, and a copy of the struct copies them. Such a copy does not use them,
// so it must not be a finding. The compiler copies a struct in two ways: with wide integer stores
// that are only partly garbage, or member by member, with byte stores of the padding at the same
// source position. A store of garbage alone, as in out[i] = s.y, is a use.
//
// Not modelled: a member of a copied struct that was never written looks like padding until the
// kernel reads that member by itself.

class StoredGarbage final : public run::Observer {
 public:
  /// `garbage` fills all undefined bytes.
  explicit StoredGarbage(std::byte garbage) : garbage_(garbage) {}

  std::unique_ptr<run::Observer> fork() const override;
  void join(run::Observer& other) override;
  void on_launch(const run::LaunchContext& context) override;
  void on_memory(const run::MemoryEvent& event) override;

  /// Whether byte `offset` of `buffer` was stored as part of a value that is entirely garbage, or
  /// was changed by an atomic.
  bool is_used(std::size_t buffer, std::size_t offset) const {
    return buffer < used_.size() && offset < used_[buffer].size() && used_[buffer][offset];
  }

 private:
  void use(std::uint64_t address, std::uint32_t bytes);

  std::byte garbage_;
  std::vector<std::uint64_t> addresses_;   // by buffer
  std::vector<std::vector<bool>> used_;    // by buffer, then by byte
  std::vector<std::uint8_t> value_bytes_;  // by instruction: bytes of one value; 0: struct padding
};

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
