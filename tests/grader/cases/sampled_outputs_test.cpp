// SPDX-License-Identifier: Apache-2.0
// Compares the output of some blocks with the same elements from the reference's blocks.
#include "grader/cases/sampled_outputs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "common/run/launch.h"

namespace warpgrade::grader::cases::sampled_outputs_test {

constexpr std::uint64_t kElements = 4096;

// Element i of "in" is i; "out" holds 0xffffffff. The reference's block b writes elements 32 b to
// 32 b + 31, each twice the input's.
class SampledOutputsTest : public testing::Test {
 protected:
  SampledOutputsTest() {
    sized.buffers = {
        {"out", verify::ElementType::kU32, 64, 64, true, course::Poison{}, verify::Tolerance{}},
        {"in", verify::ElementType::kU32, 64, 64, true, verify::Fill{}, course::NotCompared{}},
    };
    sized.elements_per_block = 32;
    program.ptx = {R"(.version 9.0
.target sm_90
.address_size 64
.visible .entry twice(.param .u64 out, .param .u64 in) {
.reg .b64 %rd<6>; .reg .b32 %r<6>;
ld.param.u64 %rd1, [out]; ld.param.u64 %rd2, [in];
mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; mov.u32 %r5, %ntid.x; mad.lo.u32 %r3, %r2, %r5, %r1;
mul.wide.u32 %rd3, %r3, 4;
add.u64 %rd4, %rd2, %rd3; ld.global.u32 %r4, [%rd4]; add.u32 %r4, %r4, %r4;
add.u64 %rd5, %rd1, %rd3; st.global.u32 [%rd5], %r4;
ret; }
)",
                   {}};
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
    patterns_ = {make(false), make(true)};
    got = sim::sparse_buffers(patterns_);
  }
  const std::vector<run::Pattern>& patterns() const { return patterns_; }
  static void put(std::vector<sim::SparseBuffer>& buffers, std::uint64_t element,
                  std::uint32_t value) {
    std::memcpy(buffers[0].at(element * 4), &value, 4);
  }
  void write(std::size_t buffer, std::uint64_t element, std::uint32_t value) {
    std::memcpy(got[buffer].at(element * 4), &value, 4);
    got[buffer].mark_written();
  }
  SizedBuffer& out() { return sized.buffers[0]; }
  SampledOutputs check(std::uint64_t executed = 1) {
    return check_sample(sized, reference, grid, executed, got, Thoroughness::kMore);
  }

  SizedCase sized;
  base::Dim3 grid{kElements / 32, 1, 1};
  compile::Program program;
  ReferenceLaunch reference;
  std::vector<sim::SparseBuffer> got;

 private:
  std::vector<run::Pattern> patterns_;
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

// 512 blocks of the reference: more than the 256 that are executed first.
TEST_F(SampledOutputsTest, ShortBlocksAreAllCompared) {
  sized.elements_per_block = 8;
  reference.launch.grid = {kElements / 8, 1, 1};
  reference.launch.block = {8, 1, 1};
  for (std::uint64_t i = 0; i < kElements; ++i) write(0, i, static_cast<std::uint32_t>(2 * i));
  for (const std::uint64_t i : {8, 16}) write(0, i, 1);
  const auto found = check(128);
  ASSERT_TRUE(found.difference);
  EXPECT_EQ("out[0][8]: expected 16, got 1; 2 of 4096 elements that were compared differ",
            found.difference->text);
}

// As floats, 141 is one unit in the last place from the reference's 140, and 262 is two from 260.
TEST_F(SampledOutputsTest, FloatsMayBeOffByTheirTolerance) {
  out().type = verify::ElementType::kF32;
  out().comparison = verify::Tolerance{1};
  write(0, 70, 141);
  EXPECT_FALSE(check().difference);
  write(0, 130, 262);
  EXPECT_TRUE(check().difference);
}

// The grid has 128 blocks of 32 elements.
TEST_F(SampledOutputsTest, ASampleIsCompleteIfItsBlocksHaveWrittenTheirShare) {
  for (std::uint64_t i = 64; i < 96; ++i) write(0, i, static_cast<std::uint32_t>(2 * i));
  EXPECT_TRUE(check(1).is_complete);
  EXPECT_FALSE(check(2).is_complete);
}

TEST_F(SampledOutputsTest, ASampleWithAHoleIsNotComplete) {
  for (std::uint64_t i = 64; i < 96; ++i) {
    if (i % 8 != 5) write(0, i, static_cast<std::uint32_t>(2 * i));
  }
  const auto found = check(1);
  EXPECT_FALSE(found.difference);
  EXPECT_FALSE(found.is_complete);
}

// 63 x 65 elements in 8 x 9 tiles. Those at the right and lower edge are smaller, so the mean block
// writes less than a whole tile of 8 x 8.
TEST_F(SampledOutputsTest, WholeTilesAreCompleteAlsoIfBlocksWriteDifferentAmounts) {
  out().rows = 63;
  out().columns = 65;
  grid = {9, 8, 1};
  for (std::uint64_t row = 8; row < 16; ++row) {
    for (std::uint64_t column = 16; column < 24; ++column) {
      write(0, row * 65 + column, static_cast<std::uint32_t>(2 * (row * 65 + column)));
    }
  }
  EXPECT_TRUE(check(1).is_complete);
  EXPECT_FALSE(check(2).is_complete);
  write(0, 0, 0);
  EXPECT_FALSE(check(2).is_complete);
}

// Seven blocks of 8 x 8 that begin at column 1. The first one also stores column 0.
TEST_F(SampledOutputsTest, TilesMayBeDisplacedIfTheyHaveNoGaps) {
  grid = {8, 8, 1};
  const auto check_without = [&](std::uint64_t row, std::uint64_t column) {
    got = sim::sparse_buffers(patterns());
    for (std::uint64_t element = 16 * 64; element < 24 * 64; ++element) {
      if (element % 64 > 56 || element == row * 64 + column) continue;
      write(0, element, static_cast<std::uint32_t>(2 * element));
    }
    return check(7);
  };
  EXPECT_FALSE(check_without(0, 0).is_complete);
  EXPECT_TRUE(check_without(0, 0).are_displaced_tiles);
  EXPECT_FALSE(check_without(18, 30).are_displaced_tiles);
  EXPECT_FALSE(check_without(18, 0).are_displaced_tiles);
  EXPECT_FALSE(check_without(23, 30).are_displaced_tiles);
  EXPECT_FALSE(check_without(16, 56).are_displaced_tiles);
}

TEST_F(SampledOutputsTest, BlocksThatShareTheOutputInAnotherWayAreCompleteTogether) {
  AllBlocks all(sized, patterns());
  for (const std::uint64_t odd : {0, 1}) {
    auto part = sim::sparse_buffers(patterns());
    for (std::uint64_t i = odd; i < kElements; i += 2)
      put(part, i, static_cast<std::uint32_t>(2 * i));
    all.add(part);
    EXPECT_EQ(odd == 0, all.difference(reference).has_value());
  }
}

TEST_F(SampledOutputsTest, AnElementThatNoBlockWritesIsNamed) {
  AllBlocks all(sized, patterns());
  auto part = sim::sparse_buffers(patterns());
  for (std::uint64_t i = 0; i < kElements; ++i) {
    if (i % 512 != 67) put(part, i, static_cast<std::uint32_t>(2 * i));
  }
  all.add(part);
  const auto found = all.difference(reference);
  ASSERT_TRUE(found);
  EXPECT_EQ(
      "out[1][3]: expected 134, got 4294967295 (never written: this is the content from "
      "before the launch); 8 of 4,096 elements differ",
      found->text);
  EXPECT_EQ(verify::CauseKind::kUnwritten, found->kind);
}

// This reference writes 0xffffffff everywhere, which is the content before the launch.
TEST_F(SampledOutputsTest, AnElementThatTheReferenceLeavesAsItIsNeedsNoStore) {
  auto text = program.ptx.text();
  text.replace(text.find("add.u32 %r4, %r4, %r4"), 21, "or.b32  %r4, %r4, -1");
  program.ptx = {text, {}};
  AllBlocks all(sized, patterns());
  EXPECT_FALSE(all.difference(reference));
}

TEST_F(SampledOutputsTest, TheTotalOfAllBlocksIsCompared) {
  out().comparison = course::EqualTotal{};
  sized.elements_per_block.reset();
  for (const std::uint32_t more : {0, 1}) {
    AllBlocks all(sized, patterns());
    auto part = sim::sparse_buffers(patterns());
    for (std::uint64_t i = 0; i < kElements; ++i) {
      put(part, i, static_cast<std::uint32_t>(2 * (kElements - 1 - i)) + more);
    }
    all.add(part);
    EXPECT_EQ(more == 1, all.difference(reference).has_value());
  }
}

TEST_F(SampledOutputsTest, BlocksThatReadLessThanTheirShareAreNotComplete) {
  sized.elements_per_block.reset();
  for (std::uint64_t i = 0; i < kElements; ++i) got[1].at(i);  // A quarter of the input.
  EXPECT_TRUE(check(32).is_complete);
  EXPECT_FALSE(check(33).is_complete);
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
  EXPECT_DOUBLE_EQ(0.25, check(grid.x / 2).done);
  EXPECT_DOUBLE_EQ(1.0 / grid.x, check(1).done);  // Blocks may read what others read.
}

}  // namespace warpgrade::grader::cases::sampled_outputs_test
