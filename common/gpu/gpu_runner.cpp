// SPDX-License-Identifier: Apache-2.0
#include "common/gpu/gpu_runner.h"

#include <fmt/format.h>

#include <algorithm>

#include "common/gpu/driver.h"
#include "common/gpu/faults.h"
#include "common/gpu/message.h"
#include "common/gpu/platform.h"
#include "common/gpu/session.h"
#include "common/gpu/worker.h"

namespace warpgrade::gpu {
namespace {

enum class RunnerCommand : std::uint8_t { kOpen, kLoad, kRun, kCopy };
enum class Reply : std::uint8_t { kDone, kUsageError, kToolError };

constexpr std::size_t kPrintedLimit = std::size_t{1} << 20;  // The contract's printf buffer.
/// Longest silence of a worker beyond what its kernels may take: opening a device, moving
/// gigabytes.
constexpr double kPatience = 60;

// The worker's side: one Session, opened at the first message.
class Service {
 public:
  Service(const Platform& platform, double limit) : platform_(platform), limit_(limit) {}

  Worker::Answer operator()(const Bytes& message) {
    MessageWriter answer;
    try {
      answer.put(Reply::kDone);
      const bool lost = handle(MessageReader(message), answer);
      return {answer.bytes(), lost};
    } catch (const base::UsageError& error) {
      return failure(Reply::kUsageError, error.what());
    } catch (const std::exception& error) {
      return failure(Reply::kToolError, error.what());
    }
  }

 private:
  static Worker::Answer failure(Reply reply, const char* text) {
    MessageWriter answer;
    answer.put(reply);
    answer.put_text(text);
    return {answer.bytes(), false};
  }

  // Whether the device is lost to this process.
  bool handle(MessageReader message, MessageWriter& answer) {
    if (session_ == nullptr) {
      session_ = std::make_unique<Session>(platform_.driver, limit_, platform_.now);
    }
    switch (message.get<RunnerCommand>()) {
      case RunnerCommand::kOpen:
        answer.put_text(session_->device().name);
        answer.put_text(session_->device().architecture);
        answer.put(session_->device().l2_bytes);
        answer.put_text(session_->device().bus);
        return false;
      case RunnerCommand::kLoad: {
        const Bytes code = message.get_bytes();
        const auto* first = reinterpret_cast<const char*>(code.data());
        session_->load({first, first + code.size()});
        return false;
      }
      case RunnerCommand::kRun: {
        const auto samples = message.get<std::uint32_t>();
        const auto flush = message.get<bool>();
        const auto launch = get_launch(message);
        auto buffers = get_buffers(message);
        LaunchOutcome outcome = session_->run(launch, buffers, samples, flush);
        const std::string printed = take_printed(kPrintedLimit);
        for (auto& diagnostic : outcome.diagnostics) {
          if (diagnostic.kind != base::DiagnosticKind::kTrap) continue;
          add_assertion(diagnostic, launch.kernel, printed);
        }
        put(answer, outcome.diagnostics);
        put(answer, outcome.seconds);
        answer.put_text(printed);
        answer.put(outcome.device_lost);
        // Inputs are as they were, or there is a diagnostic; they would be most of the answer.
        for (auto& buffer : buffers) {
          if (buffer.read_only) buffer.bytes.clear();
        }
        if (!outcome.device_lost) put(answer, buffers);
        return outcome.device_lost;
      }
      case RunnerCommand::kCopy: {
        const auto bytes = message.get<std::uint64_t>();
        put(answer, session_->copy(bytes, message.get<std::uint32_t>()));
        return false;
      }
    }
    throw base::ToolError("the GPU process got an unknown message");
  }

  const Platform& platform_;
  double limit_;
  std::unique_ptr<Session> session_;
};

MessageWriter request(RunnerCommand kind) {
  MessageWriter message;
  message.put(kind);
  return message;
}

}  // namespace

struct GpuRunner::State {
  Platform platform;
  double limit = 0;
  DeviceInfo device;
  const compile::Program* program = nullptr;
  std::vector<char> machine_code;  // The program's: another one may get its address.
  bool has_run = false;            // A launch since the last load.
  std::unique_ptr<Worker> worker;

  // The worker's answer to `message`; starts a worker, with the program loaded, where there is
  // none.
  MessageReader ask(const MessageWriter& message, double patience) {
    if (worker == nullptr) {
      worker = std::make_unique<Worker>([this]() -> Worker::Handler {
        return [service = std::make_shared<Service>(platform, limit)](const Bytes& m) {
          return (*service)(m);
        };
      });
      auto opened = ask(request(RunnerCommand::kOpen), kPatience);
      device.name = opened.get_text();
      device.architecture = opened.get_text();
      device.l2_bytes = opened.get<std::uint64_t>();
      device.bus = opened.get_text();
      if (program != nullptr) send_program();
    }
    auto bytes = worker->ask(message.bytes(), patience);
    if (!bytes) {
      worker.reset();
      throw base::ToolError("the process that uses the GPU has died or does not answer");
    }
    MessageReader answer(std::move(*bytes));
    const auto reply = answer.get<Reply>();
    if (reply == Reply::kDone) return answer;
    const std::string text = answer.get_text();
    if (reply == Reply::kUsageError) throw base::UsageError(text);
    worker.reset();  // Its device may be in any state.
    throw base::ToolError("the GPU failed: " + text);
  }

  void send_program() {
    auto message = request(RunnerCommand::kLoad);
    message.put_bytes(std::as_bytes(std::span(program->machine_code)));
    ask(message, kPatience);
  }

  std::vector<double> run(const run::Launch& launch, std::vector<run::Buffer>& buffers,
                          std::uint32_t samples, bool flush, run::Result& result) {
    if (program == nullptr) throw base::UsageError("no program is loaded on the GPU");
    has_run = true;
    auto message = request(RunnerCommand::kRun);
    message.put(samples);
    message.put(flush);
    put(message, launch);
    put(message, buffers);
    MessageReader answer = ask(message, kPatience + limit * (samples + 1));
    result = {};
    result.diagnostics = get_diagnostics(answer);
    const auto seconds = get_numbers(answer);
    result.printed = answer.get_text();
    if (!seconds.empty()) result.seconds = seconds.back();
    if (answer.get<bool>()) {
      worker.reset();
    } else {
      auto results = get_buffers(answer);
      for (std::size_t i = 0; i < buffers.size(); ++i) {
        if (!buffers[i].read_only) buffers[i].bytes = std::move(results[i].bytes);
      }
    }
    for (auto& diagnostic : result.diagnostics) diagnostic.where.file = program->file;
    return seconds;
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

GpuRunner::GpuRunner() : GpuRunner(load_platform(), kTimeLimit) {}

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
  state_->ask(request(RunnerCommand::kOpen), kPatience);
}

GpuRunner::~GpuRunner() = default;

std::unique_ptr<GpuRunner> open_gpu(const std::string& otherwise) {
  try {
    return std::make_unique<GpuRunner>();
  } catch (const base::ToolError& error) {
    throw base::ToolError(fmt::format("{}: {}", otherwise, error.what()));
  }
}

void GpuRunner::load(const compile::Program& program) {
  // A process of its own for each program: whatever one has done to its context, or has left on the
  // device, is gone for the next.
  if (state_->has_run && program.machine_code != state_->machine_code) {
    state_->worker.reset();
    state_->has_run = false;
  }
  state_->program = &program;
  state_->machine_code = program.machine_code;
  state_->send_program();
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
std::uint64_t GpuRunner::l2_bytes() const { return state_->device.l2_bytes; }
const std::string& GpuRunner::bus() const { return state_->device.bus; }

double GpuRunner::memcpy_seconds(std::uint64_t bytes, std::uint32_t samples) {
  auto message = request(RunnerCommand::kCopy);
  message.put(bytes);
  message.put(samples);
  MessageReader answer = state_->ask(message, kPatience + state_->limit * (samples + 1));
  auto seconds = get_numbers(answer);
  if (seconds.empty()) throw base::UsageError("a median needs at least one sample");
  const auto middle = seconds.begin() + static_cast<std::ptrdiff_t>(seconds.size() / 2);
  std::nth_element(seconds.begin(), middle, seconds.end());
  return *middle;
}

std::vector<double> GpuRunner::time(const run::Launch& launch, std::vector<run::Buffer>& buffers,
                                    std::uint32_t samples, run::Result& result) {
  return state_->run(launch, buffers, samples, /*flush=*/true, result);
}

}  // namespace warpgrade::gpu
