// SPDX-License-Identifier: Apache-2.0
// Tests CheckedLaunches with a copy kernel on the fake driver.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "common/gpu/checked_launch.h"
#include "fake_driver.h"

namespace warpgrade::gpu {

using testing::bytes_of;
using testing::fake;
using testing::pointer;

inline constexpr double kLimit = 0.01;
inline constexpr FingerprintKey kKey{1, 2};

// The kernel copies 4 floats from `in` to `out`. In the second content, `in` starts at its third
// float.
class CheckedLaunchTest : public ::testing::Test {
 protected:
  CheckedLaunchTest() {
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
    program_.before = {run::pattern_of(out, 16), run::pattern_of(in, 16)};
    program_.machine_code = &code_;
    program_.sequence = run::Launch();
    program_.sequence.launches[0].kernel = "copy";
    program_.sequence.launches[0].arguments = {run::BufferArgument{0}, run::BufferArgument{1}};
    program_.contents = {{0, 0}, {0, 8}};
    program_.make_expected = made_by_copy();
    fake().kernels["copy"] = [](void** arguments) {
      std::copy_n(pointer(arguments, 1), 4, pointer(arguments, 0));
    };
    fake().durations["copy"] = [] { return 1e-4; };
  }

  // Runs in a child process, as in production. The child gets a copy of the current fake.
  std::unique_ptr<CheckedLaunchRunner> runner() {
    auto made = std::make_unique<CheckedLaunchRunner>(
        platform_, kLimit, std::vector<TimedProgram>{program_}, fingerprint_, kKey);
    made->begin();
    return made;
  }
  CheckedLaunch run(std::size_t content = 0) { return runner()->run(0, content); }

  // Runs in this process, so that tests can read what the fake recorded.
  CheckedLaunch run_here(int times = 1) {
    Session session(platform_.driver, kLimit, platform_.now);
    const Monitor monitor(platform_.nvml, session.device().bus, is_sibling);
    CheckedLaunchTools tools;
    tools.fingerprint_code = &fingerprint_.machine_code;
    tools.key = kKey;
    tools.monitor = &monitor;
    std::vector<TimedProgram> programs = others_;
    programs.insert(programs.begin(), program_);
    CheckedLaunches launches(session, programs, tools);
    fake().calls.clear();
    auto launch = launches.run(0, 0);
    for (int i = 1; i < times; ++i) launch = launches.run(0, 0);
    return launch;
  }

  Platform platform_;
  std::vector<char> code_ = std::vector<char>(8);
  compile::Program fingerprint_;
  TimedProgram program_;
  std::vector<TimedProgram> others_;
};

}  // namespace warpgrade::gpu
