// SPDX-License-Identifier: Apache-2.0
// A small study in its own folder, and a bench whose times the test sets.
//
// Kernels `slow` and `fast` write `out` over n = 32 and 64 elements. Some values are published for
// the k40.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <stdexcept>
#include <string>

#include "common/base/error.h"
#include "grader/study/run_study.h"
#include "grader/study/study.h"
#include "grader/study/study_reader.h"

namespace warpgrade::grader::study {

inline const std::string kStudy = R"toml(title = "Small"
summary = "For tests."
devices = ["k40"]

[[part]]
id = "main"
title = "Copies"
axis = "n"
axis_label = "elements"
axis_values = [32, 64]
variables = { word = 4 }
show = "bandwidth"
show_label = "GB/s"
bytes = "1000000000 * word * n"
file = "kernels/small.cu"
grid = ["n / 32"]
block = [32]
parameters = "float* out"
shapes = { out = "n" }

[[part.kernel]]
id = "slow"
label = "the slow one"
kernel = "slow"

[[part.kernel]]
id = "fast"
label = "the fast one"
kernel = "fast"
when = "n > 32"

[[part.published]]
file = "published/small.csv"
value = "GB_per_s"
)toml";

inline const std::string kPublished =
    "# A paper, "
    "2010.\ndevice,kernel,n,GB_per_s\nk40,slow,32,100\nk40,slow,64,200\nk40,fast,64,300\n";

/// `text` with the first `from` replaced; throws if `from` is missing, so that a test cannot rot.
inline std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const auto at = text.find(from);
  if (at == std::string::npos) throw std::logic_error("no `" + from + "` in the text");
  return text.replace(at, from.size(), to);
}

class SmallStudy : public testing::Test {
 protected:
  void SetUp() override {
    // Named after the test: tests may run side by side.
    const auto* info = testing::UnitTest::GetInstance()->current_test_info();
    folder_ = std::filesystem::path(testing::TempDir()) /
              (std::string("study_") + info->test_suite_name() + "_" + info->name());
    std::filesystem::create_directories(folder_ / "kernels");
    std::filesystem::create_directories(folder_ / "published");
    write("kernels/small.cu", "__global__ void slow(float* out) {}\n");
    write("published/small.csv", kPublished);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  void write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name, std::ios::binary) << text;
  }

  Study parse(const std::string& text) const {
    write("small.toml", text);
    return read_study(folder_ / "small.toml", "studies/small.toml");
  }

  /// The message that parse() throws.
  std::string message(const std::string& text) const {
    try {
      parse(text);
    } catch (const base::UsageError& error) {
      return error.what();
    }
    return "accepted";
  }

  std::string message_with(const std::string& from, const std::string& to) const {
    return message(replaced(kStudy, from, to));
  }

  std::filesystem::path folder_;
};

/// Fills in the measurement of a kernel's launch.
using StudyBody = std::function<void(const std::string& kernel, const run::Launch& launch,
                                     measure::Measurement& measured)>;

class StudyBench final : public measure::SimBench {
 public:
  /// With `is_even`, the blocks of its samples represent the others.
  StudyBench(std::string_view device, StudyBody body, bool is_even = true)
      : profile_(device::find(device)), body_(std::move(body)), is_even_(is_even) {}

  const device::Profile& profile() const override { return profile_; }
  measure::Measurement measure(const compile::Program&, const run::Sequence& launch,
                               std::vector<run::Buffer>&, const run::Options&,
                               const measure::MakeBefore&) override {
    ++launches;
    measure::Measurement out;
    out.bound_by = timing::Bound::kDram;
    body_(launch.first().kernel, launch.first(), out);
    return out;
  }
  measure::Measurement count(const compile::Program& program, const run::Sequence& sequence,
                             std::vector<run::Buffer>& buffers, const run::Options& options,
                             const measure::MakeBefore& before,
                             std::span<measure::CountedElsewhere>) override {
    return measure(program, sequence, buffers, options, before);
  }
  std::vector<measure::ScheduledRun> run_in_schedules(const compile::Program&, const run::Sequence&,
                                                      const std::vector<run::Buffer>&,
                                                      const measure::Measurement&,
                                                      const std::vector<std::uint64_t>&,
                                                      std::uint64_t) override {
    return {};
  }
  measure::SampledLaunch measure_sample(const compile::Program&, const compile::Kernel&,
                                        const run::Launch&, std::vector<sim::SparseBuffer>&,
                                        const run::Options&, std::uint64_t,
                                        measure::SampleUse) override {
    ++samples;
    measure::SampledLaunch out;
    out.time.seconds = 2;
    out.time.is_even = is_even_;
    out.time.bound_by = timing::Bound::kDram;
    return out;
  }
  run::Result run_in_parts(
      const compile::Program&, const run::Launch&, const std::vector<run::Pattern>&,
      const run::Options&,
      const std::function<void(const std::vector<sim::SparseBuffer>&)>&) override {
    return {};
  }
  double copy_seconds(std::uint64_t) override { return 1e-9; }
  std::map<std::uint64_t, double> copies() override { return {}; }

  int launches = 0;
  int samples = 0;

 private:
  device::Profile profile_;
  StudyBody body_;
  bool is_even_;
};

/// A program with kernels `slow` and `fast`, which need few resources.
inline compile::Result compile_small(const compile::CompileRequest& request) {
  compile::Program program;
  program.file = request.file;
  program.source = request.source;
  program.architecture = request.architecture;
  for (const auto* name : {"slow", "fast"}) {
    compile::Kernel kernel;
    kernel.name = name;
    kernel.signature = std::string(name) + "(float*)";
    kernel.resources.registers_per_thread = 16;
    program.kernels.push_back(kernel);
  }
  return program;
}

/// Runs `study` on one bench per device, all with `body`.
inline Result run_small(const Study& study, const StudyBody& body,
                        const cases::Compilations::Compile& compile = compile_small,
                        bool is_even = true) {
  cases::Compilations compilations(compile, 1);
  std::vector<std::unique_ptr<StudyBench>> benches;
  Tools services;
  services.compilations = &compilations;
  services.bench = [&](const Device& device) -> measure::SimBench& {
    for (auto& bench : benches) {
      if (bench->profile().name == device.name) return *bench;
    }
    return *benches.emplace_back(std::make_unique<StudyBench>(device.name, body, is_even));
  };
  return run_study(study, services);
}

/// 1 s per launch of `slow`, and 0.5 s of `fast`.
inline void take_time(const std::string& kernel, const run::Launch&, measure::Measurement& out) {
  out.seconds = kernel == "slow" ? 1 : 0.5;
}

}  // namespace warpgrade::grader::study
