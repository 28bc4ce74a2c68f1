// SPDX-License-Identifier: Apache-2.0
// Compares the two stages of L1, data and tags, with the clocks of a load that hits L1 on an H200
// and on an A100 (tests/evidence/golden/l1_stages).
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "common/memory/global_access.h"
#include "common/memory/l1_cache.h"
#include "common/timing/multiprocessor.h"
#include "tests/evidence/golden/csv.h"

namespace warpgrade::timing::l1_stages_test {

// The loads of a warp begin at this many places. The distance between places is odd, in elements,
// so loads have every alignment and use all banks of tags.
constexpr std::uint64_t kStarts = 128;
constexpr std::uint64_t kFromStartToStart = 509;

// Clocks for which a load that begins at `start` occupies L1. `row` gives the number of adjacent
// lanes, and the distance between their rows, or between lanes, in elements of `bytes` bytes.
double modelled_at(const device::Profile& device, const golden::Row& row, std::uint32_t bytes,
                   std::uint64_t start) {
  const bool is_stride = row.at("access").ends_with("stride");
  const auto lanes_a_row = is_stride ? 1 : std::stoull(row.at("lanes_a_row_or_stride"));
  const auto pitch = std::stoull(row.at("pitch_or_stride"));
  std::array<std::uint64_t, 32> address{};
  for (std::uint64_t lane = 0; lane < 32; ++lane) {
    address[lane] = (start + lane / lanes_a_row * pitch + lane % lanes_a_row) * bytes;
  }
  memory::Lines lines;
  const memory::Request request{address.data(), ~std::uint32_t{0}, bytes};
  memory::gather(request, lines);
  BlockTrace block;
  block.warps.assign(1, {});
  TracedAccess load;
  load.kind = TracedAccess::Kind::kLoad;
  load.lines = static_cast<std::uint16_t>(lines.count);  // before `lines` serves as scratch
  load.tag_clocks = static_cast<std::uint16_t>(memory::tag_clocks(request, device.rules.tag_banks));
  load.wavefronts = static_cast<std::uint16_t>(memory::l1_wavefronts(request, lines));
  block.requests = {load};
  Multiprocessor sm(device);
  Numbers numbers;
  const std::vector<WarpProgram> programs = {{{Step::Kind::kRequest, 0, 0, {}}}};
  sm.begin(block, programs, 0, numbers);
  sm.run_ahead();
  return sm.tags + sm.l1_data;
}

double modelled(const device::Profile& device, const golden::Row& row, std::uint32_t bytes) {
  double sum = 0;
  for (std::uint64_t i = 0; i < kStarts; ++i) {
    sum += modelled_at(device, row, bytes, i * kFromStartToStart);
  }
  return sum / kStarts;
}

struct Bounds {
  double share = 0;   // Share of the measured clocks ...
  double clocks = 0;  // ... or this many clocks, if that is more.
  double mean = 0;    // Mean share of all rows.
};

void expect_near_measured(const std::string& device, const std::string& file,
                          std::size_t rows_in_it, const Bounds& bounds) {
  std::size_t rows = 0;
  double sum = 0;
  for (const auto& row : golden::read_csv(WARPGRADE_L1_STAGES "/" + file)) {
    const std::uint32_t bytes = row.at("access").starts_with("double") ? 8 : 4;
    const double measured = std::stod(row.at("clocks_a_request"));
    const double found = modelled(device::find(device), row, bytes);
    EXPECT_NEAR(measured, found, std::max(bounds.share * measured, bounds.clocks))
        << row.at("access") << " " << row.at("lanes_a_row_or_stride") << " "
        << row.at("pitch_or_stride");
    sum += std::abs(found / measured - 1);
    ++rows;
  }
  EXPECT_EQ(rows_in_it, rows);
  EXPECT_GT(bounds.mean, sum / static_cast<double>(rows));
}

TEST(L1Stages, ALoadTakesTheClocksOfTheSlowerOneOnAnH200) {
  expect_near_measured("h200", "h200.csv", 46, {0.10, 0, 0.025});
}

TEST(L1Stages, ALoadTakesTheClocksOfTheSlowerOneOnAnA100) {
  expect_near_measured("a100", "a100.csv", 144, {0.10, 0, 0.015});
}

// The measurement used the same places. Its loop adds up to 0.22 clocks to a load of one clock.
// Loads of 16 clocks or more were still in flight in other warps when the first warp ended.
TEST(L1Stages, ALoadTakesTheClocksThatAnH200TakesFromTheSamePlaces) {
  expect_near_measured("h200", "h200_starts.csv", 142, {0.09, 0.22, 0.02});
}

}  // namespace warpgrade::timing::l1_stages_test
