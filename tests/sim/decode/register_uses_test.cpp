// SPDX-License-Identifier: Apache-2.0
#include "common/sim/decode/register_uses.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/ptx/module.h"
#include "tests/sim/ptx_kernel.h"

namespace warpgrade::sim::register_uses_test {

// Writers and readers of each register, and registers that always have an immediate's value.

using testing::ElementsAre;

class RegisterUsesTest : public testing::Test {
 protected:
  const ptx::Function& parse(const std::string& body) {
    module_ = ptx::parse(
        ".version 9.0\n.target sm_90\n.address_size 64\n.visible .entry k() {\n"
        ".reg .pred %p<4>; .reg .b16 %h<4>; .reg .b32 %r<9>; .reg .b64 %rd<4>;\n" +
            body + " ret; }\n",
        "k.cu");
    function_ = ptx::find_function(module_, "k");
    return *function_;
  }
  std::uint32_t index(const std::string& name) const {
    for (std::uint32_t i = 0; i < function_->registers.size(); ++i) {
      if (function_->registers[i].name == name) return i;
    }
    ADD_FAILURE() << name;
    return 0;
  }

  ptx::Module module_;
  const ptx::Function* function_ = nullptr;
};

TEST_F(RegisterUsesTest, ReadersComeInOrderAndAsOftenAsTheyRead) {
  const RegisterUses uses(
      parse("mov.u32 %r1, 1; add.u32 %r2, %r1, %r1; st.global.u32 [%rd1], %r1;"));
  EXPECT_THAT(uses.readers(index("%r1")), ElementsAre(1, 1, 2));
  EXPECT_THAT(uses.readers(index("%rd1")), ElementsAre(2));
  EXPECT_EQ(2U, reads_of(function_->instructions[1], index("%r1")));
}

TEST_F(RegisterUsesTest, GuardsReadAndStoresWriteNothing) {
  const RegisterUses uses(
      parse("setp.eq.u32 %p1|%p2, %r1, %r2; @%p1 st.global.u32 [%rd1], %r3; red.global.add.u32 "
            "[%rd1], %r3;"));
  EXPECT_THAT(uses.readers(index("%p1")), ElementsAre(1));
  EXPECT_TRUE(writes(function_->instructions[0], index("%p1")));
  EXPECT_TRUE(writes(function_->instructions[0], index("%p2")));
  EXPECT_FALSE(writes(function_->instructions[1], index("%rd1")));
  EXPECT_FALSE(writes(function_->instructions[2], index("%r3")));
  EXPECT_FALSE(uses.is_written_once(index("%r3")));
}

TEST_F(RegisterUsesTest, AWriteBetweenTwoInstructionsIsSeen) {
  const RegisterUses uses(
      parse("mov.u32 %r1, 1; mov.u32 %r2, 2; mov.u32 %r1, 3; mov.u32 %r3, %r1;"));
  EXPECT_TRUE(uses.is_written_between(index("%r1"), 0, 3));
  EXPECT_FALSE(uses.is_written_between(index("%r1"), 0, 2));
  EXPECT_FALSE(uses.is_written_between(index("%r1"), 2, 3));
  EXPECT_FALSE(uses.is_written_once(index("%r1")));
}

TEST_F(RegisterUsesTest, AConstantIsLookedUpThroughCopies) {
  const RegisterUses uses(
      parse("mov.u32 %r1, 7; mov.u32 %r2, %r1; add.u32 %r3, %r2, %r4; @%p1 mov.u32 %r5, 9;"));
  const auto& sum = function_->instructions[2];
  EXPECT_TRUE(uses.is_constant(sum.operands[1]));
  EXPECT_EQ(7U, uses.constant(sum.operands[1])->bits);
  EXPECT_FALSE(uses.is_constant(sum.operands[2]));
  // The guard may keep %r5 from being written.
  EXPECT_FALSE(uses.is_constant(function_->instructions[3].operands[0]));
}

TEST_F(RegisterUsesTest, ACircleOfCopiesHasNoConstant) {
  const RegisterUses uses(parse("mov.u32 %r1, %r2; mov.u32 %r2, %r1;"));
  EXPECT_FALSE(uses.is_constant(function_->instructions[0].operands[1]));
}

TEST_F(RegisterUsesTest, AResultUnderAGuardIsNotTheOnlyOne) {
  const RegisterUses uses(parse("@%p1 mov.u32 %r1, 1; mov.u32 %r2, 2;"));
  EXPECT_FALSE(uses.result_written_once(function_->instructions[0]).has_value());
  EXPECT_EQ(index("%r2"), uses.result_written_once(function_->instructions[1]).value());
}

TEST_F(RegisterUsesTest, HalvesThatComeTogetherAgainAreKnown) {
  const RegisterUses uses(
      parse("mov.b32 {%h1, %h2}, %r1; mov.b16 %h3, %h2; mov.b32 %r2, {%h1, %h3};"
            "mov.b32 %r3, {%h2, %h1};"));
  EXPECT_TRUE(is_parting(function_->instructions[0]));
  EXPECT_TRUE(is_copy(function_->instructions[1]));
  EXPECT_TRUE(uses.joins_halves_of(function_->instructions[2], index("%r1")));
  EXPECT_FALSE(uses.joins_halves_of(function_->instructions[3], index("%r1")));
}

// Finds registers that a thread may read before it writes them, and their contents.
using testing::IsEmpty;

constexpr std::uint32_t kFirstLine = 8;  // of a body, in the PTX text

// Each register that is read too early, with the lines of the body (from 1) that read it: "%r1: 9
// 10".
std::vector<std::string> found_in(const std::string& body, const std::string& before = {}) {
  const auto text = fmt::format(R"(.version 9.0
.target sm_90
.address_size 64
{}.visible .entry k(.param .u64 out) {{
  .reg .pred %p<9>; .reg .b16 %h<9>;
  .reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .v4 .b32 %v<2>;
  ld.param.u64 %rd0, [out];
{}
  ret;
}}
)",
                                before, body);
  const auto module = ptx::parse(text, "k.cu");
  const auto function = ptx::link(module, *ptx::find_function(module, "k"));
  std::vector<std::string> found;
  for (const auto& each : undefined_registers(function, ptx::basic_blocks(function))) {
    auto& line = found.emplace_back(function.registers[each.index].name + ":");
    for (const auto reader : each.readers) {
      line += fmt::format(" {}", function.instructions[reader].ptx_line - kFirstLine + 1);
    }
  }
  return found;
}

TEST(UndefinedRegisters, NoneWhereEachIsWrittenFirst) {
  EXPECT_THAT(found_in("mov.u32 %r1, 1;\nadd.u32 %r1, %r1, %r1;\nst.global.u32 [%rd0], %r1;"),
              IsEmpty());
}

TEST(UndefinedRegisters, ASumThatBeginsWithNothing) {
  EXPECT_THAT(found_in("add.u32 %r1, %r1, 1;\nst.global.u32 [%rd0], %r1;"), ElementsAre("%r1: 1"));
}

TEST(UndefinedRegisters, EveryReaderThatAWayWithoutAValueLeadsTo) {
  EXPECT_THAT(found_in("mov.u32 %r2, 0;\n"
                       "$loop:\n"
                       "add.u32 %r1, %r1, %r2;\n"
                       "add.u32 %r2, %r2, 1;\n"
                       "setp.lt.u32 %p1, %r2, 9;\n"
                       "@%p1 bra $loop;\n"
                       "st.global.u32 [%rd0], %r1;"),
              ElementsAre("%r1: 3"));
  EXPECT_THAT(found_in("setp.eq.u64 %p1, %rd0, 0;\n"
                       "@%p1 bra $after;\n"
                       "add.u32 %r1, %r1, 2;\n"
                       "$after:\n"
                       "st.global.u32 [%rd0], %r1;\n"
                       "st.global.u32 [%rd0], %r1;"),
              ElementsAre("%r1: 3 5 6"));
}

TEST(UndefinedRegisters, AValueOnOneOfTwoWaysIsNotEnough) {
  const std::string ways =
      "setp.eq.u64 %p1, %rd0, 0;\n@%p1 bra $other;\nmov.u32 %r1, 1;\nbra $meet;\n$other:\n";
  const std::string end = "\n$meet:\nst.global.u32 [%rd0], %r1;";
  EXPECT_THAT(found_in(ways + end), ElementsAre("%r1: 8"));
  EXPECT_THAT(found_in(ways + "mov.u32 %r1, 2;" + end), IsEmpty());
}

TEST(UndefinedRegisters, AWriteUnderAGuardMayNotHappen) {
  EXPECT_THAT(
      found_in("setp.eq.u64 %p1, %rd0, 0;\n@%p1 mov.u32 %r1, 1;\nst.global.u32 [%rd0], %r1;"),
      ElementsAre("%r1: 3"));
}

TEST(UndefinedRegisters, GuardsAddressesAndOperandsWithoutAResultAreRead) {
  EXPECT_THAT(found_in("@%p2 mov.u32 %r1, 1;\nbar.sync %r2;\nbar.warp.sync %r3;\n"
                       "ld.global.u32 %r1, [%rd3];\nst.global.v2.u32 [%rd0], {%r1, %r4};\n"
                       "nanosleep.u32 %r5;"),
              ElementsAre("%p2: 1", "%r2: 2", "%r3: 3", "%r4: 5", "%r5: 6", "%rd3: 4"));
}

TEST(UndefinedRegisters, ResultsOfEveryFormAreWritten) {
  EXPECT_THAT(found_in("ld.global.v2.u32 {%r1, %r2}, [%rd0];\n"
                       "setp.eq.u32 %p1|%p2, %r1, %r2;\n"
                       "shfl.sync.idx.b32 %r3|%p3, %r1, 0, 31, -1;\n"
                       "mov.b64 %rd1, {%r3, %r2};\n"
                       "mov.b64 {%r4, %r5}, %rd1;\n"
                       "bar.red.popc.u32 %r6, 0, %p3;\n"
                       "atom.global.add.u32 %r7, [%rd0], %r6;\n"
                       "@%p1 st.global.u32 [%rd0], %r4;\n"
                       "@%p2 st.global.v2.u32 [%rd0], {%r5, %r7};"),
              IsEmpty());
}

TEST(UndefinedRegisters, OneComponentIsNotTheWholeVector) {
  EXPECT_THAT(found_in("mov.u32 %v1.x, 1;\nst.global.u32 [%rd0], %v1.y;"), ElementsAre("%v1: 2"));
}

// The same predicate guards the load of a value and its use.
TEST(UndefinedRegisters, AWayOnWhichAPredicateIsTrueAndFalseIsNone) {
  const std::string load =
      "setp.eq.u64 %p1, %rd0, 0;\nsetp.eq.u64 %p2, %rd0, 1;\n@%p1 bra $no;\n"
      "ld.global.u32 %r1, [%rd0];\n$no:\n";
  const std::string use = " bra $end;\nst.global.u32 [%rd0], %r1;\n$end:";
  EXPECT_THAT(found_in(load + "@%p1" + use), IsEmpty());
  EXPECT_THAT(found_in(load + "@!%p1" + use), ElementsAre("%r1: 7"));
  EXPECT_THAT(found_in(load + "@%p2" + use), ElementsAre("%r1: 7"));
  EXPECT_THAT(found_in(load + "not.pred %p1, %p1;\n@%p1" + use), ElementsAre("%r1: 8"));
  EXPECT_THAT(found_in(load + "@%p2 not.pred %p1, %p1;\n@%p1" + use), ElementsAre("%r1: 8"));
}

TEST(UndefinedRegisters, CodeThatNothingLeadsToReadsNothing) {
  EXPECT_THAT(found_in("bra $end;\nst.global.u32 [%rd0], %r1;\n$end:"), IsEmpty());
}

TEST(UndefinedRegisters, ThoseOfAFunctionThatIsCalled) {
  const std::string call = "{ .param .b32 r; call (r), f, (); ld.param.b32 %r1, [r]; }\n";
  const std::string function =
      ".func (.param .b32 r) f() {\n  .reg .b32 %x<3>;\n  st.param.b32 [r], %x1;\n  ret;\n}";
  EXPECT_THAT(found_in(call, function), ElementsAre(testing::StartsWith("%x1:")));
}

PtxLaunch launch_of(const std::string& body) {
  PtxLaunch launch;
  launch.body = body;
  launch.threads = 64;
  launch.blocks = 5;
  return launch;
}

// Every block leaves another value in the register.
TEST(UndefinedRegisters, HoldGarbageAtTheBeginOfEachBlock) {
  auto launch = launch_of("st.global.u64 [%rd1], %rd5;\nadd.u64 %rd5, %rd31, 77;");
  for (const std::uint32_t threads : {1U, 2U, 5U}) {
    launch.options.threads = threads;
    launch.options.garbage = std::byte{0x7b};
    EXPECT_EQ(std::vector<std::uint64_t>(320, 0x7b7b7b7b7b7b7b7b), run_ptx(launch).out);
  }
}

TEST(UndefinedRegisters, APredicateIsTrueOrFalseAsTheHighestBitSays) {
  auto launch = launch_of("selp.u64 %rd5, 1, 2, %p5;\nst.global.u64 [%rd1], %rd5;");
  for (const auto& [garbage, expected] : {std::pair{0xff, 1U}, std::pair{0x7b, 2U}}) {
    launch.options.garbage = static_cast<std::byte>(garbage);
    EXPECT_EQ(std::vector<std::uint64_t>(320, expected), run_ptx(launch).out);
  }
}

TEST(UndefinedRegisters, OneAtATimeCanHoldSomethingElse) {
  auto launch = launch_of("add.u64 %rd5, %rd5, %rd6;\nst.global.u64 [%rd1], %rd5;");
  launch.options.garbage = std::byte{0};
  launch.options.register_garbage = {std::byte{0}, std::byte{1}};
  const auto run = run_ptx(launch);
  EXPECT_EQ(std::vector<std::uint64_t>(320, 0x0101010101010101), run.out);
  ASSERT_EQ(2U, run.result.undefined_registers.size());
  EXPECT_EQ(1U, run.result.undefined_registers[1].number);
  EXPECT_TRUE(run.result.diagnostics.empty());  // only another run shows whether it matters
}

TEST(UndefinedRegisters, OnlyWhereTheReaderIsExecuted) {
  const auto run =
      run_ptx(launch_of("setp.gt.u32 %p1, %r29, 99;\n@!%p1 bra $end;\n"
                        "st.global.u64 [%rd1], %rd5;\n$end:"));
  EXPECT_THAT(run.result.undefined_registers, IsEmpty());
}

// Each call gets garbage, not the value that the call before left.
TEST(UndefinedRegisters, HoldGarbageAtTheBeginOfEachCall) {
  auto launch = launch_of(
      "{ .param .b64 r; call (r), f, (); ld.param.b64 %rd5, [r]; }\n"
      "{ .param .b64 r; call (r), f, (); ld.param.b64 %rd6, [r]; }\n"
      "sub.u64 %rd5, %rd5, %rd6;\nadd.u64 %rd5, %rd5, %rd6;\nst.global.u64 [%rd1], %rd5;");
  launch.before =
      ".func (.param .b64 r) f() { .reg .b64 %x<3>; st.param.b64 [r], %x1; mov.u64 %x1, 5; ret; }";
  EXPECT_EQ(std::vector<std::uint64_t>(320, ~std::uint64_t{0}), run_ptx(launch).out);
}

}  // namespace warpgrade::sim::register_uses_test
