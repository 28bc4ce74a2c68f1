// SPDX-License-Identifier: Apache-2.0
#include "grader/course/vocabulary.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>

#include "common/device/profile.h"
#include "common/memory/metrics.h"
#include "common/timing/arithmetic.h"
#include "common/timing/speed_of_light.h"

namespace warpgrade::grader::course::vocabulary_test {

// The value of each metric, calculated by hand.

class LaunchMetrics : public testing::Test {
 protected:
  std::optional<double> value(std::string_view name) const {
    const std::vector<const compile::Kernel*> kernels = {&small_, &large_};
    for (const auto& metric : launch_metrics()) {
      if (metric.name == name) {
        return metric.value({kernels, launch_, occupancy_, device::find("h200")});
      }
    }
    throw std::logic_error("no such metric");
  }

  compile::Kernel small_, large_;
  run::Launch launch_;
  timing::Occupancy occupancy_;
};

TEST_F(LaunchMetrics, AreThoseOfTheKernelThatNeedsMost) {
  small_.resources.registers_per_thread = 16;
  large_.resources.registers_per_thread = 40;
  small_.resources.static_shared_bytes = 4096;
  EXPECT_EQ(40, value("launch__registers_per_thread"));
  EXPECT_EQ(4096, value(kStaticSharedBytes));
}

// 132 multiprocessors hold 8 blocks each: 1,056.
TEST_F(LaunchMetrics, WavesAreBlocksOfTheGridForThoseThatAllMultiprocessorsHold) {
  launch_.grid = {64, 11, 3};
  occupancy_.blocks_per_sm = 8;
  EXPECT_EQ(2.0, value(kWaves));
}

TEST_F(LaunchMetrics, WavesAreUnknownIfNoBlockFits) { EXPECT_FALSE(value(kWaves)); }

TEST(MetricNames, AreTheCountersAndTheGradersOwnSortedAndOnce) {
  const auto names = metric_names();
  EXPECT_TRUE(std::is_sorted(names.begin(), names.end()));
  EXPECT_EQ(names.end(), std::adjacent_find(names.begin(), names.end()));
  EXPECT_EQ(memory::metric_names().size() + timing::speed_of_light_names().size() +
                timing::arithmetic_names().size() + launch_metrics().size() + 2,
            names.size());
  for (const auto name : {kFractionOfCopy, kFractionOfRoofline, kStaticSharedBytes, kWaves}) {
    EXPECT_TRUE(std::binary_search(names.begin(), names.end(), name)) << name;
  }
}

TEST(MetricNames, SpeedsAndSpeedOfLightNeedATime) {
  EXPECT_TRUE(needs_time(kFractionOfCopy));
  EXPECT_TRUE(needs_time("sm__warps_active.avg.pct_of_peak_sustained_active"));
  EXPECT_TRUE(needs_time("lts__t_sector_hit_rate.pct"));
  EXPECT_FALSE(needs_time(kWaves));
  EXPECT_FALSE(needs_time("dram__bytes_read.sum"));
}

TEST(MetricNames, HitRatesAndLocalMemoryDescribeTheMechanismAndNotTheTime) {
  for (const auto* name : {"fraction_of_copy", "sm__warps_active.avg.pct_of_peak_sustained_active",
                           "gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed"}) {
    EXPECT_TRUE(judges_time(name)) << name;
  }
  for (const auto* name : {"l1tex__t_sector_hit_rate.pct", "warpgrade__local_dram_bytes.sum",
                           "dram__bytes_read.sum"}) {
    EXPECT_FALSE(judges_time(name)) << name;
  }
}

// A K40 has no tensor cores and is older than Nsight Compute's names, a C1060 has no L2 for global
// memory, and a T4 multiplies no doubles on tensor cores.
TEST(MissingMetrics, AreThoseOfUnitsThatTheCardDoesNotHave) {
  const auto missing = [](std::string_view device) {
    return missing_metrics(device::find(device));
  };
  constexpr const char* kTensor = "sm__inst_executed_pipe_tensor.sum";
  constexpr const char* kOccupancy = "sm__warps_active.avg.pct_of_peak_sustained_active";
  EXPECT_THAT(missing("k40"), testing::IsSupersetOf({kTensor, kOccupancy}));
  EXPECT_THAT(missing("k40"), testing::Not(testing::Contains("lts__t_sectors_op_read.sum")));
  EXPECT_THAT(missing("c1060"), testing::Contains("lts__t_sectors_op_read.sum"));
  EXPECT_THAT(missing("t4"), testing::Contains("sm__inst_executed_pipe_tensor_op_dmma.sum"));
  EXPECT_THAT(missing("t4"), testing::Not(testing::Contains(kTensor)));
  EXPECT_THAT(missing("h200"), testing::IsEmpty());
}

// A gate on the speed of products of halves is accepted on exactly the cards whose peak is known.
TEST(MissingMetrics, HaveProductsOfHalvesWhereTheirPeakIsUnknown) {
  for (const auto* profile : device::profiles()) {
    const auto missing = missing_metrics(*profile);
    EXPECT_EQ(timing::peak_rate(*profile, timing::ArithmeticKind::kTensorF16).has_value(),
              std::ranges::count(missing, "sm__inst_executed_pipe_tensor_op_hmma.sum") == 0)
        << profile->name;
  }
}

}  // namespace warpgrade::grader::course::vocabulary_test
