// SPDX-License-Identifier: Apache-2.0
#include "common/memory/metrics.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "common/device/profile.h"
#include "common/ptx/module.h"
#include "tests/memory/patterns.h"

namespace warpgrade::memory::metrics_test {

// Executed instructions by source line. Two instructions of one line share a row, and code of a
// header has its own rows.

// Two instructions at line 7 of a.cu, one at its line 3, one at line 9 of b.h, and one that is
// never executed.
constexpr const char* kPtx = R"ptx(
.version 8.0
.target sm_75
.address_size 64
.visible .entry f(.param .u32 n)
{
	.reg .u32 %r<4>;
	.loc 1 7 1
	ld.param.u32 %r1, [n];
	add.u32 %r2, %r1, 3;
	.loc 1 3 1
	sub.u32 %r3, %r1, %r2;
	.loc 2 9 1
	mul.lo.u32 %r3, %r1, %r2;
	.loc 1 8 1
	ret;
}
	.file	1 "a.cu"
	.file	2 "b.h"
)ptx";

TEST(LineInstructions, AddUpByLineInTheOrderOfTheSource) {
  const auto module = ptx::parse(kPtx, "a.cu");
  run::Result result;
  result.instructions = {{10, 320}, {10, 320}, {4, 4}, {5, 160}, {0, 0}};
  const std::vector<LineInstructions> expected = {
      {"a.cu", 3, 4, 4}, {"a.cu", 7, 20, 640}, {"b.h", 9, 5, 160}};
  EXPECT_EQ(expected, instructions_by_line(module.functions.at(0), result));
}

TEST(LineInstructions, LaunchesAddUpAndNewLinesFindTheirPlace) {
  std::vector<LineInstructions> all = {{"a.cu", 3, 4, 128}, {"b.h", 9, 5, 5}};
  add_instructions({{"a.cu", 3, 1, 2}, {"a.cu", 7, 2, 64}, {"c.h", 1, 6, 6}}, all);
  const std::vector<LineInstructions> expected = {
      {"a.cu", 3, 5, 130}, {"a.cu", 7, 2, 64}, {"b.h", 9, 5, 5}, {"c.h", 1, 6, 6}};
  EXPECT_EQ(expected, all);
}

// Metrics by name: absent ones, the instructions that count as divisions, the rows by line, and the
// accesses that a name refers to.

using run::Operation;
using run::Space;

Counters started(const char* device = "h200") {
  Counters counters(device::find(device));
  run::LaunchContext context;
  context.warps_per_block = 1;
  counters.on_launch(context);
  counters.on_block_begin(0);
  return counters;
}

const ptx::Function& kernel(const std::string& body) {
  static ptx::Module module;
  module = ptx::parse(
      ".version 9.0\n.target sm_90\n.address_size 64\n.visible .entry k() {\n"
      ".reg .b32 %r<5>; .reg .f32 %f<5>; .reg .f64 %d<5>;\n" +
          body + " ret; }\n",
      "k.cu");
  return module.functions.at(0);
}

TEST(Metrics, EveryNameIsInTheListAndTheListIsSorted) {
  const auto& names = metric_names();
  EXPECT_TRUE(std::is_sorted(names.begin(), names.end()));
  EXPECT_EQ(names.end(), std::adjacent_find(names.begin(), names.end()));
  auto counters = started();
  load(counters, lanes([](auto l) { return 4 * l; }));
  store(counters, lanes([](auto l) { return 4 * l; }));
  for (const auto& [name, value] : metrics(counters, {}, {})) {
    EXPECT_TRUE(std::binary_search(names.begin(), names.end(), name)) << name;
  }
}

TEST(Metrics, ARatioOfNothingIsAbsent) {
  auto counters = started();
  constexpr auto kRatio = "smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.ratio";
  EXPECT_FALSE(metrics(counters, {}, {}).contains(kRatio));
  load(counters, lanes([](auto l) { return 128 * l; }));
  EXPECT_EQ(4, metrics(counters, {}, {}).at(kRatio));
}

TEST(Metrics, LanesOnOneWordDoNotInflateTheRatio) {
  auto counters = started();
  load(counters, lanes([](auto) { return std::uint64_t{0}; }));
  EXPECT_EQ(4, metrics(counters, {}, {})
                   .at("smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.ratio"));
}

TEST(Metrics, DivisionsAreThoseOfIntegersAsOftenAsWarpsExecuteThem) {
  const auto& function = kernel(
      "div.u32 %r1, %r2, %r3; rem.s32 %r1, %r2, %r3; div.rn.f32 %f1, %f2, %f3;"
      "div.rn.f64 %d1, %d2, %d3; add.u32 %r1, %r2, %r3;");
  run::Result result;
  result.instructions = {{3, 96}, {4, 1}, {50, 50}, {60, 60}, {7, 7}, {1, 1}};
  const auto all = metrics(started(), function, result);
  EXPECT_EQ(7, all.at("warpgrade__ptx_integer_divisions.sum"));
  EXPECT_EQ(125, all.at("warpgrade__ptx_warp_instructions.sum"));
}

TEST(Metrics, ImbalanceIsTheBusiestPartitionOverTheMean) {
  EXPECT_EQ(1,
            metrics(started("c1060"), {}, {}).at("warpgrade__partition_imbalance.max_over_mean"));
  auto counters = started("c1060");
  const auto& profile = device::find("c1060");
  load(counters, lanes([](auto l) { return 4 * l; }));
  EXPECT_EQ(static_cast<double>(profile.dram.partitions.value()),
            metrics(counters, {}, {}).at("warpgrade__partition_imbalance.max_over_mean"));
}

// Every sum over two equal launches is twice the sum over one, so no counter is left out of the
// addition.
TEST(Totals, OfTwoLaunchesAreTheirSums) {
  const auto& function = kernel(
      "div.u32 %r1, %r2, %r3; mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 "
      "{%f1, %f2, %f3, %f4}, {%r1, %r2, %r3, %r4}, {%r1, %r2}, {%f1, %f2, %f3, %f4};");
  run::Result result;
  result.instructions = {{3, 96}, {4, 128}};
  auto counters = started();
  const auto words = lanes([](auto l) { return 128 * l; });
  for (const auto space : {Space::kGlobal, Space::kShared, Space::kLocal, Space::kCluster}) {
    access(counters, 0, space, Operation::kLoad, words, 4);
    access(counters, 1, space, Operation::kStore, words, 4);
    if (space != Space::kLocal) access(counters, 2, space, Operation::kAtomic, words, 4);
  }
  const Totals once(counters, function, result);
  auto twice = once;
  twice += once;
  const auto all = twice.metrics();
  std::size_t counted = 0;
  for (const auto& [name, value] : once.metrics()) {
    if (!name.ends_with(".sum")) continue;
    EXPECT_EQ(2 * value, all.at(name)) << name;
    counted += value != 0 ? 1 : 0;
  }
  EXPECT_LE(24U, counted);
}

TEST(Metrics, SharedReductionsCountAsAtomics) {
  auto counters = started();
  const auto words = lanes([](auto l) { return 4 * l; });
  access(counters, 4, Space::kShared, Operation::kAtomic, words, 4);
  access(counters, 5, Space::kShared, Operation::kReduction, words, 4);
  EXPECT_EQ(2, metrics(counters, {}, {}).at("warpgrade__shared_requests_op_atom.sum"));
}

TEST(ByLine, RowsAreThoseThatWereExecutedInTheOrderOfTheSource) {
  auto function = kernel("add.u32 %r1, %r2, %r3; add.u32 %r1, %r2, %r3; add.u32 %r1, %r2, %r3;");
  function.locations = {{}, {"k.cu", 9, 1}, {"k.cu", 4, 1}};
  function.instructions[0].location = 1;
  function.instructions[1].location = 2;
  function.instructions[2].location = 2;
  auto counters = started();
  const auto words = lanes([](auto l) { return 4 * l; });
  access(counters, 0, Space::kGlobal, Operation::kLoad, words, 4);
  access(counters, 1, Space::kGlobal, Operation::kLoad, words, 4);
  access(counters, 2, Space::kGlobal, Operation::kLoad, words, 4);
  const auto lines = by_line(counters, function);
  ASSERT_EQ(2U, lines.size());
  EXPECT_EQ(4U, lines[0].line);
  EXPECT_EQ(2U, lines[0].requests);
  EXPECT_EQ(8U, lines[0].sectors);
  EXPECT_EQ(9U, lines[1].line);
}

TEST(OperationOf, AMetricOfAccessesNamesTheirSpaceAndOperation) {
  EXPECT_EQ((MemoryOperation{Space::kGlobal, Operation::kStore}),
            operation_of("smsp__sass_average_data_bytes_per_sector_mem_global_op_st.ratio"));
  EXPECT_EQ((MemoryOperation{Space::kShared, Operation::kLoad}),
            operation_of("l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum"));
  EXPECT_EQ((MemoryOperation{Space::kLocal, Operation::kLoad}),
            operation_of("l1tex__t_sectors_pipe_lsu_mem_local_op_ld.sum"));
}

TEST(OperationOf, AMetricOfNoAccessNamesNone) {
  EXPECT_FALSE(operation_of("dram__bytes_read.sum"));
  EXPECT_FALSE(operation_of("fraction_of_copy"));
  EXPECT_FALSE(operation_of(""));
}

}  // namespace warpgrade::memory::metrics_test
