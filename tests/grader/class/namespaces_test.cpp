// SPDX-License-Identifier: Apache-2.0
// The processes, settings and sockets that a process with a card reaches from its own namespaces.
#include "grader/class/namespaces.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstring>
#include <functional>
#include <string>

#include "grader/class/sandbox.h"

namespace warpgrade::grader::class_book::namespaces_test {

bool can_write(const std::string& path) {
  const int file = open(path.c_str(), O_WRONLY | O_CLOEXEC);
  if (file >= 0) close(file);
  return file >= 0;
}

int status_of(pid_t process) {
  int status = 0;
  waitpid(process, &status, 0);
  return status;
}

void confine_with_card() {
  View view{{"/proc"}, {"/proc"}};
  view.card = true;
  confine(view);
}

// The name of an abstract socket, which has no file.
sockaddr_un listener() {
  sockaddr_un out{AF_UNIX, {}};
  fmt::format_to(out.sun_path + 1, "warpgrade-canary-{}", getpid());
  return out;
}

bool listens(const sockaddr_un& name) {
  const int local = socket(AF_UNIX, SOCK_STREAM, 0);
  return bind(local, reinterpret_cast<const sockaddr*>(&name), sizeof name) == 0 &&
         listen(local, 1) == 0;
}

bool can_connect(const sockaddr_un& name) {
  const int local = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const bool done = connect(local, reinterpret_cast<const sockaddr*>(&name), sizeof name) == 0;
  close(local);
  return done;
}

class NamespacesTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!can_fork_apart()) GTEST_SKIP() << "this user cannot make namespaces here";
  }
  // Calls `test` in a process that `fork_with` makes and that then waits to be killed.
  static bool holds_while_it_lives(pid_t (*fork_with)(), const std::function<bool()>& in_child,
                                   const std::function<bool()>& outside) {
    std::array<int, 2> ready{};
    if (pipe(ready.data()) != 0) return false;
    const pid_t child = fork_with();
    if (child == 0) {
      const char done = in_child() ? 'y' : 'n';
      if (write(ready[1], &done, 1) != 1) _exit(1);
      pause();
    }
    close(ready[1]);
    char done = 0;
    const bool started = read(ready[0], &done, 1) == 1 && done == 'y';
    const bool held = started && outside();
    kill(child, SIGKILL);
    status_of(child);
    // End of file: no process holds the other end, so the child has ended with all of its own.
    const bool is_over = read(ready[0], &done, 1) == 0;
    close(ready[0]);
    return held && is_over;
  }
};

TEST_F(NamespacesTest, OnlyItsOwnProcessesAreInProc) {
  const auto canary = fmt::format("/proc/{}/oom_score_adj", getpid());
  ASSERT_TRUE(can_write(canary));
  const pid_t child = fork_apart();
  if (child == 0) {
    confine_with_card();
    _exit(can_write(canary) ? 1 : getpid() > 9 ? 2 : 0);
  }
  EXPECT_EQ(0, status_of(child));
}

TEST_F(NamespacesTest, TheKernelsSettingsAreReadOnly) {
  const pid_t child = fork_apart();
  if (child == 0) {
    confine_with_card();
    for (const auto* path : {"/proc/sys/kernel/core_pattern", "/proc/sys/vm/drop_caches",
                             "/proc/sys/kernel/printk", "/proc/sysrq-trigger"}) {
      if (can_write(path)) _exit(1);
    }
    _exit(0);
  }
  EXPECT_EQ(0, status_of(child));
}

// As CUDA's driver does in the process that holds the card.
TEST_F(NamespacesTest, AProcessThatStartsLaterNamesItsThreads) {
  const pid_t child = fork_apart();
  if (child == 0) {
    confine_with_card();
    const pid_t holder = fork();
    if (holder == 0) _exit(can_write(fmt::format("/proc/self/task/{}/comm", gettid())) ? 0 : 1);
    _exit(status_of(holder) == 0 ? 0 : 1);
  }
  EXPECT_EQ(0, status_of(child));
}

TEST_F(NamespacesTest, NobodyOutsideConnectsToItsSocket) {
  auto name = listener();
  const auto listen_confined = [&] {
    confine_with_card();
    return listens(name);
  };
  EXPECT_TRUE(holds_while_it_lives(fork, listen_confined, [&] { return can_connect(name); }));
  EXPECT_TRUE(
      holds_while_it_lives(fork_apart, listen_confined, [&] { return !can_connect(name); }));
}

TEST_F(NamespacesTest, WhatFailsThereDoesNotWork) {
  EXPECT_FALSE(works_apart([] { return false; }));
}

TEST_F(NamespacesTest, ItsEndIsThatOfTheChild) {
  pid_t child = fork_apart();
  if (child == 0) _exit(7);
  EXPECT_EQ(7, WEXITSTATUS(status_of(child)));
  child = fork_apart();
  if (child == 0) kill(getpid(), SIGKILL);
  const int status = status_of(child);
  ASSERT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(SIGKILL, WTERMSIG(status));
}

}  // namespace warpgrade::grader::class_book::namespaces_test
