// SPDX-License-Identifier: Apache-2.0
#include "common/gpu/worker_protocol.h"

#include <fmt/format.h>

#include "common/base/error.h"

namespace warpgrade::gpu {
namespace {

Worker::Answer failure(WorkerStatus status, const std::string& text) {
  base::WireWriter answer;
  answer(status, text);
  return {answer.take(), false};
}

}  // namespace

Worker::Answer answer_or_failure(const std::function<Worker::Answer()>& make) {
  try {
    return make();
  } catch (const base::UsageError& error) {
    return failure(WorkerStatus::kUsageError, error.what());
  } catch (const std::exception& error) {
    return failure(WorkerStatus::kToolError, error.what());
  }
}

void fail_unknown_request() { throw base::ToolError("the GPU process got an unknown message"); }

void fail_garbled_reply(std::unique_ptr<Worker>& worker) {
  worker.reset();
  throw base::ToolError("a message of the GPU process is too short or garbled");
}

std::string exchange(std::unique_ptr<Worker>& worker, const std::string& request, double patience) {
  if (worker == nullptr) throw base::ToolError("the process that uses the GPU has ended");
  auto answer = worker->ask(request, patience);
  if (!answer) {
    worker.reset();
    throw base::ToolError("the process that uses the GPU has died or does not answer");
  }
  WorkerStatus status{};
  std::string text;
  base::WireReader reader(*answer);
  reader(status);
  if (!reader.is_ok()) fail_garbled_reply(worker);
  if (status == WorkerStatus::kDone) return *std::move(answer);
  reader(text);
  if (!reader.is_complete()) fail_garbled_reply(worker);
  if (status == WorkerStatus::kUsageError) throw base::UsageError(text);
  worker.reset();  // the device may be in any state
  throw base::ToolError(fmt::format("the GPU failed: {}", text));
}

}  // namespace warpgrade::gpu
