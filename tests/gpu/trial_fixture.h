// SPDX-License-Identifier: Apache-2.0
// Trials of a copy kernel on the fake driver.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "common/gpu/trial.h"
#include "common/gpu/trial_runner.h"
#include "fake_driver.h"

namespace warpgrade::gpu {

using testing::bytes_of;
using testing::fake;
using testing::pointer;

inline constexpr double kLimit = 0.01;
inline constexpr FingerprintKey kKey{1, 2};

// out = in, 4 floats; the second content begins at the third of them.
class TrialTest : public ::testing::Test {
 protected:
  TrialTest() {
    platform_ = testing::fake_platform();
    fake().parameter_sizes = {8, 8};
    fingerprint_.machine_code.resize(8);
    run::Buffer out;
    out.name = "out";
    out.bytes = bytes_of({-1});
    out.defined = false;
    run::Buffer in;
    in.name = "in";
    in.read_only = true;
    in.bytes = bytes_of({1, 2, 3, 4});
    subject_.before = {run::pattern_of(out, 16), run::pattern_of(in, 16)};
    subject_.machine_code = &code_;
    subject_.launch.kernel = "copy";
    subject_.launch.arguments = {run::BufferArgument{0}, run::BufferArgument{1}};
    subject_.contents = {{0, 0}, {0, 8}};
    subject_.make_expected = made_by_copy();
    fake().kernels["copy"] = [](void** arguments) {
      std::copy_n(pointer(arguments, 1), 4, pointer(arguments, 0));
    };
    fake().durations["copy"] = [] { return 1e-4; };
  }

  // In a process of its own, as in earnest; the fake as it is now is copied into it.
  std::unique_ptr<TrialRunner> runner() {
    auto made = std::make_unique<TrialRunner>(platform_, kLimit, std::vector<Subject>{subject_},
                                              fingerprint_, kKey);
    made->begin();
    return made;
  }
  Trial run(std::size_t content = 0) { return runner()->run(0, content); }

  // In this process, so that the fake's notes can be read.
  Trial run_here(int times = 1) {
    Session session(platform_.driver, kLimit, platform_.now);
    const Monitor monitor(platform_.nvml, session.device().bus, is_sibling);
    TrialTools tools;
    tools.fingerprint_code = &fingerprint_.machine_code;
    tools.key = kKey;
    tools.monitor = &monitor;
    std::vector<Subject> subjects = others_;
    subjects.insert(subjects.begin(), subject_);
    Trials trials(session, subjects, tools);
    fake().calls.clear();
    auto trial = trials.run(0, 0);
    for (int i = 1; i < times; ++i) trial = trials.run(0, 0);
    return trial;
  }

  Platform platform_;
  std::vector<char> code_ = std::vector<char>(8);
  compile::Program fingerprint_;
  Subject subject_;
  std::vector<Subject> others_;
};

}  // namespace warpgrade::gpu
