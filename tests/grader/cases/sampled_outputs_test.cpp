// SPDX-License-Identifier: Apache-2.0
// Compares the output of some blocks with the same elements from the reference's blocks.
#include "grader/cases/sampled_outputs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "common/run/value_argument.h"

namespace warpgrade::grader::cases::sampled_outputs_test {

constexpr std::uint64_t kElements = 4096;

// Element i of "in" is i; "out" holds 0xffffffff. The reference's block b writes elements 32 b to
// 32 b + 31, each twice the input's.
class SampledOutputsTest : public testing::Test {
 protected:
  SampledOutputsTest() {
    sized.buffers = {
        {"out", verify::ElementType::kU32, 64, 64, true, course::Poison{}, Ulps{}},
        {"in", verify::ElementType::kU32, 64, 64, true, verify::Fill{}, course::NotCompared{}},
    };
    sized.elements_per_block = 32;
    program.ptx = R"(.version 9.0
.target sm_90
.address_size 64
.visible .entry twice(.param .u64 out, .param .u64 in) {
.reg .b64 %rd<6>; .reg .b32 %r<6>;
ld.param.u64 %rd1, [out]; ld.param.u64 %rd2, [in];
mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; mad.lo.u32 %r3, %r2, 32, %r1;
mul.wide.u32 %rd3, %r3, 4;
add.u64 %rd4, %rd2, %rd3; ld.global.u32 %r4, [%rd4]; add.u32 %r4, %r4, %r4;
add.u64 %rd5, %rd1, %rd3; st.global.u32 [%rd5], %r4;
ret; }
)";
    reference.program = &program;
    reference.launch.kernel = "twice";
    reference.launch.grid = {kElements / 32, 1, 1};
    reference.launch.block = {32, 1, 1};
    reference.launch.arguments = {run::BufferArgument{0}, run::BufferArgument{1}};
    const auto make = [](bool is_input) {
      run::Pattern out;
      out.name = is_input ? "in" : "out";
      out.read_only = is_input;
      out.bytes = out.period = kElements * 4;
      out.make = [=](std::uint64_t first, std::span<std::byte> to) {
        for (std::size_t at = 0; at < to.size(); at += 4) {
          const auto value = is_input ? static_cast<std::uint32_t>((first + at) / 4) : ~0U;
          std::memcpy(to.data() + at, &value, 4);
        }
      };
      return out;
    };
    got = sim::sparse_buffers({make(false), make(true)});
  }
  void write(std::size_t buffer, std::uint64_t element, std::uint32_t value) {
    std::memcpy(got[buffer].at(element * 4), &value, 4);
    got[buffer].mark_written();
  }
  SizedBuffer& out() { return sized.buffers[0]; }
  SampledOutputs check(std::uint64_t executed = 1) {
    return check_sample(sized, reference, grid, executed, got);
  }

  SizedCase sized;
  base::Dim3 grid{kElements / 32, 1, 1};
  compile::Program program;
  ReferenceLaunch reference;
  std::vector<sim::SparseBuffer> got;
};

TEST_F(SampledOutputsTest, RightElementsAreCounted) {
  for (const std::uint64_t i : {0, 1, 33, 4095}) write(0, i, static_cast<std::uint32_t>(2 * i));
  const auto found = check();
  EXPECT_FALSE(found.difference);
  EXPECT_EQ("", found.modified_input);
  EXPECT_DOUBLE_EQ(4.0 / kElements, found.done);
}

TEST_F(SampledOutputsTest, TheFirstWrongElementIsToldWithItsIndices) {
  write(0, 70, 140);
  write(0, 130, 1);
  write(0, 4000, 2);
  const auto found = check();
  ASSERT_TRUE(found.difference);
  EXPECT_EQ("out[2][2]: expected 260, got 1; 2 of 3 elements that were compared differ",
            found.difference->text);
}

// As floats, 141 is one unit in the last place from the reference's 140, and 262 is two from 260.
TEST_F(SampledOutputsTest, FloatsMayBeOffByTheirTolerance) {
  out().type = verify::ElementType::kF32;
  out().comparison = Ulps{1};
  write(0, 70, 141);
  EXPECT_FALSE(check().difference);
  write(0, 130, 262);
  EXPECT_TRUE(check().difference);
}

TEST_F(SampledOutputsTest, NothingWrittenIsNothingDone) {
  for (std::uint64_t i = 0; i < kElements; ++i) got[0].at(i * 4);
  const auto found = check();
  EXPECT_FALSE(found.difference);
  EXPECT_EQ(0, found.done);
}

TEST_F(SampledOutputsTest, AnInputThatWasWrittenToIsNamed) {
  write(0, 5, 10);
  write(1, 6, 0);
  EXPECT_EQ("in", check().modified_input);
}

TEST_F(SampledOutputsTest, WithoutElementsOfABlockTheInputsThatWereTouchedCount) {
  sized.elements_per_block.reset();
  for (std::uint64_t i = 0; i < kElements; ++i) got[1].at(i);  // 4,096 bytes: a quarter.
  EXPECT_DOUBLE_EQ(0.25, check().done);
}

}  // namespace warpgrade::grader::cases::sampled_outputs_test
