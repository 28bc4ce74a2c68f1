// SPDX-License-Identifier: Apache-2.0
#include "grader/report/pictures.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "common/measure/sim_bench.h"
#include "grader/grade/explain/explanation.h"
#include "grader/grade/grading_session.h"
#include "grader/html/render_html.h"
#include "tests/compile/compiling.h"
#include "tests/grader/course/manifest_text.h"

namespace warpgrade::grader::grade::pictures_test {

// The cost of a request equals the counters of the same access; tests/memory tests the rules.

using OnShared = memory::AtomicForm::OnShared;

report::RequestCost cost(const char* device, run::Space space, std::uint64_t step,
                         std::uint32_t bytes, run::Operation operation = run::Operation::kLoad,
                         OnShared how = OnShared::kOneByOne) {
  memory::TracedLine line;
  line.operation = {space, operation};
  line.form.on_shared = how;
  line.bytes = bytes;
  memory::TracedRequest request;
  request.mask = run::kFullMask;
  for (std::size_t lane = 0; lane < 32; ++lane) request.address.at(lane) = 4096 + lane * step;
  return cost_of(device::find(device), line, request);
}

TEST(RequestCost, ARowOfFloatsUsesAllThatItMoves) {
  const auto row = cost("h200", run::Space::kGlobal, 4, 4);
  EXPECT_EQ(4U, row.sectors);
  EXPECT_EQ(128U, row.used_bytes);
}

TEST(RequestCost, AColumnMovesASectorALane) {
  EXPECT_EQ(32U, cost("h200", run::Space::kGlobal, 8192, 4).sectors);
}

TEST(RequestCost, LanesOnOneWordShareItInALoadAndQueueInAnAtomic) {
  EXPECT_EQ(1U, cost("h200", run::Space::kGlobal, 0, 4).sectors);
  EXPECT_EQ(32U, cost("h200", run::Space::kGlobal, 0, 4, run::Operation::kAtomic).sectors);
}

TEST(RequestCost, AGt200MovesSegmentsOfHalfWarps) {
  // Eight bytes apart: each half-warp spans 128 bytes, one segment of them.
  EXPECT_EQ(8U, cost("gtx280", run::Space::kGlobal, 8, 4).sectors);
}

TEST(RequestCost, AnAtomicOfAGt200MovesATransactionPerHalfWarp) {
  EXPECT_EQ(2U, cost("gtx280", run::Space::kGlobal, 0, 4, run::Operation::kAtomic).sectors);
}

// 32 lanes on one word of the H200's shared memory.
TEST(RequestCost, SharedAtomicsCostWhatTheirMachineCodeCosts) {
  const auto on_one_word = [](OnShared how) {
    const auto found = cost("h200", run::Space::kShared, 0, 4, run::Operation::kReduction, how);
    return memory::SharedAccess{found.wavefronts, found.conflicts};
  };
  EXPECT_EQ((memory::SharedAccess{32, 31}), on_one_word(OnShared::kOneByOne));
  EXPECT_EQ((memory::SharedAccess{64, 31}), on_one_word(OnShared::kCompareAndSwap));
  EXPECT_EQ((memory::SharedAccess{1, 0}), on_one_word(OnShared::kCount));
  // 32 rounds, each with a load of one wavefront and a swap of two.
  EXPECT_EQ((memory::SharedAccess{96, 93}), on_one_word(OnShared::kLoop));
}

TEST(RequestCost, AColumnOfATileOf32ConflictsAndOneOf33DoesNot) {
  const auto column = cost("h200", run::Space::kShared, 128, 4);
  EXPECT_EQ(32U, column.wavefronts);
  EXPECT_EQ(31U, column.conflicts);
  EXPECT_EQ(32U, column.words.size());
  const auto padded = cost("h200", run::Space::kShared, 132, 4);
  EXPECT_EQ(1U, padded.wavefronts);
  EXPECT_EQ(0U, padded.conflicts);
}

// The partitions of a trace written down by hand, on a GTX 280: 8 partitions of 256 bytes.

class PartitionMapTest : public testing::Test {
 protected:
  PartitionMapTest()
      : lab_(course::parse_manifest(course::kManifest, "m.toml", "small", course::kVocabulary)),
        gtx280_(measure::sim_bench(device::find("gtx280"))),
        h200_(measure::sim_bench(device::find("h200"))),
        old_{"gtx280", gtx280_.get()},
        new_{"h200", h200_.get()} {}

  const course::KernelExercise& exercise() const { return kernel_in(lab_); }
  PlannedCase run(const Target& target) const {
    PlannedCase out;
    out.target = &target;
    out.item = &exercise().case_called("large");
    out.sized = std::make_shared<const cases::SizedCase>(
        cases::size_case(lab_.exercises.front(), "large", out.item->variables));
    out.outcome.emplace().measured.occupancy.blocks_per_sm = 4;
    return out;
  }

  course::Lab lab_;
  std::unique_ptr<measure::SimBench> gtx280_;
  std::unique_ptr<measure::SimBench> h200_;
  Target old_;
  Target new_;
};

TEST_F(PartitionMapTest, OnlyPlainPartitionsAreMapped) {
  EXPECT_EQ(nullptr, partitioned_case({run(new_)}));
  const std::vector<PlannedCase> both = {run(new_), run(old_)};
  EXPECT_EQ(&both[1], partitioned_case(both));
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

// Pictures of compiled and executed kernels: their addresses match the source.

using testing::HasSubstr;

// If n is 1024, lane l of warp w accesses element 32 * l + w: a column.
constexpr const char* kColumns = R"cuda(
__global__ void twice(float* out, const float* in, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  const int j = n == 1024 ? i % 32 * 32 + i / 32 : i;
  if (i >= n) return;
  const float value = in[j];
  out[j] = 2 * value;
}
)cuda";
constexpr const char* kHalf = R"cuda(
__global__ void twice(float* out, const float* in, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n && i % 32 < 16) out[i] = 2 * in[i];
}
)cuda";
constexpr const char* kPastTheEnd = R"cuda(
__global__ void twice(float* out, const float* in, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i <= n) out[i] = 2 * in[i];
}
)cuda";
// Goes through a shared tile with rows of 33 words.
constexpr const char* kThroughShared = R"cuda(
__global__ void twice(float* out, const float* in, int n) {
  __shared__ float tile[8][33];
  const int i = blockIdx.x * 256 + threadIdx.x;
  const float value = i < n ? in[i] : 0;
  tile[threadIdx.x / 32][threadIdx.x % 32] = value;
  __syncthreads();
  if (i < n) out[i] = 2 * tile[threadIdx.x / 32][threadIdx.x % 32];
}
)cuda";

class PicturesTest : public testing::Test {
 protected:
  PicturesTest() : cache_("XDG_CACHE_HOME", (folder_.path() / "cache").string()) {
    course::write_lab_of_stores(folder_);
  }

  report::ExerciseReport grade(const std::string& source, bool pictures = true) {
    const auto file = folder_.write("labs/small/twice.cu", source);
    const auto course = course::read_course(folder_.path(), {});
    const auto task = file_task(course, select(course, {"small/twice"}).front(), file);
    return GradingSession(run::Backend::kSim, "", 7).grade({task}, false, pictures).exercises.at(0);
  }
  static const report::PicturedLine& line(const report::ExerciseReport& report,
                                          std::uint32_t number) {
    for (const auto& one : report.pictures.value().lines) {
      if (one.line.where.line == number) return one;
    }
    throw std::logic_error("no such line");
  }

  compile::TemporaryFolder folder_;
  compile::ScopedVariable cache_;
};

TEST_F(PicturesTest, AGradeWithoutThemHasNone) { EXPECT_FALSE(grade(kColumns, false).pictures); }

TEST_F(PicturesTest, AWarpsPictureHasTheAddressesThatTheKernelAskedFor) {
  const auto report = grade(kColumns);
  EXPECT_EQ("large", report.pictures.value().case_name);
  const auto& load = line(report, 6);
  EXPECT_EQ("in", load.line.memory.name);
  EXPECT_EQ(1024U, load.columns);
  ASSERT_LE(10U, load.requests.size());  // Eight warps of block 0, one of block 1 and of block 3.
  for (const auto& request : load.requests) {
    const auto warp = 8 * request.traced.block + request.traced.warp;
    for (std::size_t lane = 0; lane < 32; ++lane) {
      EXPECT_EQ(4 * (32 * lane + warp), request.traced.address.at(lane) - load.line.memory.first)
          << "warp " << warp << ", lane " << lane;
    }
    EXPECT_EQ(32U, request.costs.at(0).sectors);
    EXPECT_EQ(128U, request.costs.at(0).used_bytes);
  }
}

TEST_F(PicturesTest, ThePageGetsTheSameNumbers) {
  const auto report = grade(kColumns);
  const auto data = nlohmann::json::parse(html::picture_data(*report.pictures));
  const auto& store = data.at("lines").at(1);
  EXPECT_EQ("out", store.at("memory"));
  EXPECT_EQ(R"({"d":128,"s":0})"_json, store.at("requests").at(0).at("o"));
  EXPECT_EQ(R"({"d":128,"s":4})"_json, store.at("requests").at(1).at("o"));
  EXPECT_EQ("warp 1 of block (0, 0, 0)", data.at("warps").at(1));
}

TEST_F(PicturesTest, ASharedArrayHasTheShapeOfItsDeclaration) {
  const auto report = grade(kThroughShared);
  const auto& store = line(report, 6);
  EXPECT_EQ("tile", store.line.memory.name);
  EXPECT_EQ(8U, store.rows);
  EXPECT_EQ(33U, store.columns);
  EXPECT_EQ("tile[3][5]", place_text(store, 4 * (3 * 33 + 5)));
}

TEST_F(PicturesTest, WrongElementsAreMapped) {
  const auto report = grade(kHalf);
  EXPECT_EQ(report::Reason::kIncorrect, report.reason);
  EXPECT_EQ("ragged", report.pictures.value().case_name);
  // The upper half of each of nine groups of 32 is missing from 300 elements.
  EXPECT_EQ("144 of 300 elements of out are not written: of each 32 elements: elements 16 to 31",
            report.pictures->wrong.value().text);
}

TEST_F(PicturesTest, AFaultyCaseIsTracedInTheBlockOfTheFault) {
  const auto report = grade(kPastTheEnd);
  EXPECT_EQ(report::Reason::kDiagnostic, report.reason);
  const auto& pictures = report.pictures.value();
  EXPECT_EQ("one", pictures.case_name);
  EXPECT_EQ(0U, pictures.lines.at(0).requests.at(0).traced.block);
  EXPECT_EQ(3U, pictures.lines.at(0).requests.at(0).traced.mask);  // Lanes 0 and 1, of one element.
}

TEST_F(PicturesTest, TheSpeedThatAGateAsksForHasItsShares) {
  const auto report = grade(kColumns);
  ASSERT_EQ(1U, report.pictures.value().times.size());
  const auto& timed = report.pictures->times.front();
  EXPECT_EQ("k40", timed.device);
  EXPECT_TRUE(timed.fraction_of_roof);
  EXPECT_FALSE(timed.shares.empty());
}

TEST_F(PicturesTest, WhatDoesNotCompileHasNone) {
  EXPECT_FALSE(grade("__global__ void twice(float* out {}\n").pictures);
}

}  // namespace warpgrade::grader::grade::pictures_test
