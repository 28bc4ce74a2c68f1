// SPDX-License-Identifier: Apache-2.0
// Tries forbidden operations in a confined child, and checks bubblewrap's command line.
#include "grader/class/sandbox.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <functional>

namespace warpgrade::grader::class_book::sandbox_test {

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
