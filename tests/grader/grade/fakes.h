// SPDX-License-Identifier: Apache-2.0
// Stand-ins for compiler, benches and runner, so that grading is tested without them.
//
// A test defines what a "program" does: the fake benches call a function that fills in `out` and
// the counters of each launch. The reference always doubles its input.
#pragma once

#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "common/base/error.h"
#include "common/device/profile.h"
#include "common/measure/gpu_bench.h"
#include "common/measure/sim_bench.h"
#include "common/run/runner.h"

namespace warpgrade::grader::grade {

inline std::vector<float> floats(const run::Buffer& buffer) {
  std::vector<float> out(buffer.bytes.size() / sizeof(float));
  std::memcpy(out.data(), buffer.bytes.data(), buffer.bytes.size());
  return out;
}

inline void put(run::Buffer& buffer, const std::vector<float>& values) {
  std::memcpy(buffer.bytes.data(), values.data(), values.size() * sizeof(float));
}

/// out[i] = 2 * in[i], as the lab's reference and a right submission do.
inline void twice(std::vector<run::Buffer>& buffers) {
  auto values = floats(buffers.at(1));
  for (auto& value : values) value *= 2;
  put(buffers.at(0), values);
}

class FakeRunner final : public run::Runner {
 public:
  void load(const compile::Program&) override {}
  run::Result launch(const run::Launch&, std::vector<run::Buffer>& buffers,
                     const run::Options& options) override {
    ++launches;
    threads = options.threads;
    twice(buffers);
    run::Result result;
    result.instructions = {{40, 1280}, {2, 64}};
    if (launches <= failures) result.diagnostics.emplace_back();
    return result;
  }
  int launches = 0;
  int failures = 0;       ///< The number of initial launches that fail.
  unsigned threads = 99;  ///< The thread limit of the last launch.
};

/// Applies a launch to the buffers and fills in its measurement.
using FakeBody = std::function<void(std::vector<run::Buffer>&, measure::Measurement&)>;

inline device::Profile fake_profile(std::string_view name, std::string_view architecture) {
  device::Profile out;
  out.name = name;
  out.architecture = architecture;
  // 64 operations per clock: 64 GFLOP/s.
  out.sm.count = 1;
  out.sm.clock_hz = 1e9;
  out.sm.warp_instructions_per_clock = 1;
  out.tensor.products_per_clock = 512;
  return out;
}

class FakeSimBench final : public measure::SimBench {
 public:
  FakeSimBench(std::string_view name, std::string_view architecture, FakeBody body)
      : profile_(fake_profile(name, architecture)), body_(std::move(body)) {}

  const device::Profile& profile() const override { return profile_; }
  measure::Measurement measure(const compile::Program&, const run::Sequence& launch,
                               std::vector<run::Buffer>& buffers, const run::Options& options,
                               const measure::MakeBefore&) override {
    {
      const std::lock_guard lock(mutex_);
      budgets.push_back(options.launch_budget);
      launches.push_back(launch.first());
      before.push_back(buffers);
    }
    measure::Measurement out;
    out.seconds = 1e-6;
    out.metrics["sectors"] = 128;
    body_(buffers, out);
    return out;
  }
  measure::Measurement count(const compile::Program& program, const run::Sequence& launch,
                             std::vector<run::Buffer>& buffers, const run::Options& options,
                             const measure::MakeBefore& make_before,
                             std::span<measure::CountedElsewhere> others) override {
    auto out = measure(program, launch, buffers, options, make_before);
    out.seconds = 0;
    for (auto& other : others) {
      other.refusal = refusal_elsewhere;
      other.measured = out;
      other.measured.metrics["sectors"] = sectors_elsewhere;
    }
    const std::lock_guard lock(mutex_);
    ++counted;
    return out;
  }
  std::vector<measure::ScheduledRun> run_in_schedules(const compile::Program&, const run::Sequence&,
                                                      const std::vector<run::Buffer>& before_run,
                                                      const measure::Measurement&,
                                                      const std::vector<std::uint64_t>& seeds,
                                                      std::uint64_t /*budget*/) override {
    std::vector<measure::ScheduledRun> runs;
    for (const auto seed : seeds) {
      {
        const std::lock_guard lock(mutex_);
        schedule_seeds.push_back(seed);
      }
      runs.push_back({seed, {}, {}, before_run});
      measure::Measurement found;
      if (in_other_orders) {
        in_other_orders(runs.back().buffers, found);
      } else {
        twice(runs.back().buffers);
      }
      runs.back().diagnostics = found.result.diagnostics;
    }
    return runs;
  }
  measure::SampledLaunch measure_sample(const compile::Program&, const compile::Kernel&,
                                        const run::Launch& launch,
                                        std::vector<sim::SparseBuffer>& buffers,
                                        const run::Options&, std::uint64_t,
                                        measure::SampleUse) override {
    std::vector<run::Buffer> whole;
    for (const auto& buffer : buffers) whole.push_back(run::made(buffer.pattern()));
    measure::Measurement found;
    {
      const std::lock_guard lock(mutex_);
      sampled.push_back(launch);
    }
    (in_sample ? in_sample : body_)(whole, found);
    for (std::size_t i = 0; i < buffers.size(); ++i) {
      buffers[i].mark_written();
      for (std::size_t at = 0; at < whole[i].bytes.size(); ++at) {
        *buffers[i].at(at) = whole[i].bytes[at];
      }
    }
    measure::SampledLaunch out;
    out.result = found.result;
    out.time.seconds = 2e-6;
    out.blocks = {{0, base::volume(launch.grid)}};
    out.time.is_even = is_even;
    return out;
  }
  run::Result run_in_parts(
      const compile::Program&, const run::Launch&, const std::vector<run::Pattern>& patterns,
      const run::Options&,
      const std::function<void(const std::vector<sim::SparseBuffer>&)>& visit) override {
    auto buffers = sim::sparse_buffers(patterns);
    auto whole = run::made(patterns);
    measure::Measurement found;
    body_(whole, found);
    for (std::size_t i = 0; i < buffers.size(); ++i) {
      for (std::size_t at = 0; at < whole[i].bytes.size(); ++at) {
        *buffers[i].at(at) = whole[i].bytes[at];
      }
    }
    visit(buffers);
    return found.result;
  }
  double copy_seconds(std::uint64_t bytes) override {
    const std::lock_guard lock(mutex_);
    copied.push_back(bytes);
    return 0.9e-6;
  }
  std::map<std::uint64_t, double> copies() override { return {}; }

  std::vector<run::Launch> launches;
  std::size_t counted = 0;             ///< Calls of count().
  std::string refusal_elsewhere;       ///< The message of count() for other devices.
  double sectors_elsewhere = 256;      ///< The sectors of count() for other devices.
  std::vector<run::Launch> sampled;    ///< The launches of measure_sample().
  FakeBody in_sample;                  ///< For sampled launches; empty: same as for others.
  bool is_even = true;                 ///< For sampled launches.
  std::vector<std::uint64_t> budgets;  ///< One per launch.
  std::vector<std::vector<run::Buffer>> before;
  std::vector<std::uint64_t> copied;
  std::vector<std::uint64_t> schedule_seeds;
  FakeBody in_other_orders;  ///< Empty: the right result.

 private:
  device::Profile profile_;
  FakeBody body_;
  std::mutex mutex_;  // guards the records; cases may run concurrently
};

class FakeGpuBench final : public measure::GpuBench {
 public:
  FakeGpuBench(std::string_view name, std::string_view architecture, FakeBody body)
      : profile_(fake_profile(name, architecture)), body_(std::move(body)) {}

  const device::Profile& profile() const override { return profile_; }
  measure::Measurement measure(const compile::Program&, const run::Sequence& launch,
                               std::vector<run::Buffer>& buffers,
                               std::uint32_t /*samples*/) override {
    launches.push_back(launch.first());
    before.push_back(buffers);
    measure::Measurement out;
    out.seconds = 1e-6;
    body_(buffers, out);
    return out;
  }
  std::unique_ptr<measure::CopyComparisons> comparisons(
      const compile::Program&, std::vector<measure::TimedCase> cases) override {
    class Asked final : public measure::CopyComparisons {
     public:
      Asked(FakeGpuBench& bench, std::vector<measure::TimedCase> all)
          : bench_(bench), all_(std::move(all)) {}
      measure::CopyComparison compare(std::size_t which) override {
        return bench_.compare(all_.at(which));
      }

     private:
      FakeGpuBench& bench_;
      std::vector<measure::TimedCase> all_;
    };
    begun.push_back(cases.size());
    return std::make_unique<Asked>(*this, std::move(cases));
  }
  /// Calls `body` twice and returns the fraction that the test has set.
  measure::CopyComparison compare(const measure::TimedCase& timed) {
    bounds.push_back(timed.bounds);
    timed_cases.push_back(timed);
    measure::CopyComparison out;
    out.measured.bytes = 1;
    const auto content = run::made(timed.before);
    auto after = content;
    twice(after);
    for (int i = 0; i < 2; ++i) {
      launches.push_back(timed.sequence.first());
      auto buffers = content;
      before.push_back(buffers);
      body_(buffers, out.measured);
      out.difference = timed.difference(content, after, buffers);
      if (out.difference || !out.measured.result.diagnostics.empty()) return out;
    }
    if (!timed.is_timed) return out;
    out.fraction = fraction;
    out.impossible = impossible;
    return out;
  }
  measure::GpuCounters count(const compile::Program&, const run::Sequence& launch,
                             const std::vector<run::Buffer>& before_run) override {
    counted.push_back({launch.first(), before_run});
    if (!counters) throw base::ToolError("another grader holds the card");
    return *counters;
  }
  double copy_seconds(std::uint64_t /*bytes*/) override { return 0.9e-6; }

  std::vector<run::Launch> launches;
  std::vector<std::vector<run::Buffer>> before;
  std::vector<std::vector<double>> bounds;  ///< One entry per comparison.
  std::vector<std::size_t> begun;           ///< Cases that go into comparisons together.
  std::vector<measure::TimedCase> timed_cases;
  measure::Fraction fraction;  ///< The result of all comparisons.
  std::string impossible;
  std::optional<measure::GpuCounters> counters;  ///< Not set: counting throws.
  std::vector<std::pair<run::Launch, std::vector<run::Buffer>>> counted;

 private:
  device::Profile profile_;
  FakeBody body_;
};

}  // namespace warpgrade::grader::grade
