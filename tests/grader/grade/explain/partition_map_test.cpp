// SPDX-License-Identifier: Apache-2.0
// The partitions of a trace written down by hand, on a GTX 280: 8 partitions of 256 bytes.
#include "grader/grade/explain/partition_map.h"

#include <gtest/gtest.h>

#include "common/measure/sim_bench.h"
#include "tests/grader/course/manifest_text.h"

namespace warpgrade::grader::grade::partition_map_test {

class PartitionMapTest : public testing::Test {
 protected:
  PartitionMapTest()
      : lab_(course::parse_manifest(course::kManifest, "m.toml", "small", course::kVocabulary)),
        gtx280_(measure::sim_bench(device::find("gtx280"))),
        h200_(measure::sim_bench(device::find("h200"))),
        old_{"gtx280", gtx280_.get()},
        new_{"h200", h200_.get()} {}

  const course::KernelExercise& exercise() const { return kernel_in(lab_); }
  CaseRun run(const Target& target) const {
    CaseRun out;
    out.place.target = &target;
    out.place.item = &exercise().case_called("large");
    out.place.sized = std::make_shared<const cases::SizedCase>(
        cases::size_case(lab_.exercises.front(), "large", out.place.item->variables));
    out.outcome.ending = RightResult{};
    out.outcome.measured.occupancy.blocks_per_sm = 4;
    return out;
  }

  course::Lab lab_;
  std::unique_ptr<measure::SimBench> gtx280_;
  std::unique_ptr<measure::SimBench> h200_;
  Target old_;
  Target new_;
};

TEST_F(PartitionMapTest, OnlyPlainPartitionsAreMapped) {
  EXPECT_EQ(nullptr, partitioned_run({run(new_)}));
  const std::vector<CaseRun> both = {run(new_), run(old_)};
  EXPECT_EQ(&both[1], partitioned_run(both));
}

TEST_F(PartitionMapTest, AsManyBlocksBeginAsTheDeviceHoldsOrTheGridHas) {
  run::Launch launch;
  launch.grid = {1000, 1, 1};
  EXPECT_EQ(120U, blocks_together(run(old_), launch).blocks.size());  // 30 multiprocessors.
  launch.grid = {7, 1, 1};
  EXPECT_EQ(7U, blocks_together(run(old_), launch).blocks.size());
}

TEST_F(PartitionMapTest, TheAddressDecides) {
  memory::TracedLine line;
  line.where.line = 5;
  line.operation = {run::Space::kGlobal, run::Operation::kStore};
  line.memory = {"out", 1U << 20U, 4096};
  for (const std::uint64_t offset : {0, 256, 2048, 2304}) {
    memory::TracedRequest request;
    request.mask = 0x6;  // Lane 1 is the first one.
    request.address.at(1) = line.memory.first + offset;
    line.requests.push_back(request);
  }
  memory::TracedLine other = line;
  other.memory.name = "unknown";
  const auto map = partition_map(run(old_), {line, other}, 4);
  ASSERT_TRUE(map);
  EXPECT_EQ(8U, map->partitions);
  EXPECT_EQ(256U, map->width);
  ASSERT_EQ(1U, map->lines.size());
  const auto& places = map->lines[0].places;
  ASSERT_EQ(4U, places.size());
  EXPECT_EQ(0U, places[0].partition);
  EXPECT_EQ(1U, places[1].partition);
  EXPECT_EQ(0U, places[2].partition);
  EXPECT_EQ(1U, places[3].partition);
  EXPECT_EQ(64U, places[1].column);  // 256 bytes of floats.
}

}  // namespace warpgrade::grader::grade::partition_map_test
