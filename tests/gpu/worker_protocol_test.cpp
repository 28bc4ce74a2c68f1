// SPDX-License-Identifier: Apache-2.0
// A protocol of two requests, with the service in a worker process or in this process.
#include "common/gpu/worker_protocol.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "common/base/error.h"

namespace warpgrade::gpu::worker_protocol_test {

using ::testing::HasSubstr;

constexpr double kForEver = -1;

struct SumReply {
  std::int32_t sum = 0;
  std::int32_t calls = 0;
  bool device_lost = false;
};
auto wire_fields(SumReply& reply) { return std::tie(reply.sum, reply.calls, reply.device_lost); }

struct Add {
  std::int32_t a = 0;
  std::int32_t b = 0;
  using Reply = SumReply;
};
auto wire_fields(Add& request) { return std::tie(request.a, request.b); }

struct Fail {
  std::string how;
  using Reply = Done;
};
auto wire_fields(Fail& request) { return std::tie(request.how); }

using Protocol = std::variant<Add, Fail>;

class Service {
 public:
  SumReply answer(Add& request) {
    return {request.a + request.b, ++calls_, request.a + request.b == 13};
  }
  Done answer(Fail& request) {
    if (request.how == "usage") throw base::UsageError("not so");
    if (request.how == "tool") throw base::ToolError("no device");
    if (request.how == "death") std::abort();
    return {};
  }

 private:
  int calls_ = 0;
};

class WorkerProtocolTest : public ::testing::Test {
 protected:
  WorkerProtocolTest() { start(); }
  void start() {
    client_.start([] { return std::make_shared<Service>(); });
  }
  SumReply add(std::int32_t a, std::int32_t b) { return client_.ask<Add>(kForEver, a, b); }
  std::string tool_error(const std::string& how) {
    try {
      client_.ask<Fail>(kForEver, how);
    } catch (const base::ToolError& error) {
      return error.what();
    }
    return "no error";
  }

  WorkerClient<Protocol> client_;
};

TEST_F(WorkerProtocolTest, OneServiceAnswersEachRequestByItsType) {
  EXPECT_EQ(5, add(2, 3).sum);
  client_.ask<Fail>(kForEver, std::string("not at all"));
  const auto last = add(-2, 3);
  EXPECT_EQ(1, last.sum);
  EXPECT_EQ(2, last.calls);
}

TEST_F(WorkerProtocolTest, AUsageErrorComesOutAndTheWorkerLivesOn) {
  add(1, 1);
  try {
    client_.ask<Fail>(kForEver, std::string("usage"));
    FAIL() << "no exception";
  } catch (const base::UsageError& error) {
    EXPECT_STREQ("not so", error.what());
  }
  EXPECT_EQ(2, add(1, 1).calls);
}

TEST_F(WorkerProtocolTest, AToolErrorComesOutAndEndsTheWorker) {
  EXPECT_EQ("the GPU failed: no device", tool_error("tool"));
  EXPECT_FALSE(client_.is_running());
  EXPECT_EQ("the process that uses the GPU has ended", tool_error("tool"));
  start();
  EXPECT_EQ(1, add(1, 1).calls);
}

TEST_F(WorkerProtocolTest, ADeathIsAToolErrorAndEndsTheWorker) {
  EXPECT_EQ("the process that uses the GPU has died or does not answer", tool_error("death"));
  EXPECT_FALSE(client_.is_running());
}

TEST_F(WorkerProtocolTest, AReplyWithALostDeviceIsTheWorkersLast) {
  EXPECT_EQ(13, add(6, 7).sum);
  EXPECT_FALSE(client_.is_running());
}

TEST(WorkerProtocol, AServiceThatCannotBeMadeIsAToolErrorAtTheFirstRequest) {
  WorkerClient<Protocol> client;
  client.start([]() -> std::shared_ptr<Service> { throw base::ToolError("no driver"); });
  try {
    client.ask<Add>(kForEver, 1, 2);
    FAIL() << "no exception";
  } catch (const base::ToolError& error) {
    EXPECT_STREQ("the GPU failed: no driver", error.what());
  }
}

// The status with which the worker's side answers `message`.
WorkerStatus status_of(const std::string& message) {
  auto handler = serve<Protocol>([] { return std::make_shared<Service>(); });
  const auto answer = handler(message);
  WorkerStatus status{};
  base::WireReader reader(answer.bytes);
  reader(status);
  EXPECT_TRUE(reader.is_ok());
  return status;
}

TEST(WorkerProtocol, ARequestThatIsCutOffAnywhereIsNone) {
  const auto whole = base::encode(Protocol(Add{2, 3}));
  EXPECT_EQ(WorkerStatus::kDone, status_of(whole));
  for (std::size_t size = 0; size < whole.size(); ++size) {
    EXPECT_EQ(WorkerStatus::kToolError, status_of(whole.substr(0, size))) << size;
  }
  EXPECT_EQ(WorkerStatus::kToolError, status_of(whole + "x"));
}

// The error that ask() throws if a worker sends `answer`.
std::string error_of_answer(const std::string& answer) {
  auto worker = std::make_unique<Worker>([&]() -> Worker::Handler {
    return [answer](const std::string&) { return Worker::Answer{answer, false}; };
  });
  try {
    exchange(worker, "request", kForEver);
  } catch (const base::ToolError& error) {
    EXPECT_EQ(nullptr, worker);
    return error.what();
  }
  return "no error";
}

TEST(WorkerProtocol, AnAnswerThatIsCutOffIsAToolErrorAndEndsTheWorker) {
  base::WireWriter writer;
  writer(WorkerStatus::kToolError, std::string("why"));
  const auto whole = writer.take();
  EXPECT_EQ("the GPU failed: why", error_of_answer(whole));
  for (std::size_t size = 0; size < whole.size(); ++size) {
    EXPECT_THAT(error_of_answer(whole.substr(0, size)), HasSubstr("too short or garbled")) << size;
  }
  EXPECT_THAT(error_of_answer("\xff"), HasSubstr("too short or garbled"));
}

}  // namespace warpgrade::gpu::worker_protocol_test
