// SPDX-License-Identifier: Apache-2.0
#include "common/gpu/checked_launch.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "common/base/diagnostic.h"
#include "common/gpu/platform.h"
#include "common/gpu/session.h"
#include "common/gpu/timed_memory.h"
#include "common/gpu/worker.h"
#include "common/run/launch.h"
#include "common/run/runner.h"

namespace warpgrade::gpu {
namespace {

constexpr std::uint64_t kFingerprintGrid = 1024;  // limit
constexpr std::uint32_t kFingerprintBlock = 256;
constexpr std::uint64_t kWordsAThread = 8;  // minimum, if the buffer has that many

}  // namespace

bool can_keep_state(std::string_view ptx) {
  return ptx.find("malloc") != std::string_view::npos ||
         ptx.find(".local") != std::string_view::npos ||
         ptx.find("alloca") != std::string_view::npos;
}

MakeExpected made_by(const std::vector<char>& machine_code, run::Sequence sequence) {
  return [&machine_code, sequence = std::move(sequence)](Session& session,
                                                         const DeviceBuffers& memory) {
    const auto kernels = run::kernels_text(sequence);
    try {
      const Module module(session.driver(), machine_code);
      if (session.launch(module, sequence, memory)) return;
    } catch (const base::ToolError& error) {
      throw base::ToolError(
          fmt::format("the lab's own kernel {} failed: {}", kernels, error.what()));
    }
    throw base::ToolError(
        fmt::format("the lab's own kernel {} did not end within {:g} s", kernels, session.limit()));
  };
}

MakeExpected made_by_copy() {
  return [](Session& session, const DeviceBuffers& memory) {
    DRIVER_CALL(session.driver(), copy_on_device, memory.at(0)->address(), memory.at(1)->address(),
                memory.at(0)->size(), nullptr);
    DRIVER_CALL(session.driver(), context_synchronize);
  };
}

CheckedLaunches::CheckedLaunches(Session& session, const std::vector<TimedProgram>& programs,
                                 const CheckedLaunchTools& tools)
    : session_(session),
      programs_(programs),
      tools_(tools),
      memory_(std::make_unique<TimedMemory>(session, programs)) {
  const Module ours(session.driver(), *tools.fingerprint_code);
  for (std::size_t s = 0; s < programs.size(); ++s) {
    const auto& program = programs[s];
    session.check_geometry(program.sequence);
    auto& right = right_.emplace_back();
    for (std::size_t c = 0; c < program.contents.size(); ++c) {
      const auto memory = memory_->filled(s, c);
      const auto before = fingerprints_of(ours, memory);
      program.make_expected(session, memory);
      right.push_back(fingerprints_of(ours, memory));
      for (std::size_t b = 0; b < before.size(); ++b) {
        if (program.before[b].read_only) right.back()[b] = before[b];
      }
      wipe(ours);
    }
  }
}

bool CheckedLaunches::renew(bool new_context, std::uint64_t pages) {
  bool renewed = true;
  if (new_context) {
    memory_.reset();
    renewed = session_.renew();
    memory_ = std::make_unique<TimedMemory>(session_, programs_);
  }
  memory_->move(pages);
  return renewed;
}

CheckedLaunch CheckedLaunches::run(std::size_t program_index, std::size_t content) {
  const auto& program = programs_.at(program_index);
  CheckedLaunch launch;
  const auto kernels = run::kernels_text(program.sequence);
  try {
    auto memory = memory_->filled(program_index, content);
    {
      const Module module(session_.driver(), *program.machine_code);
      // The driver may load a kernel on first use, which must not happen between flush and launch.
      for (const auto& each : program.sequence.launches) module.function(each.kernel);
      session_.flush_l2();
      const auto timing = session_.launch(module, program.sequence, memory);
      if (!timing) {
        launch.diagnostics.push_back(runaway(kernels, session_.limit()));
        launch.device_lost = true;
        return launch;
      }
      launch.timing = *timing;
    }
    if (tools_.monitor != nullptr) launch.conditions = tools_.monitor->conditions();
    const Module ours(session_.driver(), *tools_.fingerprint_code);
    run::put_in_place(program.sequence, memory);
    check(program_index, content, ours, memory, launch);
    wipe(ours);
  } catch (const DriverError& error) {
    const auto fault = kernel_fault(error.status(), kernels);
    if (!fault) throw;
    launch.diagnostics.push_back(*fault);
    launch.device_lost = true;
  }
  return launch;
}

std::vector<run::Buffer> CheckedLaunches::expected(std::size_t program_index, std::size_t content) {
  const auto& program = programs_.at(program_index);
  const auto memory = memory_->filled(program_index, content);
  program.make_expected(session_, memory);
  auto out = outputs(program, memory);
  wipe(Module(session_.driver(), *tools_.fingerprint_code));
  return out;
}

Fingerprint CheckedLaunches::fingerprint_of(const Module& ours, const GuardedMemory& memory) {
  const auto& driver = session_.driver();
  const auto sums = memory_->scratch();
  run::Launch launch;
  launch.kernel = kFingerprintKernel;
  const auto words = memory.size() / sizeof(std::uint64_t);
  launch.grid.x = static_cast<std::uint32_t>(
      std::clamp<std::uint64_t>(words / kFingerprintBlock / kWordsAThread, 1, kFingerprintGrid));
  launch.block.x = kFingerprintBlock;
  launch.arguments = {run::value_argument(sums), run::value_argument(memory.address()),
                      run::value_argument(std::uint64_t{memory.size()}),
                      run::value_argument(tools_.key.low), run::value_argument(tools_.key.high)};
  DRIVER_CALL(driver, fill, sums, 0, sizeof(Fingerprint), nullptr);
  if (!session_.launch(ours, launch, {})) {
    throw base::ToolError("the fingerprint kernel did not end");
  }
  Fingerprint found;
  DRIVER_CALL(driver, copy_to_host, &found, sums, sizeof(found));
  return found;
}

std::vector<Fingerprint> CheckedLaunches::fingerprints_of(const Module& ours,
                                                          const DeviceBuffers& memory) {
  std::vector<Fingerprint> out;
  for (const auto& buffer : memory) out.push_back(fingerprint_of(ours, *buffer));
  return out;
}

// Compares the device's memory with the expected results; reads it back if they differ.
void CheckedLaunches::check(std::size_t program_index, std::size_t content, const Module& ours,
                            const DeviceBuffers& memory, CheckedLaunch& launch) {
  const auto& program = programs_[program_index];
  const auto kernel = run::kernels_text(program.sequence);
  auto& right = right_[program_index][content];
  const auto found = fingerprints_of(ours, memory);
  std::vector<std::size_t> differing;
  for (std::size_t b = 0; b < memory.size(); ++b) {
    const auto& before = program.before[b];
    if (const auto damage = memory[b]->damage(before.name)) {
      launch.diagnostics.push_back(damage_diagnostic(kernel, *damage));
    }
    if (found[b] == right[b] || !before.is_compared) continue;
    differing.push_back(b);
    if (!before.read_only) continue;
    std::vector<std::byte> bytes(memory[b]->size());
    memory[b]->read(bytes);
    launch.diagnostics.push_back(input_diagnostic(kernel, content_of(program, content, b), bytes));
  }
  launch.matches = differing.empty();
  if (launch.matches || !launch.diagnostics.empty()) return;
  launch.matches = is_near(program, ours, memory, differing);
  if (!launch.matches) launch.buffers = outputs(program, memory);
  for (const auto b : differing) {
    if (launch.matches) right[b] = found[b];
  }
}

// Whether all buffers in `differing` are floats that are near enough to the expected ones, which
// are made once more beside them. `memory` keeps its contents if they are not. If the device has no
// memory for that, the caller compares on the host.
bool CheckedLaunches::is_near(const TimedProgram& program, const Module& ours,
                              const DeviceBuffers& memory,
                              const std::vector<std::size_t>& differing) {
  const auto& driver = session_.driver();
  const auto nearness_of = [&](std::size_t b) {
    return b < program.nearness.size() ? program.nearness[b] : Nearness{};
  };
  for (std::size_t b = 0; b < memory.size(); ++b) {
    const auto& before = program.before[b];
    if (!before.read_only && before.defined)
      return false;  // The reference needs its first content.
  }
  std::map<std::size_t, std::unique_ptr<Allocation>> saved;
  for (const auto b : differing) {
    const auto bytes = program.before[b].element_bytes;
    if (nearness_of(b).ulps == 0 || (bytes != sizeof(float) && bytes != sizeof(double)))
      return false;
    try {
      saved[b] = std::make_unique<Allocation>(driver, memory[b]->size());
    } catch (const base::ToolError&) {
      return false;
    }
    DRIVER_CALL(driver, copy_on_device, saved[b]->address(), memory[b]->address(),
                memory[b]->size(), nullptr);
  }
  program.make_expected(session_, memory);
  std::uint64_t count = 0;
  for (const auto& [b, got] : saved) {
    const auto sum = memory_->scratch();
    const std::uint64_t bytes = program.before[b].element_bytes;
    run::Launch launch;
    launch.kernel = kBeyondKernel;
    launch.grid.x = kFingerprintGrid;
    launch.block.x = kFingerprintBlock;
    launch.arguments = {run::value_argument(sum),
                        run::value_argument(got->address()),
                        run::value_argument(memory[b]->address()),
                        run::value_argument(std::uint64_t{memory[b]->size() / bytes}),
                        run::value_argument(bytes),
                        run::value_argument(nearness_of(b).ulps),
                        run::value_argument(nearness_of(b).difference)};
    DRIVER_CALL(driver, fill, sum, 0, sizeof(count), nullptr);
    if (!session_.launch(ours, launch, {})) {
      throw base::ToolError("the kernel that compares floats did not end");
    }
    std::uint64_t beyond = 0;
    DRIVER_CALL(driver, copy_to_host, &beyond, sum, sizeof(beyond));
    count += beyond;
    DRIVER_CALL(driver, copy_on_device, memory[b]->address(), got->address(), memory[b]->size(),
                nullptr);
  }
  DRIVER_CALL(driver, context_synchronize);
  return count == 0;
}

std::vector<run::Buffer> CheckedLaunches::outputs(const TimedProgram& program,
                                                  const DeviceBuffers& memory) const {
  std::vector<run::Buffer> out;
  for (std::size_t b = 0; b < memory.size(); ++b) {
    const auto& before = program.before[b];
    auto& buffer = out.emplace_back();
    buffer.name = before.name;
    buffer.element_bytes = before.element_bytes;
    buffer.read_only = before.read_only;
    if (buffer.read_only) continue;
    buffer.bytes.resize(memory[b]->size());
    memory[b]->read(buffer.bytes);
  }
  return out;
}

// Overwrites the buffers and every SM's shared memory. The launch reserves nearly all L1 memory as
// shared memory, which would slow down the next kernel (a transpose by 3 %,
// tests/evidence/golden/h200_further) if the driver kept that setting. A second launch without
// shared memory resets it.
void CheckedLaunches::wipe(const Module& ours) {
  memory_->wipe();
  const auto bytes = static_cast<std::uint32_t>(session_.attribute(kMaxSharedPerBlock));
  run::Launch launch;
  launch.kernel = kOverwriteSharedKernel;
  launch.grid.x = 2 * static_cast<std::uint32_t>(session_.attribute(kMultiprocessors));
  launch.block.x = kFingerprintBlock;
  const auto kernel = ours.function(launch.kernel);
  for (const auto size : {bytes, std::uint32_t{0}}) {
    launch.dynamic_shared_bytes = size;
    launch.arguments = {run::value_argument(std::uint64_t{size})};
    if (size == 0) {
      DRIVER_CALL(session_.driver(), function_set_attribute, kernel, kFunctionSharedCarveout, 0);
    }
    if (!session_.launch(ours, launch, {})) {
      throw base::ToolError("the kernel that overwrites shared memory did not end");
    }
  }
}

std::string contradiction(const Timing& timing) {
  // Events are exact to about half a microsecond; the host's clock can be slewed slightly.
  if (timing.seconds <= timing.host_seconds * 1.01 + 2e-6) return {};
  return fmt::format(
      "the device says that a launch took {:.3g} s, but the host waited for it for {:.3g} s only: "
      "one of the two clocks is wrong, so nothing can be measured here",
      timing.seconds, timing.host_seconds);
}

bool is_disturbed(const Timing& timing) {
  // The window contains the L2 flush, a poll or two and the kernel; 5 ms is far above their sum.
  constexpr double kUsual = 5e-3;
  return timing.host_seconds - timing.seconds > kUsual + timing.seconds;
}

inline auto wire_fields(Timing& timing) { return std::tie(timing.seconds, timing.host_seconds); }
inline auto wire_fields(Conditions& conditions) {
  return std::tie(conditions.known, conditions.sm_mhz, conditions.memory_mhz, conditions.reasons,
                  conditions.other_processes);
}
inline auto wire_fields(CheckedLaunch& launch) {
  return std::tie(launch.diagnostics, launch.timing, launch.matches, launch.buffers, launch.printed,
                  launch.conditions, launch.device_lost);
}

namespace {

struct OpenProgramsRequest {
  using Reply = Done;
};
auto wire_fields(OpenProgramsRequest& /*request*/) { return std::tie(); }

struct BeginRequest {
  using Reply = Done;
};
auto wire_fields(BeginRequest& /*request*/) { return std::tie(); }

struct LaunchRequest {
  std::uint64_t program = 0;
  std::uint64_t content = 0;
  using Reply = CheckedLaunch;
};
auto wire_fields(LaunchRequest& request) { return std::tie(request.program, request.content); }

struct RenewReply {
  bool is_renewed = false;
};
auto wire_fields(RenewReply& reply) { return std::tie(reply.is_renewed); }

struct RenewRequest {
  bool new_context = false;
  std::uint64_t pages = 0;
  using Reply = RenewReply;
};
auto wire_fields(RenewRequest& request) { return std::tie(request.new_context, request.pages); }

struct ExpectedReply {
  std::vector<run::Buffer> buffers;
};
auto wire_fields(ExpectedReply& reply) { return std::tie(reply.buffers); }

struct ExpectedRequest {
  std::uint64_t program = 0;
  std::uint64_t content = 0;
  using Reply = ExpectedReply;
};
auto wire_fields(ExpectedRequest& request) { return std::tie(request.program, request.content); }

using LaunchProtocol =
    std::variant<OpenProgramsRequest, BeginRequest, LaunchRequest, RenewRequest, ExpectedRequest>;

// The worker's side.
class LaunchService {
 public:
  LaunchService(const Platform& platform, double limit, std::vector<TimedProgram> programs,
                const std::vector<char>& fingerprint_code, const FingerprintKey& key)
      : session_(platform.driver, limit, platform.now, platform.ordinal),
        monitor_(platform.nvml, session_.device().bus, is_sibling),
        programs_(std::move(programs)) {
    tools_.fingerprint_code = &fingerprint_code;
    tools_.key = key;
    tools_.monitor = &monitor_;
  }

  Done answer(OpenProgramsRequest& /*request*/) { return {}; }

  Done answer(BeginRequest& /*request*/) {
    launches_ = std::make_unique<CheckedLaunches>(session_, programs_, tools_);
    return {};
  }

  RenewReply answer(RenewRequest& request) {
    return {launches_->renew(request.new_context, request.pages)};
  }

  ExpectedReply answer(ExpectedRequest& request) {
    return {launches_->expected(request.program, request.content)};
  }

  CheckedLaunch answer(LaunchRequest& request) {
    auto launch = launches_->run(request.program, request.content);
    launch.printed = take_printed(run::kPrintedBytes);
    add_assertion(launch.diagnostics, run::kernels_text(programs_[request.program].sequence),
                  launch.printed);
    return launch;
  }

 private:
  Session session_;
  Monitor monitor_;
  std::vector<TimedProgram> programs_;
  CheckedLaunchTools tools_;
  std::unique_ptr<CheckedLaunches> launches_;
};

}  // namespace

struct CheckedLaunchRunner::State {
  double patience = 0;
  WorkerClient<LaunchProtocol> worker;
};

CheckedLaunchRunner::CheckedLaunchRunner(const Platform& platform, double time_limit,
                                         const std::vector<TimedProgram>& programs,
                                         const compile::Program& fingerprint,
                                         const FingerprintKey& key)
    : state_(std::make_unique<State>()) {
  state_->patience = patience_for(platform, time_limit);
  // The child has its own copies of everything that the arguments refer to.
  state_->worker.start([&platform, &programs, &fingerprint, key, time_limit] {
    return std::make_shared<LaunchService>(platform, time_limit, programs, fingerprint.machine_code,
                                           key);
  });
  state_->worker.ask<OpenProgramsRequest>(state_->patience);
}

CheckedLaunchRunner::~CheckedLaunchRunner() = default;

void CheckedLaunchRunner::begin() { state_->worker.ask<BeginRequest>(state_->patience); }

CheckedLaunch CheckedLaunchRunner::run(std::size_t program, std::size_t content) {
  return state_->worker.ask<LaunchRequest>(state_->patience, std::uint64_t{program},
                                           std::uint64_t{content});
}

bool CheckedLaunchRunner::renew(bool new_context, std::uint64_t pages) {
  return state_->worker.ask<RenewRequest>(state_->patience, new_context, pages).is_renewed;
}

std::vector<run::Buffer> CheckedLaunchRunner::expected(std::size_t program, std::size_t content) {
  return state_->worker
      .ask<ExpectedRequest>(state_->patience, std::uint64_t{program}, std::uint64_t{content})
      .buffers;
}

}  // namespace warpgrade::gpu
