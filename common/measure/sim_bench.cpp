// SPDX-License-Identifier: Apache-2.0
#include "common/measure/sim_bench.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "common/base/diagnostic.h"
#include "common/base/error.h"
#include "common/check/checks.h"
#include "common/compile/program.h"
#include "common/device/profile.h"
#include "common/measure/baselines.h"
#include "common/measure/measurement.h"
#include "common/measure/model_launch.h"
#include "common/measure/undefined_values.h"
#include "common/run/runner.h"
#include "common/sim/simulator.h"

namespace warpgrade::measure {

Contents::Contents(const std::vector<std::byte>& bytes) : size_(bytes.size()) {
  std::copy_n(bytes.begin(), std::min(size_, word_.size()), word_.begin());
  // If the bytes equal themselves shifted by a word, the first word repeats.
  const bool repeats =
      size_ <= word_.size() ||
      std::memcmp(bytes.data(), bytes.data() + word_.size(), size_ - word_.size()) == 0;
  if (!repeats) all_ = bytes;
}

std::vector<std::byte> Contents::bytes() const {
  if (!all_.empty()) return all_;
  std::vector<std::byte> repeated(size_);
  for (std::size_t i = 0; i < size_; ++i) repeated[i] = word_[i % word_.size()];
  return repeated;
}

namespace {

// Limits for a warp that spins: once it has done this many times the work of the whole launch in
// order, and a few units more, the event that it waits for will not happen.
constexpr std::uint64_t kMostWaiting = 64;
constexpr std::uint64_t kSpareWork = std::uint64_t{1} << 24;

// The baseline's sample is a few milliseconds of work, and usually other launches run beside it.
constexpr unsigned kCopyThreads = 1;

bool is_warning(const base::Diagnostic& found) {
  return found.severity == base::Severity::kWarning;
}

// Whether another run would take as long again.
bool is_runaway(const base::Diagnostic& found) {
  return found.kind == base::DiagnosticKind::kRunaway;
}

class Simulated final : public SimBench {
 public:
  Simulated(const device::Profile& profile, std::map<std::uint64_t, double> copies)
      : profile_(profile), copies_(std::move(copies)) {}

  const device::Profile& profile() const override { return profile_; }
  void follow_lines() override { follows_lines_ = true; }

  Measurement measure(const compile::Program& program, const run::Sequence& sequence,
                      std::vector<run::Buffer>& buffers, const run::Options& options,
                      const MakeBefore& before) override {
    return run_and_check({program, sequence, buffers, options, before}, Timing::kBySample, {});
  }

  Measurement count(const compile::Program& program, const run::Sequence& sequence,
                    std::vector<run::Buffer>& buffers, const run::Options& options,
                    const MakeBefore& before, std::span<CountedElsewhere> others) override {
    for (auto& other : others) other.refusal = refusal(*other.profile, *other.program, sequence);
    return run_and_check({program, sequence, buffers, options, before}, Timing::kNone, others);
  }

  std::vector<ScheduledRun> run_in_schedules(const compile::Program& program,
                                             const run::Sequence& sequence,
                                             const std::vector<run::Buffer>& before,
                                             const Measurement& measured,
                                             const std::vector<std::uint64_t>& seeds,
                                             std::uint64_t budget) override {
    std::vector<ScheduledRun> runs;
    sim::Simulator simulator(program);
    for (const auto seed : seeds) {
      std::optional<check::Checks> checks;
      SequenceFindings checked(sequence);
      auto& run = runs.emplace_back();
      run.seed = seed;
      run.buffers = before;
      run::Options options;
      options.seed = seed;
      options.threads = 1;
      options.launch_budget = budget;
      options.block_budget = std::min(kSpareWork + kMostWaiting * measured.result.work, budget);
      options.multiprocessors = profile_.sm.count;
      options.independent_lanes = profile_.has_independent_lanes();
      AroundLaunch around;
      around.before = [&](const run::Launch& /*launch*/, run::Options& own) {
        checks.emplace(/*global_races=*/true);
        own.observers = {&*checks};
      };
      around.after = [&](std::size_t index, const run::Result& /*result*/) {
        checked.add(index, checks->diagnostics());
      };
      auto result = run_sequence(simulator, sequence, run.buffers, options, around);
      run.diagnostics = std::move(result.diagnostics);
      run.work = result.work;
      budget -= std::min(budget, result.work);
      for (const auto& found : checked.all()) {
        (is_warning(found) ? run.warnings : run.diagnostics).push_back(found);
      }
      std::erase_if(run.diagnostics,
                    is_undefined_read);  // measure() has checked whether such values matter
      if (!run.diagnostics.empty()) break;
    }
    return runs;
  }

  SampledLaunch measure_sample(const compile::Program& program, const compile::Kernel& kernel,
                               const run::Launch& launch, std::vector<sim::SparseBuffer>& buffers,
                               const run::Options& options, std::uint64_t draw,
                               SampleUse use) override {
    return model_launch(profile_, program, kernel, launch, buffers, options, draw, use);
  }

  run::Result run_in_parts(
      const compile::Program& program, const run::Launch& launch,
      const std::vector<run::Pattern>& patterns, const run::Options& options,
      const std::function<void(const std::vector<sim::SparseBuffer>& buffers)>& visit) override {
    return measure::run_in_parts(program, launch, patterns, options, visit);
  }

  double copy_seconds(std::uint64_t bytes) override {
    {
      const std::lock_guard lock(mutex_);
      const auto known = copies_.find(bytes);
      if (known != copies_.end()) return known->second;
    }
    auto buffers = sim::sparse_buffers(copy_patterns(bytes / 2));
    const std::string architecture(profile_.architecture);
    const auto& program = copy_program(architecture);
    run::Options options;
    options.threads = kCopyThreads;
    const auto found =
        model_launch(profile_, program, program.kernels.at(0), copy_launch(bytes / 2), buffers,
                     options, /*draw=*/0, SampleUse::kTime);
    const std::lock_guard lock(mutex_);
    return copies_[bytes] = found.time.seconds;
  }

  std::map<std::uint64_t, double> copies() override {
    const std::lock_guard lock(mutex_);
    return copies_;
  }

 private:
  // The launches that a caller requests, with their buffers and conditions.
  struct Launches {
    const compile::Program& program;
    const run::Sequence& sequence;
    std::vector<run::Buffer>& buffers;
    const run::Options& options;
    const MakeBefore& before;
  };

  // Runs `launches` with all checks, and counts them for this device and for `others`.
  Measurement run_and_check(const Launches& launches, Timing timing,
                            std::span<CountedElsewhere> others) {
    const auto& [program, sequence, buffers, options, before] = launches;
    if (const auto why = refusal(profile_, program, sequence); !why.empty()) {
      throw base::UsageError(why);
    }
    std::vector<Contents> copied;
    if (!before) copied = writable(buffers);
    sim::Simulator simulator(program);
    SequenceFindings checked(sequence);
    std::vector<check::UndefinedRead> undefined_reads;
    std::deque<SequenceCounts> counts;  // this device first
    counts.emplace_back(profile_, program, buffers, timing, follows_lines_);
    for (const auto& other : others) {
      if (other.refusal.empty())
        counts.emplace_back(*other.profile, *other.program, buffers, Timing::kNone);
    }
    Measurement measured;
    measured.result = execute(simulator, launches, counts, checked, undefined_reads);
    auto found = measured.result.diagnostics;
    for (const auto& each : checked.all()) {
      (is_warning(each) ? measured.result.warnings : found).push_back(each);
    }
    test_undefined_values(simulator, launches, copied, undefined_reads, found, measured.result);
    measured.result.diagnostics = std::move(found);
    auto next = counts.begin();
    for (auto& other : others) {
      if (!other.refusal.empty()) continue;
      other.measured.result = measured.result;
      (++next)->put_into(other.measured);
    }
    const Timing better = counts.front().better_timing();
    if (!measured.result.diagnostics.empty() || better == Timing::kNone) {
      counts.front().put_into(measured);
      return measured;
    }
    SequenceCounts whole(profile_, program, buffers, better, follows_lines_);
    whole.use_paces(counts.front());
    count_again(simulator, launches, contents_before(before, copied, false), whole);
    const bool has_turns = better == Timing::kTurns || better == Timing::kTurnsBySample;
    const bool is_better = !has_turns || whole.has_shown_turns(counts.front());
    (is_better ? whole : counts.front()).put_into(measured);
    if (whole.has_failed()) measured.unmodelled.add(timing::Unmodelled::kWaitsBetweenBlocks);
    return measured;
  }

  // Decides by further runs whether the undefined values in `found` and `result` matter. If these
  // runs are not possible, such findings are dropped.
  static void test_undefined_values(sim::Simulator& simulator, const Launches& launches,
                                    const std::vector<Contents>& copied,
                                    const std::vector<check::UndefinedRead>& reads,
                                    std::vector<base::Diagnostic>& found, run::Result& result) {
    if (std::any_of(found.begin(), found.end(), is_runaway)) {
      std::erase_if(found, is_undefined_read);
      result.undefined_registers.clear();
    }
    const bool asks_memory = std::any_of(found.begin(), found.end(), is_undefined_read);
    const bool asks_registers = !result.undefined_registers.empty();
    if (!asks_memory && !asks_registers) return;
    const bool is_alone = std::all_of(found.begin(), found.end(), is_undefined_read);
    const auto contents = contents_before(launches.before, copied, !is_alone);
    UndefinedValues undefined(simulator, launches.sequence, launches.options, result,
                              launches.buffers, contents);
    if (!is_alone) undefined.compare_with_another_run();
    if (asks_memory) undefined.waive_reads(found, reads);
    if (asks_registers) {
      const auto registers = undefined.registers_that_matter();
      found.insert(found.begin(), registers.begin(), registers.end());
    }
    if (const auto& untested = undefined.untested(); untested && found.empty()) {
      result.warnings.push_back(*untested);
    }
    result.work += undefined.work();
  }

  // The contents of the buffers before the launches; empty for inputs, unless they are wanted.
  static std::vector<std::vector<std::byte>> contents_before(const MakeBefore& before,
                                                             const std::vector<Contents>& copied,
                                                             bool inputs_too) {
    std::vector<std::vector<std::byte>> contents;
    if (before) {
      for (auto& buffer : before(inputs_too)) contents.push_back(std::move(buffer.bytes));
    } else {
      for (const auto& buffer : copied) contents.push_back(buffer.bytes());
    }
    return contents;
  }

  // Repeats the launches for `counts`, without checks. `buffers` keep what they contain.
  static void count_again(sim::Simulator& simulator, const Launches& launches,
                          std::vector<std::vector<std::byte>> before, SequenceCounts& counts) {
    auto& buffers = launches.buffers;
    const auto exchange = [&] {
      for (std::size_t b = 0; b < buffers.size(); ++b) {
        if (!before[b].empty()) buffers[b].bytes.swap(before[b]);
      }
    };
    AroundLaunch around;
    around.before = [&](const run::Launch& launch, run::Options& own) {
      counts.begin(simulator.function(launch.kernel), launch, own);
    };
    around.after = [&](std::size_t index, const run::Result& result) {
      counts.end(simulator.function(launches.sequence.launches[index].kernel), result);
    };
    exchange();
    run_sequence(simulator, launches.sequence, buffers, launches.options, around);
    exchange();
  }

  // The reason why no SM can run a block of a launch; empty if it can.
  static std::string refusal(const device::Profile& profile, const compile::Program& program,
                             const run::Sequence& sequence) {
    for (std::size_t i = 0; i < sequence.launches.size(); ++i) {
      const auto& launch = sequence.launches[i];
      const auto& kernel = kernel_of(program, launch);
      if (const auto wrong = not_resident(profile, kernel, launch); !wrong.empty()) {
        return run::in_launch(sequence, i, wrong);
      }
      const auto why = does_not_fit(profile, kernel, launch);
      if (why.empty() || is_register_estimate(profile, kernel, launch)) continue;
      return run::in_launch(sequence, i,
                            fmt::format("{} cannot hold a block of it: {}", profile.name, why));
    }
    return {};
  }

  // Whether only registers prevent a block from running, and they belong to another device's code.
  static bool is_register_estimate(const device::Profile& profile, const compile::Kernel& kernel,
                                   const run::Launch& launch) {
    return profile.architecture !=
               fmt::format("sm_{}{}", profile.compute.major, profile.compute.minor) &&
           occupancy_of(profile, kernel, launch).limited_by == timing::Limit::kRegisters;
  }

  // Contents of the buffers that a kernel may write; empty for others.
  static std::vector<Contents> writable(const std::vector<run::Buffer>& buffers) {
    std::vector<Contents> contents;
    for (const auto& buffer : buffers) {
      contents.push_back(buffer.read_only ? Contents() : Contents(buffer.bytes));
    }
    return contents;
  }

  // Runs, counts and checks the launches. Afterwards `buffers` have their original flags.
  // `undefined_reads` are filled for a single launch only: in a sequence buffers can swap roles.
  static run::Result execute(sim::Simulator& simulator, const Launches& launches,
                             std::deque<SequenceCounts>& counts, SequenceFindings& checked,
                             std::vector<check::UndefinedRead>& undefined_reads) {
    const auto& sequence = launches.sequence;
    auto& buffers = launches.buffers;
    std::vector<bool> defined;
    for (const auto& buffer : buffers) defined.push_back(buffer.defined);
    std::optional<check::Checks> checks;
    AroundLaunch around;
    around.before = [&](const run::Launch& launch, run::Options& own) {
      const auto& function = simulator.function(launch.kernel);
      // the last one determines the number of SMs
      std::for_each(counts.rbegin(), counts.rend(),
                    [&](auto& one) { one.begin(function, launch, own); });
      own.observers.push_back(&checks.emplace());
    };
    around.after = [&](std::size_t index, const run::Result& result) {
      const auto& function = simulator.function(sequence.launches[index].kernel);
      for (auto& one : counts) one.end(function, result);
      const auto found = checks->diagnostics();
      if (sequence.is_one_launch() && std::any_of(found.begin(), found.end(), is_undefined_read)) {
        undefined_reads = checks->undefined_reads();
      }
      checked.add(index, found);
      if (index + 1 < sequence.launches.size()) keep_written(*checks, buffers);
    };
    auto result = run_sequence(simulator, sequence, buffers, launches.options, around);
    for (std::size_t b = 0; b < buffers.size(); ++b) {
      buffers[b].defined = defined[b];
      buffers[b].written = nullptr;
    }
    return result;
  }

  const device::Profile& profile_;
  bool follows_lines_ = false;
  std::mutex mutex_;                        // guards copies_
  std::map<std::uint64_t, double> copies_;  // bytes read and written -> seconds
};

}  // namespace

std::unique_ptr<SimBench> sim_bench(const device::Profile& profile,
                                    std::map<std::uint64_t, double> copies) {
  return std::make_unique<Simulated>(profile, std::move(copies));
}

}  // namespace warpgrade::measure
