// SPDX-License-Identifier: Apache-2.0
// Sources that try to use up the time or memory of the real compiler, under small limits.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <csignal>

#include "common/base/error.h"
#include "common/base/finding_text.h"
#include "tests/compile/compiling.h"

namespace warpgrade::compile::limits_test {

using namespace std::chrono_literals;
using testing::HasSubstr;

// Instantiates more than 2^depth classes.
std::string template_bomb(int depth) {
  return "template <int D, int N> struct F {\n"
         "  static constexpr long v = F<D - 1, N * 2>::v + F<D - 1, N * 2 + 1>::v;\n};\n"
         "template <int N> struct F<0, N> { static constexpr long v = 1; };\n"
         "__device__ long a = F<" +
         std::to_string(depth) + ", 1>::v;\n";
}

TEST(Limits, OnTimeEndATemplateBomb) {
  auto request = request_for(template_bomb(30));
  request.limits.cpu_time = 1s;
  const auto found = diagnostics_of(request);
  ASSERT_EQ(1u, found.size());
  EXPECT_EQ(base::DiagnosticKind::kCompileError, found[0].kind);
  EXPECT_THAT(base::text(found[0]), HasSubstr("compiling took more than 1 s of CPU time"));
}

// The cause of a missing answer is unknown, so the file is not blamed.
TEST(Limits, OnWallTimeEndACompilerThatHangsAsAToolError) {
  const TemporaryFolder folder;
  const ScopedVariable hanging("WARPGRADE_COMPILER", folder.program("exec sleep 1000"));
  auto request = request_for("__global__ void k() {}");
  request.limits.wall_time = 1s;
  EXPECT_THAT(tool_error(request), HasSubstr("did not finish within 1 s (0.0 s of CPU time)"));
}

TEST(Limits, OfTheOutputAreNoLimitsOfTime) {
  const TemporaryFolder folder;
  const ScopedVariable endless("WARPGRADE_COMPILER", folder.program("exec cat /dev/zero"));
  EXPECT_THAT(base::text(diagnostics_of("__global__ void k() {}").at(0)),
              HasSubstr("more than 256 MiB of code and data"));
}

TEST(Limits, OnInstructionsEndAnAssemblyBomb) {
  std::string body;
  for (int i = 0; i < 100'001; ++i) body += "neg.s32 %0,%0;";
  const auto found = diagnostics_of("__global__ void k(int* x) { int v = *x; asm volatile(\"" +
                                    body + "\" : \"+r\"(v)); *x = v; }");
  ASSERT_EQ(1u, found.size());
  EXPECT_EQ(base::DiagnosticKind::kCompileError, found[0].kind);
  EXPECT_THAT(base::text(found[0]), HasSubstr("100,000 at most can be graded"));
}

TEST(Limits, OnMemoryEndATemplateBomb) {
  auto request = request_for(template_bomb(30));
  request.limits.memory_bytes = std::uint64_t{300} << 20;
  const auto found = diagnostics_of(request);
  ASSERT_EQ(1u, found.size());
  EXPECT_THAT(base::text(found[0]), HasSubstr("compiling took more than 300 MiB of memory"));
}

TEST(Limits, OnMemoryEndAHugeArray) {
  auto request = request_for("__device__ char huge[1u << 31] = {1};\n");
  request.limits.memory_bytes = std::uint64_t{600} << 20;
  const auto found = diagnostics_of(request);
  ASSERT_EQ(1u, found.size());
  EXPECT_THAT(base::text(found[0]), HasSubstr("compiling took more than 600 MiB of memory"));
}

TEST(Limits, LeaveRoomForAnOrdinaryFile) { EXPECT_TRUE(diagnostics_of(template_bomb(8)).empty()); }

std::string compiler() { return compiler_files().at(0).string(); }

// A program that `signal` kills in its first `times` runs. Later runs are the real compiler.
std::string killed(const TemporaryFolder& folder, const std::string& signal, int times) {
  const auto count = (folder.path() / "count").string();
  return folder.program("echo x >>" + count + "\n[ $(wc -l <" + count + ") -gt " +
                        std::to_string(times) + " ] || kill -" + signal + " $$\nexec " +
                        compiler());
}

TEST(Killed, FromOutsideACompilerIsStartedOnceMore) {
  for (const auto* signal : {"KILL", "TERM", "HUP"}) {
    const TemporaryFolder folder;
    const ScopedVariable once("WARPGRADE_COMPILER", killed(folder, signal, 1));
    EXPECT_THAT(program_of("__global__ void k() {}").kernels, testing::SizeIs(1)) << signal;
  }
}

TEST(Killed, TwiceFromOutsideACompilerIsAToolErrorAndNotTheFiles) {
  for (const auto* signal : {"KILL", "TERM", "HUP"}) {
    const TemporaryFolder folder;
    const ScopedVariable twice("WARPGRADE_COMPILER", killed(folder, signal, 2));
    EXPECT_THAT(tool_error("__global__ void k() {}"),
                testing::AllOf(HasSubstr("was killed from outside"), HasSubstr("memory")))
        << signal;
  }
}

TEST(Killed, ByACrashACompilerIsNotStartedAgain) {
  for (const auto* signal : {"SEGV", "ABRT", "FPE"}) {
    const TemporaryFolder folder;
    const ScopedVariable once("WARPGRADE_COMPILER", killed(folder, signal, 1));
    EXPECT_THAT(base::text(diagnostics_of("__global__ void k() {}").at(0)),
                HasSubstr("the compiler crashed on this file"))
        << signal;
  }
}

// The grader itself runs under a lower limit on CPU time than a file may use.
TEST(Killed, BySomebodyElsesLimitOfCpuTimeItIsNotTheFiles) {
  const TemporaryFolder folder;
  const ScopedVariable limited("WARPGRADE_COMPILER",
                               folder.program("ulimit -S -t 1\nexec " + compiler()));
  EXPECT_THAT(tool_error(template_bomb(30)), HasSubstr("was killed from outside"));
}

TEST(Killed, BySomebodyElsesSignalOfALimitItIsNotTheFiles) {
  const TemporaryFolder folder;
  const ScopedVariable limited("WARPGRADE_COMPILER", killed(folder, "XCPU", 2));
  EXPECT_THAT(tool_error("__global__ void k() {}"), HasSubstr("was killed from outside"));
}

// nohup starts a process with SIGHUP ignored.
TEST(Killed, ByASignalThatTheGraderIgnoresItIsKilledAllTheSame) {
  const auto before = std::signal(SIGHUP, SIG_IGN);
  const TemporaryFolder folder;
  const ScopedVariable twice("WARPGRADE_COMPILER", killed(folder, "HUP", 2));
  EXPECT_THAT(tool_error("__global__ void k() {}"), HasSubstr("was killed from outside"));
  std::signal(SIGHUP, before);
}

}  // namespace warpgrade::compile::limits_test
