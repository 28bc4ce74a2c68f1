// SPDX-License-Identifier: Apache-2.0
#include "common/gpu/gpu_runner.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>

#include "common/gpu/platform.h"
#include "common/gpu/session.h"
#include "common/gpu/worker.h"
#include "common/run/launch.h"
#include "common/run/runner.h"

namespace warpgrade::gpu {
namespace {

struct LoadRequest {
  std::vector<char> machine_code;
  using Reply = Done;
};
auto wire_fields(LoadRequest& request) { return std::tie(request.machine_code); }

struct RunReply {
  std::vector<base::Diagnostic> diagnostics;
  std::vector<double> seconds;
  std::vector<double> launch_seconds;
  std::string printed;
  std::vector<run::Buffer> buffers;  // empty if the device is lost; inputs are always empty
  bool device_lost = false;
};
auto wire_fields(RunReply& reply) {
  return std::tie(reply.diagnostics, reply.seconds, reply.launch_seconds, reply.printed,
                  reply.buffers, reply.device_lost);
}

struct RunRequest {
  std::uint32_t samples = 0;
  bool flush = false;
  run::Sequence sequence;
  std::vector<run::Buffer> buffers;
  using Reply = RunReply;
};
auto wire_fields(RunRequest& request) {
  return std::tie(request.samples, request.flush, request.sequence, request.buffers);
}

struct CopyReply {
  std::vector<double> seconds;
};
auto wire_fields(CopyReply& reply) { return std::tie(reply.seconds); }

struct CopyRequest {
  std::uint64_t bytes = 0;
  std::uint32_t samples = 0;
  using Reply = CopyReply;
};
auto wire_fields(CopyRequest& request) { return std::tie(request.bytes, request.samples); }

struct OpenReply {
  DeviceInfo device;
};
auto wire_fields(OpenReply& reply) { return std::tie(reply.device); }

struct OpenRequest {
  using Reply = OpenReply;
};
auto wire_fields(OpenRequest& /*request*/) { return std::tie(); }

using Protocol = std::variant<OpenRequest, LoadRequest, RunRequest, CopyRequest>;

// The worker's side: one Session.
class Service {
 public:
  Service(const Platform& platform, double limit)
      : session_(platform.driver, limit, platform.now, platform.ordinal) {}

  OpenReply answer(OpenRequest& /*request*/) { return {session_.device()}; }

  Done answer(LoadRequest& request) {
    session_.load(std::move(request.machine_code));
    return {};
  }

  RunReply answer(RunRequest& request) {
    auto& buffers = request.buffers;
    auto outcome = session_.run(request.sequence, buffers, request.samples, request.flush);
    RunReply reply;
    reply.printed = take_printed(run::kPrintedBytes);
    add_assertion(outcome.diagnostics, run::kernels_text(request.sequence), reply.printed);
    reply.diagnostics = std::move(outcome.diagnostics);
    reply.seconds = std::move(outcome.seconds);
    reply.launch_seconds = std::move(outcome.launch_seconds);
    reply.device_lost = outcome.device_lost;
    if (reply.device_lost) return reply;
    // Inputs are unchanged, or a diagnostic says otherwise. They would be most of the reply.
    for (auto& buffer : buffers) {
      if (buffer.read_only) buffer.bytes.clear();
    }
    reply.buffers = std::move(buffers);
    return reply;
  }

  CopyReply answer(CopyRequest& request) { return {session_.copy(request.bytes, request.samples)}; }

 private:
  Session session_;
};

}  // namespace

struct GpuRunner::State {
  Platform platform;
  double limit = 0;
  DeviceInfo device;
  const compile::Program* program = nullptr;
  std::vector<char> machine_code;  // a copy, because another program may get the same address
  bool has_run = false;            // a launch since the last load
  WorkerClient<Protocol> worker;

  // Opens the device in a new worker and loads the program, unless a worker runs.
  void open() {
    if (worker.is_running()) return;
    worker.start([this] { return std::make_shared<Service>(platform, limit); });
    auto opened = worker.ask<OpenRequest>(patience_for(platform, 0)).device;
    // The sizes of cases depend on the free memory, which must not change from case to case.
    if (device.name.empty()) device = std::move(opened);
    add_bandwidth(device, platform.nvml);
    if (program != nullptr) ask<LoadRequest>(0, program->machine_code);
  }

  // Opens the device if necessary and sends the request; the time limit of a kernel applies
  // `launches` times.
  template <typename Request, typename... Fields>
  typename Request::Reply ask(std::uint32_t launches, const Fields&... fields) {
    open();
    return worker.ask<Request>(patience_for(platform, limit * launches), fields...);
  }

  LaunchTimes run(const run::Sequence& sequence, std::vector<run::Buffer>& buffers,
                  std::uint32_t samples, bool flush, run::Result& result) {
    if (program == nullptr) throw base::UsageError("no program is loaded on the GPU");
    has_run = true;
    auto reply = ask<RunRequest>(samples + 1 + static_cast<std::uint32_t>(sequence.launches.size()),
                                 samples, flush, sequence, buffers);
    result = {};
    result.diagnostics = std::move(reply.diagnostics);
    result.printed = std::move(reply.printed);
    if (!reply.seconds.empty()) result.seconds = reply.seconds.back();
    for (std::size_t i = 0; i < reply.buffers.size(); ++i) {
      if (!buffers[i].read_only) buffers[i].bytes = std::move(reply.buffers[i].bytes);
    }
    for (auto& diagnostic : result.diagnostics) diagnostic.where.file = program->file;
    return {std::move(reply.seconds), std::move(reply.launch_seconds)};
  }
};

Availability availability() {
  static const Availability kFound = [] {
    Availability found;
    try {
      const GpuRunner runner;
      found.available = true;
      found.device = runner.device();
      found.architecture = runner.architecture();
    } catch (const base::ToolError& error) {
      found.reason = error.what();
    }
    return found;
  }();
  return kFound;
}

GpuRunner::GpuRunner(std::optional<int> gpu) : GpuRunner(load_platform(gpu), kTimeLimit) {}

GpuRunner::GpuRunner(const Driver& driver, double time_limit)
    : GpuRunner(
          [&] {
            Platform platform;
            platform.driver = driver;
            return platform;
          }(),
          time_limit) {}

GpuRunner::GpuRunner(const Platform& platform, double time_limit)
    : state_(std::make_unique<State>()) {
  state_->platform = platform;
  state_->limit = time_limit;
  state_->open();
}

GpuRunner::GpuRunner(std::unique_ptr<State> state) : state_(std::move(state)) {}

GpuRunner::~GpuRunner() = default;

std::unique_ptr<GpuRunner> GpuRunner::twin() const {
  auto state = std::make_unique<State>();
  state->platform = state_->platform;
  state->limit = state_->limit;
  state->device = state_->device;
  return std::unique_ptr<GpuRunner>(new GpuRunner(std::move(state)));
}

void GpuRunner::rest() {
  state_->worker.end();
  state_->has_run = false;
}

std::unique_ptr<GpuRunner> open_gpu(const std::string& otherwise, std::optional<int> gpu) {
  try {
    return std::make_unique<GpuRunner>(gpu);
  } catch (const base::ToolError& error) {
    throw base::ToolError(fmt::format("{}: {}", otherwise, error.what()));
  }
}

void GpuRunner::load(const compile::Program& program) {
  // Each program gets its own process, so the next program is not affected by changes to the
  // context or by data left on the device.
  if (state_->has_run && program.machine_code != state_->machine_code) {
    state_->worker.end();
    state_->has_run = false;
  }
  state_->program = &program;
  state_->machine_code = program.machine_code;
  if (state_->worker.is_running()) {
    state_->ask<LoadRequest>(0, program.machine_code);
  } else {
    state_->open();
  }
}

run::Result GpuRunner::launch(const run::Launch& launch, std::vector<run::Buffer>& buffers,
                              const run::Options& /*options*/) {
  run::Result result;
  state_->run(launch, buffers, 1, /*flush=*/false, result);
  return result;
}

const Platform& GpuRunner::platform() const { return state_->platform; }
double GpuRunner::time_limit() const { return state_->limit; }
const std::string& GpuRunner::device() const { return state_->device.name; }
const std::string& GpuRunner::architecture() const { return state_->device.architecture; }
const DeviceInfo& GpuRunner::info() const { return state_->device; }
std::uint64_t GpuRunner::l2_bytes() const { return state_->device.l2_bytes; }
const std::string& GpuRunner::bus() const { return state_->device.bus; }

double GpuRunner::memcpy_seconds(std::uint64_t bytes, std::uint32_t samples) {
  auto seconds = state_->ask<CopyRequest>(samples + 1, bytes, samples).seconds;
  if (seconds.empty()) throw base::UsageError("a median needs at least one sample");
  const auto middle = seconds.begin() + static_cast<std::ptrdiff_t>(seconds.size() / 2);
  std::nth_element(seconds.begin(), middle, seconds.end());
  return *middle;
}

LaunchTimes GpuRunner::time(const run::Sequence& sequence, std::vector<run::Buffer>& buffers,
                            std::uint32_t samples, run::Result& result) {
  return state_->run(sequence, buffers, samples, /*flush=*/true, result);
}

}  // namespace warpgrade::gpu
