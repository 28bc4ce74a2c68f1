// SPDX-License-Identifier: Apache-2.0
#include "grader/report/profile_roofline.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/device/profile.h"
#include "common/ptx/module.h"
#include "common/run/runner.h"

namespace warpgrade::grader::report::profile_roofline_test {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

// 1,000 operations in a second at a peak of 8,000; 500 bytes of DRAM at a peak of 1,000, 2,000
// bytes of L2 at a peak of 10,000.
ProfileRoofline example() {
  ProfileRoofline out;
  out.seconds = 1;
  out.dram = {500, 1000};
  out.l2 = {2000, 10'000};
  out.operations = {{"f32", 1000, 8000}};
  return out;
}

// Two operations per byte of DRAM: 2,000 per second. Half an operation per byte of L2: 5,000.
TEST(ProfileRoofline, TheRoofIsTheLowestOfArithmeticAndMemory) {
  auto roofline = example();
  const auto& one = roofline.operations.front();
  EXPECT_DOUBLE_EQ(2, ProfileRoofline::intensity(one, roofline.dram).value());
  EXPECT_DOUBLE_EQ(0.5, ProfileRoofline::intensity(one, roofline.l2).value());
  EXPECT_DOUBLE_EQ(2000, roofline.roof(one)->rate);
  EXPECT_EQ("dram", roofline.roof(one)->limited_by);
  EXPECT_DOUBLE_EQ(0.5, roofline.share(one).value());

  roofline.dram.bytes = 100;  // 10,000 per second
  EXPECT_EQ("l2", roofline.roof(one)->limited_by);
  EXPECT_DOUBLE_EQ(0.2, roofline.share(one).value());

  roofline.l2.bytes = 1000;  // 10,000, too
  EXPECT_EQ("f32", roofline.roof(one)->limited_by);
  EXPECT_DOUBLE_EQ(8000, roofline.roof(one)->rate);
}

TEST(ProfileRoofline, WithoutItsPeakAKindHasNoRoof) {
  auto roofline = example();
  roofline.operations.front().peak.reset();
  EXPECT_FALSE(roofline.roof(roofline.operations.front()));
  EXPECT_FALSE(roofline.share(roofline.operations.front()));
  EXPECT_THAT(roofline_rows(roofline).at(1),
              ElementsAre("f32", "1,000", "1 kFLOP/s", "-", "2", "0.5", "-", "-", "-"));
}

TEST(ProfileRoofline, WithoutTrafficOnlyArithmeticIsARoof) {
  auto roofline = example();
  roofline.dram = {};
  roofline.l2 = {};
  EXPECT_FALSE(ProfileRoofline::intensity(roofline.operations.front(), roofline.dram));
  EXPECT_EQ("f32", roofline.roof(roofline.operations.front())->limited_by);
  EXPECT_EQ("", traffic_text(roofline));
}

TEST(ProfileRoofline, SaysWhatMovesAndWhatIsNotCounted) {
  auto roofline = example();
  EXPECT_THAT(traffic_text(roofline), HasSubstr("DRAM moves 500 B at 500 B/s of 1,000 B/s"));
  EXPECT_THAT(not_counted_text(roofline), Not(HasSubstr("divisions")));
  roofline.lacks_functions = true;
  EXPECT_THAT(not_counted_text(roofline), HasSubstr("divisions and roots"));
}

// 50 threads add once. The launch itself reads `dram_read_bytes`, which are not the kernel's.
TEST(ProfileRoofline, BytesAreThoseOfTheKernel) {
  const auto module = ptx::parse(
      ".version 9.0\n.target sm_90\n.address_size 64\n.visible .entry k()\n{\n.reg .f32 %f<4>;\n"
      "add.rn.f32 %f1, %f2, %f3;\nret;\n}\n",
      "k.cu");
  run::Result result;
  result.instructions.assign(2, {2, 50});
  auto profile = device::find("h200");
  profile.launch.dram_read_bytes = 100;
  profile.launch.l2_read_sectors = 10;
  profile.launch.l2_write_sectors = 0;
  const timing::Arithmetic arithmetic(profile, module.functions.at(0), result, {});
  const memory::Metrics metrics = {{"dram__bytes_read.sum", 300},
                                   {"dram__bytes_write.sum", 50},
                                   {"lts__t_sectors_op_read.sum", 20},
                                   {"lts__t_sectors_op_write.sum", 5}};
  const auto found = roofline_of(profile, arithmetic, metrics, 2);
  ASSERT_TRUE(found);
  EXPECT_DOUBLE_EQ(250, found->dram.bytes);
  EXPECT_DOUBLE_EQ((10 + 5) * 32, found->l2.bytes);
  ASSERT_EQ(1U, found->operations.size());
  EXPECT_DOUBLE_EQ(25, found->rate(found->operations.front()));
  EXPECT_FALSE(roofline_of(profile, arithmetic, metrics, 0));
  EXPECT_FALSE(roofline_of(profile, {}, metrics, 2));
}

}  // namespace warpgrade::grader::report::profile_roofline_test
