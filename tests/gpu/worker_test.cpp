// SPDX-License-Identifier: Apache-2.0
#include "common/gpu/worker.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>

#include "common/base/error.h"

namespace warpgrade::gpu::worker_test {

TEST(LaunchWire, ALaunchComesBackAsItWasSent) {
  run::Launch launch;
  launch.kernel = "copy";
  launch.grid = {7, 8, 9};
  launch.block = {32, 8, 1};
  launch.dynamic_shared_bytes = 4096;
  launch.arguments = {run::BufferArgument{1}, run::ValueArgument(3, std::byte{5})};
  const auto read = base::decode<run::Launch>(base::encode(launch));
  ASSERT_TRUE(read.has_value());
  EXPECT_EQ("copy", read->kernel);
  EXPECT_EQ(launch.grid, read->grid);
  EXPECT_EQ(launch.block, read->block);
  EXPECT_EQ(4096u, read->dynamic_shared_bytes);
  ASSERT_EQ(2u, read->arguments.size());
  EXPECT_EQ(1u, std::get<run::BufferArgument>(read->arguments[0]).index);
  EXPECT_EQ(std::get<run::ValueArgument>(launch.arguments[1]),
            std::get<run::ValueArgument>(read->arguments[1]));
}

TEST(LaunchWire, AStructWithAddressesComesBackAsItWasSent) {
  run::Launch launch;
  launch.arguments = {run::StructArgument{{std::byte{7}, std::byte{8}}, {{16, 3}}}};
  const auto read = base::decode<run::Launch>(base::encode(launch));
  ASSERT_TRUE(read.has_value());
  const auto& argument = std::get<run::StructArgument>(read->arguments.at(0));
  EXPECT_EQ((run::ValueArgument{std::byte{7}, std::byte{8}}), argument.bytes);
  ASSERT_EQ(1u, argument.pointers.size());
  EXPECT_EQ(16u, argument.pointers[0].offset);
  EXPECT_EQ(3u, argument.pointers[0].buffer);
}

TEST(LaunchWire, ABufferComesBackAsItWasSent) {
  run::Buffer buffer;
  buffer.name = "out";
  buffer.bytes = {std::byte{0}, std::byte{255}};
  buffer.element_bytes = 2;
  buffer.read_only = true;
  buffer.defined = false;
  const auto read = base::decode<run::Buffer>(base::encode(buffer));
  ASSERT_TRUE(read.has_value());
  EXPECT_EQ("out", read->name);
  EXPECT_EQ(buffer.bytes, read->bytes);
  EXPECT_EQ(2u, read->element_bytes);
  EXPECT_TRUE(read->read_only);
  EXPECT_FALSE(read->defined);
}

TEST(LaunchWire, ADiagnosticComesBackAsItWasSent) {
  base::Diagnostic diagnostic;
  diagnostic.kind = base::DiagnosticKind::kCompileError;
  diagnostic.where = {"copy.cu", 3, 5};
  diagnostic.message = "why";
  EXPECT_EQ(diagnostic, base::decode<base::Diagnostic>(base::encode(diagnostic)));
  diagnostic.block = base::Dim3{1, 2, 3};
  diagnostic.thread = base::Dim3{4, 5, 6};
  diagnostic.seen.launch = base::InLaunch{2, 3, "add"};
  const auto bytes = base::encode(diagnostic);
  EXPECT_EQ(diagnostic, base::decode<base::Diagnostic>(bytes));
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_FALSE(base::decode<base::Diagnostic>(bytes.substr(0, size)).has_value()) << size;
  }
}

constexpr double kForEver = -1;

TEST(Worker, AnswersMessagesInItsOwnProcess) {
  int asked = 0;
  Worker worker([&]() -> Worker::Handler {
    return [&](const std::string& message) {
      ++asked;
      return Worker::Answer{message + message, false};
    };
  });
  EXPECT_EQ("abab", worker.ask("ab", kForEver));
  EXPECT_EQ("cc", worker.ask("c", kForEver));
  EXPECT_EQ(0, asked);
}

TEST(Worker, LargeMessagesArriveWhole) {
  Worker worker([]() -> Worker::Handler {
    return [](const std::string& message) { return Worker::Answer{message, false}; };
  });
  std::string large(10'000'019, '\0');
  for (std::size_t i = 0; i < large.size(); ++i) large[i] = static_cast<char>(i * 31 % 251);
  EXPECT_TRUE(large == worker.ask(large, kForEver));
}

TEST(Worker, DeathIsNoAnswer) {
  Worker worker([]() -> Worker::Handler {
    return [](const std::string&) -> Worker::Answer { std::abort(); };
  });
  EXPECT_EQ(std::nullopt, worker.ask("x", kForEver));
}

TEST(Worker, SilenceIsNoAnswerAndDoesNotHang) {
  Worker worker([]() -> Worker::Handler {
    return [](const std::string&) -> Worker::Answer {
      for (;;) {
      }
    };
  });
  EXPECT_EQ(std::nullopt, worker.ask("x", 0.01));
}

TEST(Worker, OutputIsTakenOnceAndCut) {
  Worker worker([]() -> Worker::Handler {
    return [](const std::string& message) {
      std::printf("%s", message.c_str());
      return Worker::Answer{take_printed(4), false};
    };
  });
  EXPECT_EQ("abc", worker.ask("abc", kForEver));
  EXPECT_EQ("defg\n(2 more bytes printed)\n", worker.ask("defghi", kForEver));
  EXPECT_EQ("", worker.ask("", kForEver));
}

}  // namespace warpgrade::gpu::worker_test

namespace warpgrade::gpu::worker_protocol_test {

// A protocol of two requests, with the service in a worker process or in this process.

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
