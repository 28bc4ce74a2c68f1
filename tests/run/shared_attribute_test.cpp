// SPDX-License-Identifier: Apache-2.0
// Launches that need cudaFuncSetAttribute() on a card. Up to 48 KB of shared memory, static and
// dynamic together, do not need it.
#include "common/run/shared_attribute.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warpgrade::run::shared_attribute_test {

using testing::HasSubstr;

Launch with_shared(const std::string& kernel, std::uint32_t bytes) {
  Launch out;
  out.kernel = kernel;
  out.dynamic_shared_bytes = bytes;
  return out;
}

compile::Program with_static(std::uint32_t bytes) {
  compile::Program out;
  out.kernels.resize(2);
  out.kernels[0].name = "_Z4fillPi";
  out.kernels[0].resources.static_shared_bytes = bytes;
  out.kernels[1].name = "plain";
  return out;
}

TEST(SharedAttribute, MoreThan48KilobytesNeedTheCall) {
  EXPECT_EQ("", shared_attribute_text(with_shared("plain", 49152), with_static(0)));
  EXPECT_EQ(
      "A launch with more than 48 KB of shared memory a block fails on a card unless the host code "
      "calls cudaFuncSetAttribute(plain, cudaFuncAttributeMaxDynamicSharedMemorySize, 49153) "
      "before it.",
      shared_attribute_text(with_shared("plain", 49153), with_static(0)));
}

TEST(SharedAttribute, StaticBytesCountButTheAttributeIsTheDynamicOnes) {
  EXPECT_EQ("", shared_attribute_text(with_shared("_Z4fillPi", 40960), with_static(8192)));
  EXPECT_THAT(shared_attribute_text(with_shared("_Z4fillPi", 40960), with_static(8196)),
              HasSubstr("(fill, cudaFuncAttributeMaxDynamicSharedMemorySize, 40960)"));
  EXPECT_EQ("", shared_attribute_text(with_shared("plain", 40960), with_static(8196)));
}

TEST(SharedAttribute, ALaunchWithoutDynamicBytesHasNothingToSet) {
  EXPECT_EQ("", shared_attribute_text(with_shared("_Z4fillPi", 0), with_static(60000)));
}

TEST(SharedAttribute, TheLaunchWithMostCounts) {
  Sequence all;
  all.launches = {with_shared("plain", 50000), with_shared("plain", 98304),
                  with_shared("plain", 65536)};
  EXPECT_THAT(shared_attribute_text(all, with_static(0)), HasSubstr(", 98304)"));
}

}  // namespace warpgrade::run::shared_attribute_test
