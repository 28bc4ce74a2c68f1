// SPDX-License-Identifier: Apache-2.0
// Typed requests and replies between the program and a worker process (worker.h).
//
// A request is a struct with fields for a message (base/wire.h) and a type `Reply`; a protocol is
// the variant of all its requests. The worker's side is a service with a function answer(request)
// for each. It may throw: base::UsageError comes out of ask() as one, anything else as
// base::ToolError, and then the worker, whose device may be in any state, is ended. A reply with a
// field `device_lost` that is set is its worker's last.
//
//     struct Add { int a = 0, b = 0; using Reply = Sum; };
//     using Protocol = std::variant<Add, Forget>;
//     WorkerClient<Protocol> client;
//     client.start([] { return std::make_shared<Adder>(); });
//     const Sum sum = client.ask<Add>(patience, 2, 3);
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <variant>

#include "common/base/wire.h"
#include "common/gpu/worker.h"

namespace warpgrade::gpu {

/// A reply that says no more than that the request was carried out.
struct Done {};
inline auto wire_fields(Done& /*reply*/) { return std::tie(); }

/// The first byte of an answer; the reply follows, or the text of the exception.
enum class WorkerStatus : std::uint8_t { kDone, kUsageError, kToolError };
constexpr WorkerStatus wire_last(WorkerStatus /*type*/) { return WorkerStatus::kToolError; }

/// The worker's answer: what make() gives, or the exception that it throws.
Worker::Answer answer_or_failure(const std::function<Worker::Answer()>& make);
/// Throws the exception that a request is no message of the protocol.
[[noreturn]] void fail_unknown_request();
/// Sends `request` and returns the answer, of status kDone. Throws what the worker threw; one that
/// does not answer, or has failed, is ended.
std::string exchange(std::unique_ptr<Worker>& worker, const std::string& request, double patience);
/// Ends the worker and throws the exception that its reply is none of the protocol.
[[noreturn]] void fail_garbled_reply(std::unique_ptr<Worker>& worker);

template <typename Reply>
bool is_last(const Reply& reply) {
  if constexpr (requires { reply.device_lost; }) {
    return reply.device_lost;
  } else {
    return false;
  }
}

/// The worker's side: answers by the service that `open` makes, in the worker, at the first
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
  /// Starts a worker whose service is what `open` makes there.
  template <typename Open>
  void start(const Open& open) {
    worker_ = std::make_unique<Worker>([&] { return serve<Protocol>(open); });
  }
  void end() { worker_.reset(); }

  /// Sends the request with `fields`, all of them in their order, and returns the reply. They are
  /// written from where they are: a launch's buffers may be gigabytes. Throws base::ToolError where
  /// no worker runs, or the worker says nothing for `patience` seconds (below 0: it is waited for
  /// for ever), and what the service threw.
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
  // The index that heads a message with this variant.
  template <typename Request>
  static std::uint64_t index_of() {
    return Protocol(std::in_place_type<Request>).index();
  }

  std::unique_ptr<Worker> worker_;
};

}  // namespace warpgrade::gpu
