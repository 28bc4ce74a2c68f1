// SPDX-License-Identifier: Apache-2.0
#include "common/gpu/checked_launch_runner.h"

#include "common/gpu/faults.h"
#include "common/gpu/launch_wire.h"
#include "common/gpu/worker_protocol.h"
#include "common/run/launch_limits.h"

namespace warpgrade::gpu {

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
