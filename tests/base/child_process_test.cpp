// SPDX-License-Identifier: Apache-2.0
#include "common/base/child_process.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <functional>
#include <string>
#include <utility>

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
