// SPDX-License-Identifier: Apache-2.0
// Sources that try to take all time or memory of the real compiler, under small limits.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>

#include "common/base/error.h"
#include "common/compile/child.h"
#include "tests/compile/compiling.h"

namespace warpgrade::compile {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

// Instantiates 2^DEPTH classes.
std::string template_bomb(int depth) {
  return "template <int D, int N> struct F {\n"
         "  static constexpr long v = F<D - 1, N * 2>::v + F<D - 1, N * 2 + 1>::v;\n};\n"
         "template <int N> struct F<0, N> { static constexpr long v = 1; };\n"
         "__device__ long a = F<" +
         std::to_string(depth) + ", 1>::v;\n";
}

TEST(Limits, OnTimeEndATemplateBomb) {
  auto request = request_for(template_bomb(30));
  request.limits.time = 1s;
  const auto found = diagnostics_of(request);
  ASSERT_EQ(1u, found.size());
  EXPECT_EQ(base::DiagnosticKind::kCompileError, found[0].kind);
  EXPECT_THAT(found[0].message, HasSubstr("compiling took more than 1 s"));
}

TEST(Limits, OnMemoryEndATemplateBomb) {
  auto request = request_for(template_bomb(30));
  request.limits.memory_bytes = std::uint64_t{300} << 20;
  const auto found = diagnostics_of(request);
  ASSERT_EQ(1u, found.size());
  EXPECT_THAT(found[0].message, HasSubstr("compiling took more than 300 MiB of memory"));
}

TEST(Limits, OnMemoryEndAHugeArray) {
  auto request = request_for("__device__ char huge[1u << 31] = {1};\n");
  request.limits.memory_bytes = std::uint64_t{600} << 20;
  const auto found = diagnostics_of(request);
  ASSERT_EQ(1u, found.size());
  EXPECT_THAT(found[0].message, HasSubstr("compiling took more than 600 MiB of memory"));
}

TEST(Limits, LeaveRoomForAnOrdinaryFile) { EXPECT_TRUE(diagnostics_of(template_bomb(8)).empty()); }

TEST(Child, GetsItsInputAndGivesItsOutput) {
  const std::string input(1 << 20, 'x');
  const auto result = run_child({"/bin/cat", {}}, input, 10s);
  EXPECT_FALSE(result.timed_out);
  EXPECT_EQ(0, result.exit_code);
  EXPECT_EQ(input, result.output);
}

TEST(Child, GetsItsArguments) {
  EXPECT_EQ("a b,c", run_child({"/bin/echo", {"-n", "a b,c"}}, "", 10s).output);
}

TEST(Child, ThatDoesNotExistIsAToolError) {
  EXPECT_THROW(run_child({"/nonexistent", {}}, "", 1s), base::ToolError);
}

}  // namespace
}  // namespace warpgrade::compile
