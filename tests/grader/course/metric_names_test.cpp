// SPDX-License-Identifier: Apache-2.0
#include "grader/course/metric_names.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "common/memory/metrics.h"
#include "grader/course/launch_metrics.h"

namespace warpgrade::grader::course::metric_names_test {

TEST(MetricNames, AreTheCountersAndTheGradersOwnSortedAndOnce) {
  const auto names = metric_names();
  EXPECT_TRUE(std::is_sorted(names.begin(), names.end()));
  EXPECT_EQ(names.end(), std::adjacent_find(names.begin(), names.end()));
  EXPECT_EQ(memory::metric_names().size() + launch_metrics().size() + 2, names.size());
  for (const auto name : {kFractionOfCopy, kFractionOfRoofline, kStaticSharedBytes, kWaves}) {
    EXPECT_TRUE(std::binary_search(names.begin(), names.end(), name)) << name;
  }
}

}  // namespace warpgrade::grader::course::metric_names_test
