// SPDX-License-Identifier: Apache-2.0
#include "common/base/forked_child.h"

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>

#include "common/base/error.h"

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
