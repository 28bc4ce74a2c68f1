// SPDX-License-Identifier: Apache-2.0
#include "common/measure/sequence_run.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "common/base/error.h"
#include "common/run/launch_limits.h"

namespace warpgrade::measure {
namespace {

bool is_told(const std::vector<base::Diagnostic>& all, const base::Diagnostic& one) {
  return std::any_of(all.begin(), all.end(), [&](const base::Diagnostic& other) {
    return other.kind == one.kind && other.where == one.where;
  });
}

// Adds up the results of a sequence's launches.
class Sum {
 public:
  Sum(const run::Sequence& sequence, const run::Options& options)
      : sequence_(sequence), options_(options) {
    for (const auto& launch : sequence.launches) {
      if (number_of(launch.kernel) == kernels_.size()) kernels_.push_back(launch.kernel);
    }
    counts_.resize(kernels_.size());
  }

  /// The options of the next launch, a launch of `kernel`.
  run::Options options_for(const std::string& kernel) {
    auto out = options_;
    if (sequence_.is_one_launch()) return out;
    out.launch_budget -= std::min(out.launch_budget, result_.work);
    out.block_budget = std::min(out.block_budget, out.launch_budget);
    out.variables = &variables_;
    const auto& garbage = options_.register_garbage;
    const auto begin = std::min(number_of(kernel) * kRegistersAKernel, garbage.size());
    const auto end = std::min<std::size_t>(begin + kRegistersAKernel, garbage.size());
    out.register_garbage.assign(garbage.begin() + static_cast<std::ptrdiff_t>(begin),
                                garbage.begin() + static_cast<std::ptrdiff_t>(end));
    return out;
  }

  /// Returns false if no launch may follow.
  bool add(std::size_t index, run::Result launch) {
    const auto kernel = number_of(sequence_.launches[index].kernel);
    auto& counts = counts_[kernel];
    counts.resize(std::max(counts.size(), launch.instructions.size()));
    for (std::size_t i = 0; i < launch.instructions.size(); ++i) {
      counts[i].warps += launch.instructions[i].warps;
      counts[i].threads += launch.instructions[i].threads;
    }
    result_.seconds += launch.seconds;
    if (result_.printed.size() < run::kPrintedBytes) result_.printed += launch.printed;
    result_.work += launch.work;
    for (auto& one : launch.skipped_barriers) {
      auto& all = result_.skipped_barriers;
      const bool is_told = std::any_of(all.begin(), all.end(),
                                       [&](const auto& other) { return other.where == one.where; });
      if (!is_told) all.push_back(std::move(one));
    }
    for (auto& one : launch.undefined_registers) add_register(index, kernel, std::move(one));
    bool ended = true;
    for (auto& one : launch.diagnostics) {
      ended = ended && (is_undefined_read(one) || is_passed_over(one));
      if (is_undefined_read(one) && is_told(result_.diagnostics, one)) continue;
      one.seen.launch = run::place_of(sequence_, index);
      result_.diagnostics.push_back(std::move(one));
    }
    return ended;
  }

  run::Result take() {
    for (const auto& counts : counts_) {
      result_.instructions.insert(result_.instructions.end(), counts.begin(), counts.end());
    }
    std::sort(result_.undefined_registers.begin(), result_.undefined_registers.end(),
              [](const auto& a, const auto& b) { return a.number < b.number; });
    return std::move(result_);
  }

 private:
  // Whether the launch continues after this finding, according to the options.
  bool is_passed_over(const base::Diagnostic& found) const {
    return options_.ignores_bad_addresses && (found.kind == base::DiagnosticKind::kOutOfBounds ||
                                              found.kind == base::DiagnosticKind::kMisaligned);
  }

  std::size_t number_of(const std::string& kernel) const {
    return static_cast<std::size_t>(std::find(kernels_.begin(), kernels_.end(), kernel) -
                                    kernels_.begin());
  }

  void add_register(std::size_t index, std::size_t kernel, run::UndefinedRegister one) {
    if (!sequence_.is_one_launch() && one.number >= kRegistersAKernel) return;
    one.number += static_cast<std::uint32_t>(kernel * kRegistersAKernel);
    auto& all = result_.undefined_registers;
    const bool is_known = std::any_of(
        all.begin(), all.end(), [&](const auto& other) { return other.number == one.number; });
    if (is_known) return;
    one.diagnostic.seen.launch = run::place_of(sequence_, index);
    all.push_back(std::move(one));
  }

  const run::Sequence& sequence_;
  const run::Options& options_;
  std::vector<std::string> kernels_;
  std::vector<std::vector<run::InstructionCount>> counts_;  // by kernel and instruction
  std::vector<std::vector<std::byte>> variables_;
  run::Result result_;
};

// Runs one of the launches; an error of the simulator names it.
run::Result launch_named(sim::Simulator& simulator, const run::Sequence& sequence,
                         std::size_t index, std::vector<run::Buffer>& buffers,
                         const run::Options& options) {
  try {
    return simulator.launch(sequence.launches[index], buffers, options);
  } catch (const base::UsageError& error) {
    throw base::UsageError(run::in_launch(sequence, index, error.what()));
  }
}

}  // namespace

bool is_undefined_read(const base::Diagnostic& found) {
  return found.kind == base::DiagnosticKind::kUninitializedRead;
}

run::Result run_sequence(sim::Simulator& simulator, const run::Sequence& sequence,
                         std::vector<run::Buffer>& buffers, const run::Options& options,
                         const AroundLaunch& around) {
  Sum sum(sequence, options);
  for (std::size_t i = 0; i < sequence.launches.size(); ++i) {
    const auto& launch = sequence.launches[i];
    auto own = sum.options_for(launch.kernel);
    if (around.before) around.before(launch, own);
    auto result = launch_named(simulator, sequence, i, buffers, own);
    if (around.after) around.after(i, result);
    if (!sum.add(i, std::move(result))) break;
  }
  run::put_in_place(sequence, buffers);
  return sum.take();
}

void SequenceFindings::add(std::size_t index, const std::vector<base::Diagnostic>& found) {
  const bool had_fault = has_fault_;
  for (auto one : found) {
    if (is_undefined_read(one)) {
      if (!sequence_.is_one_launch() && is_told(all_, one)) continue;
    } else if (had_fault) {
      continue;
    } else {
      has_fault_ = true;
    }
    one.seen.launch = run::place_of(sequence_, index);
    all_.push_back(std::move(one));
  }
}

void keep_written(const check::Checks& checks, std::vector<run::Buffer>& buffers) {
  for (std::size_t b = 0; b < buffers.size(); ++b) {
    auto& buffer = buffers[b];
    if (buffer.defined || buffer.bytes.empty()) continue;
    auto written = checks.written(static_cast<std::uint32_t>(b));
    buffer.defined = std::find(written.begin(), written.end(), false) == written.end();
    buffer.written = std::make_shared<const std::vector<bool>>(std::move(written));
  }
}

}  // namespace warpgrade::measure
