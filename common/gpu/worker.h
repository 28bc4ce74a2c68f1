// SPDX-License-Identifier: Apache-2.0
// A child process that uses the GPU, the typed requests that it answers, and the message fields
// of launches and findings (base/wire.h).
//
// A request is a struct with message fields and a type `Reply`; a protocol is the variant of all
// its requests. If the worker's service throws base::UsageError, ask() throws the same. Any other
// exception becomes base::ToolError and ends the worker. A reply with `device_lost` set is the
// last one of its worker.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <variant>

#include "common/base/child_process.h"
#include "common/base/diagnostic.h"
#include "common/base/wire.h"
#include "common/run/runner.h"

namespace warpgrade::base {
inline auto wire_fields(Dim3& extent) { return std::tie(extent.x, extent.y, extent.z); }
inline auto wire_fields(SourceLocation& where) {
  return std::tie(where.file, where.line, where.column);
}
constexpr DiagnosticKind wire_last(DiagnosticKind /*type*/) {
  return DiagnosticKind::kCompileError;
}
inline auto wire_fields(InLaunch& launch) {
  return std::tie(launch.number, launch.count, launch.kernel);
}
/// A GPU's diagnostics have a message and no facts.
inline auto wire_fields(Diagnostic& diagnostic) {
  return std::tie(diagnostic.kind, diagnostic.where, diagnostic.message, diagnostic.block,
                  diagnostic.thread, diagnostic.seen.launch);
}
}  // namespace warpgrade::base

namespace warpgrade::run {
inline auto wire_fields(BufferArgument& argument) { return std::tie(argument.index); }
inline auto wire_fields(PointerField& field) { return std::tie(field.offset, field.buffer); }
inline auto wire_fields(StructArgument& argument) {
  return std::tie(argument.bytes, argument.pointers);
}
inline auto wire_fields(Launch& launch) {
  return std::tie(launch.kernel, launch.grid, launch.block, launch.dynamic_shared_bytes,
                  launch.arguments, launch.cooperative, launch.cluster);
}
inline auto wire_fields(Sequence& sequence) { return std::tie(sequence.launches, sequence.places); }
inline auto wire_fields(Buffer& buffer) {
  return std::tie(buffer.name, buffer.bytes, buffer.element_bytes, buffer.read_only, buffer.defined,
                  buffer.symbol);
}
}  // namespace warpgrade::run

namespace warpgrade::gpu {

class Worker {
 public:
  /// Answers one message; setting `last` ends the process.
  struct Answer {
    std::string bytes;
    bool last = false;  ///< The worker ends right after this answer, without clean-up.
  };
  using Handler = std::function<Answer(const std::string&)>;

  /// Forks. The child calls `start` once, and the returned handler for every message. Throws
  /// base::ToolError if the system cannot create a process.
  explicit Worker(const std::function<Handler()>& start);

  /// Sends a message and waits for the answer. Returns nullopt if the worker ends without
  /// one or is silent for `timeout` seconds (negative: no limit); the worker is then
  /// unusable.
  std::optional<std::string> ask(const std::string& message, double timeout);

 private:
  base::ForkedChild child_;
};

/// In the worker: returns the text written to standard output and standard error since the last
/// call, at most `limit` bytes plus a note on the number of omitted bytes.
std::string take_printed(std::size_t limit);

// Typed requests and replies between the program and a worker process (worker.h).
//
// A request is a struct with message fields (base/wire.h) and a type `Reply`; a protocol is the
// variant of all its requests. The worker's side is a service with a function answer(request) for
// each request. If it throws base::UsageError, ask() throws the same. Any other exception becomes
// base::ToolError and ends the worker, because its device may be in any state. A reply with
// `device_lost` set is the last one of its worker.
//
//     struct Add { int a = 0, b = 0; using Reply = Sum; };
//     using Protocol = std::variant<Add, Forget>;
//     WorkerClient<Protocol> client;
//     client.start([] { return std::make_shared<Adder>(); });
//     const Sum sum = client.ask<Add>(patience, 2, 3);

/// A reply that only confirms the request.
struct Done {};
inline auto wire_fields(Done& /*reply*/) { return std::tie(); }

/// The first byte of an answer; the reply or the text of the exception follows.
enum class WorkerStatus : std::uint8_t { kDone, kUsageError, kToolError };
constexpr WorkerStatus wire_last(WorkerStatus /*type*/) { return WorkerStatus::kToolError; }

/// The worker's answer: the result of make(), or the exception that it throws.
Worker::Answer answer_or_failure(const std::function<Worker::Answer()>& make);
/// Throws the exception for a request that is not in the protocol.
[[noreturn]] void fail_unknown_request();
/// Sends `request` and returns the answer with status kDone. Throws the worker's exception. Ends a
/// worker that does not answer or has failed.
std::string exchange(std::unique_ptr<Worker>& worker, const std::string& request, double patience);
/// Ends the worker and throws the exception for a reply that is not in the protocol.
[[noreturn]] void fail_garbled_reply(std::unique_ptr<Worker>& worker);

template <typename Reply>
bool is_last(const Reply& reply) {
  if constexpr (requires { reply.device_lost; }) {
    return reply.device_lost;
  } else {
    return false;
  }
}

/// The worker's side: answers with the service that `open` creates in the worker at the first
/// request.
template <typename Protocol, typename Open>
Worker::Handler serve(Open open) {
  return [open, service = decltype(open())()](const std::string& message) mutable {
    return answer_or_failure([&] {
      if (service == nullptr) service = open();
      auto request = base::decode<Protocol>(message);
      if (!request) fail_unknown_request();
      return std::visit(
          [&](auto& chosen) {
            using Reply = typename std::decay_t<decltype(chosen)>::Reply;
            const Reply reply = service->answer(chosen);
            base::WireWriter answer;
            answer(WorkerStatus::kDone, reply);
            return Worker::Answer{answer.take(), is_last(reply)};
          },
          *request);
    });
  };
}

/// The program's side: at most one worker.
template <typename Protocol>
class WorkerClient {
 public:
  bool is_running() const { return worker_ != nullptr; }
  /// Starts a worker with the service that `open` creates there.
  template <typename Open>
  void start(const Open& open) {
    worker_ = std::make_unique<Worker>([&] { return serve<Protocol>(open); });
  }
  void end() { worker_.reset(); }

  /// Sends the request with all `fields` in their order and returns the reply. The fields are
  /// written without a copy, because a launch's buffers may have gigabytes. Throws base::ToolError
  /// if no worker runs or the worker is silent for `patience` seconds (negative: no limit), and the
  /// exceptions of the service.
  template <typename Request, typename... Fields>
  typename Request::Reply ask(double patience, const Fields&... fields) {
    static_assert(
        std::is_same_v<decltype(wire_fields(std::declval<Request&>())), std::tuple<Fields&...>>);
    base::WireWriter message;
    message(index_of<Request>(), fields...);
    const auto answer = exchange(worker_, message.take(), patience);
    const auto fields_of_reply = std::string_view(answer).substr(sizeof(WorkerStatus));
    auto reply = base::decode<typename Request::Reply>(fields_of_reply);
    if (!reply) fail_garbled_reply(worker_);
    if (is_last(*reply)) end();
    return *std::move(reply);
  }

 private:
  // The index of the request in the protocol, the first field of a message.
  template <typename Request>
  static std::uint64_t index_of() {
    return Protocol(std::in_place_type<Request>).index();
  }

  std::unique_ptr<Worker> worker_;
};

}  // namespace warpgrade::gpu
