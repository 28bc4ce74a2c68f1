// SPDX-License-Identifier: Apache-2.0
#include "common/gpu/checked_launch_runner.h"

#include "common/base/error.h"
#include "common/gpu/faults.h"
#include "common/gpu/message.h"

namespace warpgrade::gpu {
namespace {

enum class LaunchCommand : std::uint8_t { kOpen, kBegin, kLaunch, kRenew, kExpected };
enum class Reply : std::uint8_t { kDone, kUsageError, kToolError };

constexpr std::size_t kPrintedLimit = std::size_t{1} << 20;
/// Longest silence beyond what a kernel may take: opening a device, moving gigabytes.
constexpr double kPatience = 60;

void put(MessageWriter& to, const CheckedLaunch& launch) {
  put(to, launch.diagnostics);
  to.put(launch.timing.seconds);
  to.put(launch.timing.host_seconds);
  to.put(launch.matches);
  put(to, launch.buffers);
  to.put_text(launch.printed);
  to.put(launch.conditions.known);
  to.put(launch.conditions.sm_mhz);
  to.put(launch.conditions.memory_mhz);
  to.put(launch.conditions.reasons);
  to.put(launch.conditions.other_processes);
  to.put(launch.device_lost);
}

CheckedLaunch get_checked_launch(MessageReader& from) {
  CheckedLaunch launch;
  launch.diagnostics = get_diagnostics(from);
  launch.timing.seconds = from.get<double>();
  launch.timing.host_seconds = from.get<double>();
  launch.matches = from.get<bool>();
  launch.buffers = get_buffers(from);
  launch.printed = from.get_text();
  launch.conditions.known = from.get<bool>();
  launch.conditions.sm_mhz = from.get<std::uint32_t>();
  launch.conditions.memory_mhz = from.get<std::uint32_t>();
  launch.conditions.reasons = from.get<std::uint64_t>();
  launch.conditions.other_processes = from.get<std::uint32_t>();
  launch.device_lost = from.get<bool>();
  return launch;
}

// The worker's side.
class Service {
 public:
  Service(const Platform& platform, double limit, std::vector<TimedProgram> programs,
          const std::vector<char>& fingerprint_code, const FingerprintKey& key)
      : session_(platform.driver, limit, platform.now),
        monitor_(platform.nvml, session_.device().bus, is_sibling),
        programs_(std::move(programs)) {
    tools_.fingerprint_code = &fingerprint_code;
    tools_.key = key;
    tools_.monitor = &monitor_;
  }

  // Whether the device is lost to this process.
  bool handle(MessageReader message, MessageWriter& answer) {
    switch (message.get<LaunchCommand>()) {
      case LaunchCommand::kOpen:
        return false;
      case LaunchCommand::kBegin:
        launches_ = std::make_unique<CheckedLaunches>(session_, programs_, tools_);
        return false;
      case LaunchCommand::kRenew: {
        const auto new_context = message.get<bool>();
        answer.put(launches_->renew(new_context, message.get<std::uint64_t>()));
        return false;
      }
      case LaunchCommand::kExpected: {
        const auto program = message.get<std::uint64_t>();
        put(answer, launches_->expected(program, message.get<std::uint64_t>()));
        return false;
      }
      case LaunchCommand::kLaunch: {
        const auto program = message.get<std::uint64_t>();
        CheckedLaunch launch = launches_->run(program, message.get<std::uint64_t>());
        launch.printed = take_printed(kPrintedLimit);
        for (auto& diagnostic : launch.diagnostics) {
          if (diagnostic.kind != base::DiagnosticKind::kTrap) continue;
          add_assertion(diagnostic, programs_[program].launch.kernel, launch.printed);
        }
        put(answer, launch);
        return launch.device_lost;
      }
    }
    throw base::ToolError("the GPU process got an unknown message");
  }

 private:
  Session session_;
  Monitor monitor_;
  std::vector<TimedProgram> programs_;
  CheckedLaunchTools tools_;
  std::unique_ptr<CheckedLaunches> launches_;
};

Worker::Answer failure(Reply reply, const char* text) {
  MessageWriter answer;
  answer.put(reply);
  answer.put_text(text);
  return {answer.bytes(), false};
}

}  // namespace

CheckedLaunchRunner::CheckedLaunchRunner(const Platform& platform, double time_limit,
                                         const std::vector<TimedProgram>& programs,
                                         const compile::Program& fingerprint,
                                         const FingerprintKey& key)
    : limit_(time_limit) {
  worker_ = std::make_unique<Worker>([&]() -> Worker::Handler {
    // The child's copies of what the arguments refer to stay as they are for its whole life.
    auto open = [&platform, &programs, &fingerprint, key, time_limit] {
      return std::make_shared<Service>(platform, time_limit, programs, fingerprint.machine_code,
                                       key);
    };
    return [open, service = std::shared_ptr<Service>()](const Bytes& message) mutable {
      try {
        if (service == nullptr) service = open();
        MessageWriter answer;
        answer.put(Reply::kDone);
        const bool lost = service->handle(MessageReader(message), answer);
        return Worker::Answer{answer.bytes(), lost};
      } catch (const base::UsageError& error) {
        return failure(Reply::kUsageError, error.what());
      } catch (const std::exception& error) {
        return failure(Reply::kToolError, error.what());
      }
    };
  });
  MessageWriter message;
  message.put(LaunchCommand::kOpen);
  ask(message);
}

CheckedLaunchRunner::~CheckedLaunchRunner() = default;

MessageReader CheckedLaunchRunner::ask(const MessageWriter& message) {
  if (worker_ == nullptr) throw base::ToolError("the process that uses the GPU has ended");
  auto bytes = worker_->ask(message.bytes(), kPatience + limit_);
  if (!bytes) {
    worker_.reset();
    throw base::ToolError("the process that uses the GPU has died or does not answer");
  }
  MessageReader answer(std::move(*bytes));
  const auto reply = answer.get<Reply>();
  if (reply == Reply::kDone) return answer;
  const std::string text = answer.get_text();
  if (reply == Reply::kUsageError) throw base::UsageError(text);
  worker_.reset();
  throw base::ToolError("the GPU failed: " + text);
}

void CheckedLaunchRunner::begin() {
  MessageWriter message;
  message.put(LaunchCommand::kBegin);
  ask(message);
}

CheckedLaunch CheckedLaunchRunner::run(std::size_t program, std::size_t content) {
  MessageWriter message;
  message.put(LaunchCommand::kLaunch);
  message.put<std::uint64_t>(program);
  message.put<std::uint64_t>(content);
  MessageReader answer = ask(message);
  CheckedLaunch launch = get_checked_launch(answer);
  if (launch.device_lost) worker_.reset();
  return launch;
}

bool CheckedLaunchRunner::renew(bool new_context, std::uint64_t pages) {
  MessageWriter message;
  message.put(LaunchCommand::kRenew);
  message.put(new_context);
  message.put(pages);
  return ask(message).get<bool>();
}

std::vector<run::Buffer> CheckedLaunchRunner::expected(std::size_t program, std::size_t content) {
  MessageWriter message;
  message.put(LaunchCommand::kExpected);
  message.put<std::uint64_t>(program);
  message.put<std::uint64_t>(content);
  MessageReader answer = ask(message);
  return get_buffers(answer);
}

}  // namespace warpgrade::gpu
