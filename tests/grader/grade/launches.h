// SPDX-License-Identifier: Apache-2.0
// Makes launches on a device in this process, as a worker of the harness does. The device is a real
// GPU or, with WARPGRADE_SIM_DRIVER defined, a driver made of the simulator.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "common/base/error.h"
#include "common/compile/compiler.h"
#include "common/gpu/checked_launch.h"
#include "common/gpu/platform.h"
#include "common/run/launch.h"
#ifdef WARPGRADE_SIM_DRIVER
#include "sim_driver.h"
#endif

namespace warpgrade::grader::grade {

using Buffers = std::vector<run::Buffer>;

inline constexpr double kLaunchLimit = 120;  // Seconds: a sanitizer makes launches slow.
inline constexpr std::uint64_t kPages = 3;   // At most TimedMemory::kMostPages.
inline constexpr gpu::FingerprintKey kLaunchKey{0x9e3779b97f4a7c15, 0xc2b2ae3d27d4eb4f};

#ifdef WARPGRADE_SIM_DRIVER
inline gpu::Platform platform() { return gpu::testing::sim_platform(); }
inline compile::Program loadable(compile::Program program) {
  return gpu::testing::as_ptx(std::move(program));
}
#else
inline gpu::Platform platform() { return gpu::load_platform(); }
inline compile::Program loadable(compile::Program program) { return program; }
#endif

/// One session for all tests, as a worker of the harness has one for all launches.
inline gpu::Session& session() {
  static const auto here = platform();
  static gpu::Session made(here.driver, kLaunchLimit, here.now);
  return made;
}

/// `request` compiled for the device.
inline compile::Program compiled(compile::CompileRequest request) {
  request.architecture = session().device().architecture;
  auto result = compile::compile(request);
  const auto* wrong = std::get_if<std::vector<base::Diagnostic>>(&result);
  if (wrong != nullptr) throw base::ToolError(wrong->front().message);
  return std::get<compile::Program>(std::move(result));
}

/// Runs `how` of `kernel` from `before` as a checked launch: between guards, with the harness's
/// kernels around it. `difference` describes what is wrong with buffers, or returns an empty text.
/// Expects none for the result of `make_expected`, and none for the launch's result unless both are
/// equal.
inline void expect_right(const compile::Program& kernel, const run::Launch& how,
                         const Buffers& before, const gpu::MakeExpected& make_expected,
                         const std::function<std::string(const Buffers&)>& difference) {
  static const auto tool_code =
      loadable(gpu::fingerprint_program(session().device().architecture)).machine_code;
  const auto code = loadable(kernel).machine_code;
  gpu::CheckedLaunchTools tools;
  tools.fingerprint_code = &tool_code;
  tools.key = kLaunchKey;
  std::vector<gpu::TimedProgram> programs(1);
  auto& program = programs[0];
  program.machine_code = &code;
  program.sequence = how;
  program.before = run::patterns_of(before);
  program.contents = {gpu::Rotation(before.size())};
  program.make_expected = make_expected;
  gpu::CheckedLaunches launches(session(), programs, tools);
  launches.renew(/*new_context=*/false, kPages);
  EXPECT_EQ("", difference(launches.expected(0, 0))) << "of what is expected";
  const auto launch = launches.run(0, 0);
  for (const auto& diagnostic : launch.diagnostics) ADD_FAILURE() << diagnostic.message;
  ASSERT_TRUE(launch.diagnostics.empty());
  EXPECT_EQ("", launch.matches ? "" : difference(launch.buffers));
}

/// Runs `launch` from `before` without guards: each buffer is an allocation of exactly its size, so
/// that a tool sees every access past its end. Compares nothing.
inline void launch_without_guards(const compile::Program& program, run::Launch launch,
                                  const Buffers& before) {
  const auto& driver = session().driver();
  std::vector<std::unique_ptr<gpu::Allocation>> memory;
  for (const auto& buffer : before) {
    const auto& made =
        memory.emplace_back(std::make_unique<gpu::Allocation>(driver, buffer.bytes.size()));
    DRIVER_CALL(driver, copy_to_device, made->address(), buffer.bytes.data(), buffer.bytes.size());
  }
  for (auto& argument : launch.arguments) {
    const auto* buffer = std::get_if<run::BufferArgument>(&argument);
    if (buffer != nullptr) argument = run::value_argument(memory.at(buffer->index)->address());
  }
  const gpu::Module module(driver, loadable(program).machine_code);
  EXPECT_TRUE(session().launch(module, launch, {})) << "did not end";
}

}  // namespace warpgrade::grader::grade
