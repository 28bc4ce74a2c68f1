// SPDX-License-Identifier: Apache-2.0
// The names of a sequence's launches in messages, and the places of its buffers at the end.
#include "common/run/runner.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/run/observer.h"

namespace warpgrade::run::runner_test {

using testing::ElementsAre;

Launch launch_of(const std::string& kernel) {
  Launch out;
  out.kernel = kernel;
  return out;
}

Sequence sums_and_add() {
  Sequence out;
  out.launches = {launch_of("_Z4sumsPfPKfj"), launch_of("_Z3addILi4EEvPf"), launch_of("add2")};
  return out;
}

TEST(Sequence, ALaunchIsNamedByItsPlaceAndItsSourcesName) {
  EXPECT_EQ("launch 1 of 3, sums", launch_text(sums_and_add(), 0));
  EXPECT_EQ("launch 2 of 3, add<4>", launch_text(sums_and_add(), 1));
  EXPECT_EQ("no bounds (in launch 3 of 3, add2)", in_launch(sums_and_add(), 2, "no bounds"));
}

TEST(Sequence, OfOneLaunchNothingIsSaid) {
  EXPECT_EQ("no bounds", in_launch(launch_of("_Z4sumsPfPKfj"), 0, "no bounds"));
  EXPECT_EQ("_Z4sumsPfPKfj", kernels_text(launch_of("_Z4sumsPfPKfj")));
}

TEST(Sequence, KernelsAreToldOnceEach) {
  auto sequence = sums_and_add();
  sequence.launches.push_back(sequence.launches[0]);
  EXPECT_EQ("sums, add<4>, add2 (4 launches)", kernels_text(sequence));
}

TEST(Sequence, WhatABufferHoldsIsFoundWhereItsNameIs) {
  auto sequence = sums_and_add();
  std::vector<std::string> all = {"a", "b", "c"};
  put_in_place(sequence, all);
  EXPECT_THAT(all, ElementsAre("a", "b", "c"));
  sequence.places = {1, 0, 2};
  put_in_place(sequence, all);
  EXPECT_THAT(all, ElementsAre("b", "a", "c"));

  std::vector<Buffer> buffers(3);
  buffers[0].name = "field";
  buffers[1].name = "next";
  buffers[1].bytes.resize(7);
  put_in_place(sequence, buffers);
  EXPECT_EQ("field", buffers[0].name);
  EXPECT_EQ(7U, buffers[0].bytes.size());
  EXPECT_EQ(0U, buffers[1].bytes.size());
}

TEST(Lanes, TheLowestIsTheFirstBitThatIsSet) {
  EXPECT_EQ(0u, lowest_lane(0xffffffff));
  EXPECT_EQ(4u, lowest_lane(0x30));
  EXPECT_EQ(31u, lowest_lane(0x80000000));
}

}  // namespace warpgrade::run::runner_test
