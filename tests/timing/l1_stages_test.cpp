// SPDX-License-Identifier: Apache-2.0
// The two stages of L1, data and tags, against the clocks of a load that hits it on an H200
// (tests/evidence/golden/l1_stages).
#include <gtest/gtest.h>

#include <array>

#include "common/memory/global_access.h"
#include "common/timing/multiprocessor.h"
#include "tests/evidence/golden/csv.h"

namespace warpgrade::timing {
namespace l1_stages_test {

// Clocks that one load keeps L1: `row` says how many lanes lie side by side, and how far rows of
// them, or lanes, are apart, in elements of `bytes`.
double modelled(const golden::Row& row, std::uint32_t bytes) {
  const bool is_stride = row.at("access").ends_with("stride");
  const auto lanes_a_row = is_stride ? 1 : std::stoull(row.at("lanes_a_row_or_stride"));
  const auto pitch = std::stoull(row.at("pitch_or_stride"));
  std::array<std::uint64_t, 32> address{};
  for (std::uint64_t lane = 0; lane < 32; ++lane) {
    address[lane] = (lane / lanes_a_row * pitch + lane % lanes_a_row) * bytes;
  }
  memory::Lines lines;
  const memory::Request request{address.data(), ~std::uint32_t{0}, bytes};
  memory::gather(request, lines);
  BlockTrace block;
  block.warps.assign(1, {});
  TracedAccess load;
  load.kind = TracedAccess::Kind::kLoad;
  load.lines = static_cast<std::uint16_t>(lines.count);  // before `lines` serves as scratch
  load.wavefronts = static_cast<std::uint16_t>(memory::l1_wavefronts(request, lines));
  block.requests = {load};
  Multiprocessor sm(device::find("h200"));
  Numbers numbers;
  const std::vector<WarpProgram> programs = {{{Step::Kind::kRequest, 0, 0, {}}}};
  sm.begin(block, programs, 0, numbers);
  sm.run_ahead();
  return sm.tags + sm.l1_data;
}

// Within 12 %: the worst are loads of three lines, whose tags take longer than a quarter clock
// each.
TEST(L1Stages, ALoadTakesTheClocksOfTheSlowerOne) {
  std::size_t rows = 0;
  for (const auto& row : golden::read_csv(WARPGRADE_L1_STAGES "/h200.csv")) {
    const std::uint32_t bytes = row.at("access").starts_with("double") ? 8 : 4;
    const double measured = std::stod(row.at("clocks_a_request"));
    EXPECT_NEAR(measured, modelled(row, bytes), 0.12 * measured)
        << row.at("access") << " " << row.at("lanes_a_row_or_stride") << " "
        << row.at("pitch_or_stride");
    ++rows;
  }
  EXPECT_EQ(46, rows);
}

}  // namespace l1_stages_test
}  // namespace warpgrade::timing
