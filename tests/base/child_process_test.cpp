// SPDX-License-Identifier: Apache-2.0
#include "common/base/child_process.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include "common/base/error.h"

namespace warpgrade::base::child_process_test {

// The two ends of a pipe or of a socket pair. Tests write to the second one.
struct Ends {
  explicit Ends(bool socket) {
    const int failed = socket ? socketpair(AF_UNIX, SOCK_STREAM, 0, all.data()) : pipe(all.data());
    EXPECT_EQ(0, failed);
  }
  ~Ends() {
    close(all[0]);
    close(all[1]);
  }
  std::array<int, 2> all{};
};

pid_t child_that(const std::function<int()>& act) {
  const pid_t child = fork();
  if (child == 0) _exit(act());
  return child;
}

TEST(Messages, ArriveWholeThroughPipesAndSockets) {
  const std::string large(3'000'000, 'x');  // larger than the buffer of either
  for (const bool socket : {false, true}) {
    const Ends ends(socket);
    const auto child = child_that([&] {
      const bool both = write_message(ends.all[1], "") && write_message(ends.all[1], large, 60);
      return both ? 0 : 1;
    });
    EXPECT_EQ("", read_message(ends.all[0]));
    EXPECT_EQ(large, read_message(ends.all[0], 60));
    EXPECT_EQ(0, wait_for(child));
  }
}

TEST(Messages, AClosedEndOrACutMessageIsNone) {
  for (const bool socket : {false, true}) {
    Ends ends(socket);
    const std::uint64_t size = 8;
    ASSERT_EQ(8, write(ends.all[1], &size, sizeof size));
    ASSERT_EQ(3, write(ends.all[1], "cut", 3));
    close(std::exchange(ends.all[1], -1));
    EXPECT_EQ(std::nullopt, read_message(ends.all[0]));
    EXPECT_EQ(std::nullopt, read_message(ends.all[0]));
  }
  Ends ends(true);
  close(std::exchange(ends.all[0], -1));
  EXPECT_FALSE(write_message(ends.all[1], "to nobody"));  // raises no SIGPIPE
}

TEST(Messages, ALargerOneThanAllowedIsNone) {
  const Ends ends(false);
  ASSERT_TRUE(write_message(ends.all[1], "four"));
  EXPECT_EQ(std::nullopt, read_message(ends.all[0], kNoTimeout, 3));
}

TEST(Messages, SilenceEndsTheWait) {
  const Ends ends(true);
  EXPECT_EQ(std::nullopt, read_message(ends.all[0], 0));
  EXPECT_FALSE(write_message(ends.all[1], std::string(10'000'000, 'x'), 0));  // no reader
}

TEST(Children, AreWaitedFor) {
  const auto child = child_that([] { return 7; });
  const int status = wait_for(child);
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(7, WEXITSTATUS(status));
  EXPECT_EQ(-1, wait_for(child)) << "has ended";
}

}  // namespace warpgrade::base::child_process_test

namespace warpgrade::base::forked_child_test {

using Ends = ForkedChild::Ends;

// Answers each message with the same one.
int echo(const Ends& ends) {
  while (const auto message = read_message(ends.in)) {
    if (!write_message(ends.out, *message)) return 1;
  }
  return 0;
}

int pause_for_ever(const Ends& /*ends*/) { return pause(); }

TEST(ForkedChild, MessagesGoBothWays) {
  ForkedChild child(echo);
  for (const auto& message : {std::string("a"), std::string(), std::string(3'000'000, 'x')}) {
    EXPECT_TRUE(child.send(message, 60));
    EXPECT_TRUE(child.has_news(60));
    EXPECT_EQ(message, child.receive(60));
  }
  EXPECT_FALSE(child.has_news(0));
}

TEST(ForkedChild, ItsMemoryIsACopy) {
  int count = 0;
  ForkedChild child([&](const Ends&) { return ++count; });
  EXPECT_EQ(1, WEXITSTATUS(child.wait()));
  EXPECT_EQ(0, count);
}

TEST(ForkedChild, BufferedOutputIsWrittenOnce) {
  std::FILE* file = std::tmpfile();
  ASSERT_NE(nullptr, file);
  std::fputs("once", file);
  ForkedChild child([&](const Ends&) { return std::fflush(file); });
  child.wait();
  std::fflush(file);
  EXPECT_EQ(4, std::ftell(file));
  EXPECT_EQ(4, lseek(fileno(file), 0, SEEK_END));
  std::fclose(file);
}

TEST(ForkedChild, AnEndWithoutAnAnswerIsNewsAndNoMessage) {
  ForkedChild child([](const Ends&) { return 7; });
  EXPECT_TRUE(child.has_news(60));
  EXPECT_EQ(std::nullopt, child.receive(60));
  const int status = child.wait();
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(7, WEXITSTATUS(status));
  EXPECT_EQ(status, child.end());
  EXPECT_FALSE(child.send("to nobody"));  // raises no SIGPIPE
}

TEST(ForkedChild, AnExceptionEndsTheChildWithOne) {
  ForkedChild child([](const Ends&) -> int { throw std::runtime_error("in the child"); });
  EXPECT_EQ(1, WEXITSTATUS(child.wait()));
}

TEST(ForkedChild, OneThatIsSilentAndReadsNothingIsGivenUp) {
  ForkedChild child(pause_for_ever);
  EXPECT_FALSE(child.has_news(0));
  EXPECT_EQ(std::nullopt, child.receive(0));
  EXPECT_FALSE(child.send(std::string(10'000'000, 'x'), 0));
  const int status = child.end();
  EXPECT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(SIGKILL, WTERMSIG(status));
}

TEST(ForkedChild, ALargerMessageThanAllowedIsNone) {
  ForkedChild child(echo);
  ASSERT_TRUE(child.send("four"));
  EXPECT_EQ(std::nullopt, child.receive(60, 3));
}

TEST(ForkedChild, EndsWithItsOwner) {
  pid_t process = -1;
  {
    const ForkedChild child(pause_for_ever);
    process = child.process();
    EXPECT_EQ(0, kill(process, 0));
  }
  EXPECT_EQ(-1, kill(process, 0)) << "has ended and was waited for";
}

TEST(ForkedChild, NoticesTheEndOfTheProcessThatForkedIt) {
  ForkedChild between([](const Ends& outer) {
    const ForkedChild child([&](const Ends& ends) {
      while (read_message(ends.in)) {
      }
      return write_message(outer.out, "its end") ? 0 : 1;
    });
    return kill(getpid(), SIGKILL);
  });
  EXPECT_EQ("its end", between.receive(60));
}

// A process that the child has started keeps the pipe, as bubblewrap's inner one does if the outer
// one is killed early.
TEST(ForkedChild, WhatAChildLeavesBehindIsNotAwaited) {
  ForkedChild child([](const Ends& ends) {
    if (fork() != 0) return 0;
    char end = 0;
    return static_cast<int>(read(ends.in, &end, 1));  // until the test closes its end
  });
  EXPECT_EQ(std::nullopt, child.receive());
}

pid_t fork_nothing() {
  errno = EAGAIN;
  return -1;
}
pid_t fork_and_mark() {
  const pid_t child = fork();
  if (child == 0) setenv("WARPGRADE_FORKED", "yes", 1);
  return child;
}

TEST(ForkedChild, AnotherForkMayMakeIt) {
  ForkedChild child(
      [](const Ends& ends) {
        return write_message(ends.out, std::getenv("WARPGRADE_FORKED")) ? 0 : 1;
      },
      fork_and_mark);
  EXPECT_EQ("yes", child.receive(60));
  EXPECT_THROW(ForkedChild(echo, fork_nothing), ToolError);
}

TEST(ForkedChild, AProgramTalksThroughItsStandardStreams) {
  ForkedChild child([](const Ends& ends) { return become_program({"/bin/cat"}, ends); });
  ASSERT_TRUE(child.send("to cat"));
  EXPECT_EQ("to cat", child.receive(60));
}

TEST(ForkedChild, AProgramThatIsMissingEndsWith127) {
  ForkedChild child([](const Ends& ends) { return become_program({"/missing/program"}, ends); });
  EXPECT_EQ(127, WEXITSTATUS(child.wait()));
}

}  // namespace warpgrade::base::forked_child_test
