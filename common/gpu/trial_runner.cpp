// SPDX-License-Identifier: Apache-2.0
#include "common/gpu/trial_runner.h"

#include "common/base/error.h"
#include "common/gpu/faults.h"
#include "common/gpu/message.h"

namespace warpgrade::gpu {
namespace {

enum class Request : std::uint8_t { kOpen, kBegin, kTrial, kRenew, kExpected };
enum class Reply : std::uint8_t { kDone, kUsageError, kToolError };

constexpr std::size_t kPrintedLimit = std::size_t{1} << 20;
/// Longest silence beyond what a kernel may take: opening a device, moving gigabytes.
constexpr double kPatience = 60;

void put(MessageWriter& to, const Trial& trial) {
  put(to, trial.diagnostics);
  to.put(trial.timing.seconds);
  to.put(trial.timing.host_seconds);
  to.put(trial.matches);
  put(to, trial.buffers);
  to.put_text(trial.printed);
  to.put(trial.conditions.known);
  to.put(trial.conditions.sm_mhz);
  to.put(trial.conditions.memory_mhz);
  to.put(trial.conditions.reasons);
  to.put(trial.conditions.other_processes);
  to.put(trial.device_lost);
}

Trial get_trial(MessageReader& from) {
  Trial trial;
  trial.diagnostics = get_diagnostics(from);
  trial.timing.seconds = from.get<double>();
  trial.timing.host_seconds = from.get<double>();
  trial.matches = from.get<bool>();
  trial.buffers = get_buffers(from);
  trial.printed = from.get_text();
  trial.conditions.known = from.get<bool>();
  trial.conditions.sm_mhz = from.get<std::uint32_t>();
  trial.conditions.memory_mhz = from.get<std::uint32_t>();
  trial.conditions.reasons = from.get<std::uint64_t>();
  trial.conditions.other_processes = from.get<std::uint32_t>();
  trial.device_lost = from.get<bool>();
  return trial;
}

// The worker's side.
class Service {
 public:
  Service(const Platform& platform, double limit, std::vector<Subject> subjects,
          const std::vector<char>& fingerprint_code, const FingerprintKey& key)
      : session_(platform.driver, limit, platform.now),
        monitor_(platform.nvml, session_.device().bus, is_sibling),
        subjects_(std::move(subjects)) {
    tools_.fingerprint_code = &fingerprint_code;
    tools_.key = key;
    tools_.monitor = &monitor_;
  }

  // Whether the device is lost to this process.
  bool handle(MessageReader message, MessageWriter& answer) {
    switch (message.get<Request>()) {
      case Request::kOpen:
        return false;
      case Request::kBegin:
        trials_ = std::make_unique<Trials>(session_, subjects_, tools_);
        return false;
      case Request::kRenew: {
        const auto new_context = message.get<bool>();
        answer.put(trials_->renew(new_context, message.get<std::uint64_t>()));
        return false;
      }
      case Request::kExpected: {
        const auto subject = message.get<std::uint64_t>();
        put(answer, trials_->expected(subject, message.get<std::uint64_t>()));
        return false;
      }
      case Request::kTrial: {
        const auto subject = message.get<std::uint64_t>();
        Trial trial = trials_->run(subject, message.get<std::uint64_t>());
        trial.printed = take_printed(kPrintedLimit);
        for (auto& diagnostic : trial.diagnostics) {
          if (diagnostic.kind != base::DiagnosticKind::kTrap) continue;
          add_assertion(diagnostic, subjects_[subject].launch.kernel, trial.printed);
        }
        put(answer, trial);
        return trial.device_lost;
      }
    }
    throw base::ToolError("the GPU process got an unknown message");
  }

 private:
  Session session_;
  Monitor monitor_;
  std::vector<Subject> subjects_;
  TrialTools tools_;
  std::unique_ptr<Trials> trials_;
};

Worker::Answer failure(Reply reply, const char* text) {
  MessageWriter answer;
  answer.put(reply);
  answer.put_text(text);
  return {answer.bytes(), false};
}

}  // namespace

TrialRunner::TrialRunner(const Platform& platform, double time_limit,
                         const std::vector<Subject>& subjects, const compile::Program& fingerprint,
                         const FingerprintKey& key)
    : limit_(time_limit) {
  worker_ = std::make_unique<Worker>([&]() -> Worker::Handler {
    // The child's copies of what the arguments refer to stay as they are for its whole life.
    auto open = [&platform, &subjects, &fingerprint, key, time_limit] {
      return std::make_shared<Service>(platform, time_limit, subjects, fingerprint.machine_code,
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
  message.put(Request::kOpen);
  ask(message);
}

TrialRunner::~TrialRunner() = default;

MessageReader TrialRunner::ask(const MessageWriter& message) {
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

void TrialRunner::begin() {
  MessageWriter message;
  message.put(Request::kBegin);
  ask(message);
}

Trial TrialRunner::run(std::size_t subject, std::size_t content) {
  MessageWriter message;
  message.put(Request::kTrial);
  message.put<std::uint64_t>(subject);
  message.put<std::uint64_t>(content);
  MessageReader answer = ask(message);
  Trial trial = get_trial(answer);
  if (trial.device_lost) worker_.reset();
  return trial;
}

bool TrialRunner::renew(bool new_context, std::uint64_t pages) {
  MessageWriter message;
  message.put(Request::kRenew);
  message.put(new_context);
  message.put(pages);
  return ask(message).get<bool>();
}

std::vector<run::Buffer> TrialRunner::expected(std::size_t subject, std::size_t content) {
  MessageWriter message;
  message.put(Request::kExpected);
  message.put<std::uint64_t>(subject);
  message.put<std::uint64_t>(content);
  MessageReader answer = ask(message);
  return get_buffers(answer);
}

}  // namespace warpgrade::gpu
