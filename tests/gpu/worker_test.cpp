// SPDX-License-Identifier: Apache-2.0
#include "common/gpu/worker.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>

namespace warpgrade::gpu::worker_test {

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
