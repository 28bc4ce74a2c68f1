// SPDX-License-Identifier: Apache-2.0
#include "grader/class/sandbox.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>

namespace warpgrade::grader::class_book::sandbox_test {

// The processes, settings and sockets that a process with a card reaches from its own namespaces.

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

// Tries forbidden operations in a confined child, and checks bubblewrap's command line.

namespace fs = std::filesystem;

// The exit code of `act` in a child.
int in_child(const std::function<int()>& act) {
  const pid_t child = fork();
  if (child == 0) _exit(act());
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

bool can_open(const fs::path& path, int how) { return open(path.c_str(), how, 0600) >= 0; }

class SandboxTest : public testing::Test {
 protected:
  SandboxTest() {
    fs::create_directories(folder_ / "own");
    std::ofstream(folder_ / "own/file") << "mine";
    std::ofstream(folder_ / "canary") << "another's";
    fs::remove(folder_ / "link");
    fs::create_symlink(folder_ / "canary", folder_ / "own/link");
  }
  ~SandboxTest() override { fs::remove_all(folder_); }
  void SetUp() override {
    if (available_confinement().landlock == 0) GTEST_SKIP() << "this kernel has no Landlock";
  }
  View view() const { return {{(folder_ / "own").string()}, {}}; }
  fs::path folder_ = fs::path(testing::TempDir()) / "warpgrade_sandbox";
};

TEST_F(SandboxTest, OpensWhatIsItsOwnAndNothingElse) {
  EXPECT_EQ(0, in_child([&] {
              if (confine(view()).landlock == 0) return 1;
              if (!can_open(folder_ / "own/file", O_RDONLY)) return 2;
              if (can_open(folder_ / "canary", O_RDONLY)) return 3;
              if (can_open(folder_ / "own/link", O_RDONLY)) return 4;
              if (can_open(folder_ / "own/../canary", O_RDONLY)) return 5;
              if (can_open("/etc/passwd", O_RDONLY)) return 6;
              return 0;
            }));
}

TEST_F(SandboxTest, WritesNothing) {
  EXPECT_EQ(0, in_child([&] {
              confine(view());
              if (can_open(folder_ / "own/file", O_WRONLY)) return 1;
              if (can_open(folder_ / "own/new", O_WRONLY | O_CREAT)) return 2;
              if (unlink((folder_ / "own/file").c_str()) == 0) return 3;
              return 0;
            }));
}

TEST_F(SandboxTest, MakesNoConnectionAndTouchesNoOtherProcess) {
  EXPECT_EQ(0, in_child([&] {
                 if (!confine(view()).seccomp) return 1;
                 if (socket(AF_INET, SOCK_STREAM, 0) >= 0) return 2;
                 if (socket(AF_UNIX, SOCK_STREAM, 0) >= 0) return 3;
                 if (kill(getppid(), 0) == 0) return 4;  // since Landlock 6
                 return 0;
               }) & (available_confinement().landlock >= 6 ? 255 : 3));
}

// x32 sets bit 30 in the numbers of the same calls, which would slip past a list of call numbers.
TEST_F(SandboxTest, CallsOfAnotherArchitectureEndTheProcess) {
#if !defined(__x86_64__)
  GTEST_SKIP() << "x32 is of x86-64";
#endif
  EXPECT_EQ(128 + SIGSYS, in_child([&] {
              confine(view());
              return syscall(1L << 30 | SYS_socket, AF_INET, SOCK_STREAM, 0) >= 0 ? 1 : 0;
            }));
}

// A socket pair leads to the process that holds a card, and the driver listens on a socket of its
// own. Neither permits a connection.
TEST_F(SandboxTest, LocalSocketsAreForCardsAndNoConnectionEvenThen) {
  std::array<int, 2> ends{};
  const auto makes_pair = [&] { return socketpair(AF_UNIX, SOCK_STREAM, 0, ends.data()) == 0; };
  EXPECT_EQ(0, in_child([&] {
              confine(view());
              return makes_pair() ? 1 : 0;
            }));
  EXPECT_EQ(0, in_child([&] {
              auto with_card = view();
              with_card.card = true;
              confine(with_card);
              if (!makes_pair() || send(ends[0], "x", 1, 0) != 1) return 1;
              if (socket(AF_INET, SOCK_STREAM, 0) >= 0) return 2;
              const int local = socket(AF_UNIX, SOCK_DGRAM, 0);
              if (local < 0) return 3;
              const sockaddr nobody{AF_UNIX, {0, 'x'}};
              if (connect(local, &nobody, sizeof nobody) == 0 || errno != EPERM) return 4;
              sendto(local, "x", 1, 0, &nobody, sizeof nobody);
              return errno == EPERM ? 0 : 5;
            }));
}

TEST_F(SandboxTest, ADriverWritesToCardsOnly) {
  const auto devices = folder_ / "devices";
  fs::create_directories(devices / "nvidia-caps");
  for (const auto* name : {"nvidia0", "nvidiactl", "nvidia-caps/cap1", "sda", "kmsg"}) {
    std::ofstream(devices / name) << "node";
  }
  EXPECT_THAT(card_devices(devices),
              testing::UnorderedElementsAre((devices / "nvidia0").string(),
                                            (devices / "nvidiactl").string(),
                                            (devices / "nvidia-caps").string()));
  const auto opens = [&](const char* name) {
    return in_child([&] {
      confine({{}, card_devices(devices), true});
      return can_open(devices / name, O_WRONLY) ? 1 : 0;
    });
  };
  EXPECT_EQ(1, opens("nvidia0"));
  EXPECT_EQ(1, opens("nvidia-caps/cap1"));
  EXPECT_EQ(0, opens("sda"));
  EXPECT_EQ(0, opens("kmsg"));
}

TEST_F(SandboxTest, HoldsForWhatItStarts) {
  EXPECT_EQ(0, in_child([&] {
              confine(view());
              return in_child([&] { return can_open(folder_ / "canary", O_RDONLY) ? 1 : 0; });
            }));
}

TEST(Limits, EndAProcessThatWritesOrComputesTooMuch) {
  const auto file = fs::path(testing::TempDir()) / "warpgrade_large_file";
  EXPECT_EQ(128 + SIGXFSZ, in_child([&] {
              const std::string text(2000, 'x');
              limit_process({.file_bytes = 1000});
              const int descriptor = open(file.c_str(), O_WRONLY | O_CREAT, 0600);
              while (write(descriptor, text.data(), text.size()) > 0) {
              }
              return 0;
            }));
  fs::remove(file);
}

TEST(Bubblewrap, BindsEachFolderOnce) {
  const auto words = bubblewrap_words({{"/usr", "/usr/local/cuda", "/opt/lab"}, {}}, false);
  EXPECT_THAT(words, testing::Contains("/opt/lab").Times(2));
  EXPECT_THAT(words, testing::Not(testing::Contains("/usr/local/cuda")));
  EXPECT_THAT(words, testing::Contains("--unshare-all"));
}

TEST(Confinement, IsTold) {
  EXPECT_EQ("bubblewrap, Landlock 6, seccomp", describe({true, 6, true}));
  EXPECT_EQ("Landlock 6, seccomp, namespaces with a card", describe({false, 6, true, true}));
  EXPECT_THAT(describe({}), testing::HasSubstr("install bubblewrap"));
  EXPECT_THAT(describe({false, 0, false, true}), testing::HasSubstr("install bubblewrap"));
}

}  // namespace warpgrade::grader::class_book::sandbox_test
