// SPDX-License-Identifier: Apache-2.0
// Compares matrix products with an H200's bit by bit. The kernels of tests/evidence/cuda, run on
// the simulator, must give the digests of h200_mma/digests.txt. Matrix moves must have the counters
// of Nsight Compute (h200_mma/counters.csv).
#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <map>
#include <sstream>

#include "common/device/profile.h"
#include "common/memory/counters.h"
#include "common/memory/metrics.h"
#include "common/sim/simulator.h"
#include "tests/evidence/cuda/mma_probes.h"
#include "tests/evidence/golden/csv.h"

namespace warpgrade::mma_test {

using Words = std::vector<std::uint32_t>;

struct Range {
  std::size_t first = 0;
  std::size_t end = 0;
  std::uint64_t digest = 0;
};

std::map<std::string, std::vector<Range>> digests() {
  std::ifstream file(std::string(WARPGRADE_GOLDEN) + "/h200_mma/digests.txt");
  std::map<std::string, std::vector<Range>> all;
  std::string name;
  Range range;
  while (file >> name >> std::dec >> range.first >> range.end >> std::hex >> range.digest) {
    all[name].push_back(range);
  }
  return all;
}

run::Buffer buffer(const std::string& name, const Words& words) {
  run::Buffer result;
  result.name = name;
  result.element_bytes = 4;
  result.bytes.resize(4 * words.size());
  std::memcpy(result.bytes.data(), words.data(), result.bytes.size());
  return result;
}

/// Runs kernel NAME(in, out) of `ptx` with one warp per block. Returns `out`, which starts as
/// `size` zeros.
Words execute(const std::string& ptx, const std::string& name, std::size_t blocks, const Words& in,
              std::size_t size, run::Observer* observer, run::Result* result,
              sim::Simulator& simulator) {
  compile::Program program;
  program.ptx = {mma_cases::kHead + ptx, {}};
  simulator.load(program);
  run::Launch launch;
  launch.kernel = name;
  launch.grid.x = static_cast<std::uint32_t>(blocks);
  launch.block.x = 32;
  launch.arguments = {run::BufferArgument{0}, run::BufferArgument{1}};
  std::vector<run::Buffer> buffers = {buffer("in", in), buffer("out", Words(size))};
  run::Options options;
  if (observer != nullptr) options.observers = {observer};
  const auto made = simulator.launch(launch, buffers, options);
  for (const auto& diagnostic : made.diagnostics) ADD_FAILURE() << name << diagnostic.message;
  if (result != nullptr) *result = made;
  Words out(size);
  std::memcpy(out.data(), buffers[1].bytes.data(), 4 * size);
  return out;
}

template <typename AnyCase>
std::size_t compare(const std::vector<AnyCase>& cases) {
  const auto expected = digests();
  std::size_t compared = 0;
  std::uint32_t id = 0;
  for (const auto& c : cases) {
    const auto n = static_cast<std::size_t>(mma_cases::input_words(c));
    const auto o = static_cast<std::size_t>(mma_cases::output_words(c));
    for (const auto& range : expected.at(c.name)) {
      Words in;
      in.reserve((range.end - range.first) * n);
      for (auto t = range.first; t < range.end; ++t) {
        for (std::size_t i = 0; i < n; ++i) {
          in.push_back(mma_cases::input_word(c, id, static_cast<std::uint32_t>(t),
                                             static_cast<std::uint32_t>(i)));
        }
      }
      const auto tiles = range.end - range.first;
      sim::Simulator simulator;
      const auto out = execute(mma_cases::kernel_text(c), c.name, tiles, in, tiles * o, nullptr,
                               nullptr, simulator);
      EXPECT_EQ(range.digest, mma_cases::digest(out.data(), out.size()))
          << c.name << ", tiles " << range.first << " to " << range.end;
      compared += out.size();
    }
    ++id;
  }
  return compared;
}

TEST(Mma, ResultsAreThoseOfTheH200) { EXPECT_LT(5'000'000U, compare(mma_cases::cases())); }

TEST(Mma, WmmaFragmentsAndResultsAreThoseOfTheH200) {
  EXPECT_LT(50'000'000U, compare(mma_cases::wmma_cases()));
}

/// Column names of h200_mma/counters.csv, and Nsight Compute's metric names.
constexpr std::pair<const char*, const char*> kCounters[] = {
    {"ld_requests", "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"},
    {"ld_sectors", "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"},
    {"st_requests", "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum"},
    {"st_sectors", "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"},
    {"shared_ld_wavefronts", "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum"},
    {"shared_ld_conflicts", "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum"},
    {"shared_st_wavefronts", "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum"},
    {"shared_st_conflicts", "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum"},
};

/// Excludes HFMA2, which ptxas uses to move constants.
constexpr std::pair<const char*, const char*> kIssue[] = {
    {"tensor", "sm__inst_executed_pipe_tensor.sum"},
    {"hmma", "sm__inst_executed_pipe_tensor_op_hmma.sum"},
    {"imma", "sm__inst_executed_pipe_tensor_op_imma.sum"},
    {"dmma", "sm__inst_executed_pipe_tensor_op_dmma.sum"},
};

std::map<std::string, golden::Row> card_counters() {
  std::map<std::string, golden::Row> all;
  for (auto& row : golden::read_csv(std::string(WARPGRADE_GOLDEN) + "/h200_mma/counters.csv")) {
    const auto name = row.at("kernel");
    all[name] = std::move(row);
  }
  return all;
}

template <typename AnyCase>
void compare_issue(const std::vector<AnyCase>& cases) {
  const auto expected = card_counters();
  for (const auto& c : cases) {
    memory::Counters counters(device::find("h200"));
    sim::Simulator simulator;
    run::Result result;
    execute(mma_cases::kernel_text(c), c.name, 1,
            Words(static_cast<std::size_t>(mma_cases::input_words(c))),
            static_cast<std::size_t>(mma_cases::output_words(c)), &counters, &result, simulator);
    const auto metrics = memory::metrics(counters, simulator.function(c.name), result);
    const auto& row = expected.at(c.name);
    for (const auto& [column, metric] : kIssue) {
      const bool has_moves = *column == 't' || *column == 'h';
      const auto moves = has_moves ? std::stod(row.at("hfma2")) : 0;
      EXPECT_EQ(std::stod(row.at(column)) - moves, metrics.at(metric)) << c.name << " " << metric;
    }
  }
}

TEST(Mma, ProductsAreIssuedAsOftenAsOnTheH200) {
  compare_issue(mma_cases::cases());
  compare_issue(mma_cases::wmma_cases());
}

TEST(Mma, MovesOfMatricesCountAsOnTheH200) {
  const auto expected = card_counters();
  const auto& profile = device::find("h200");
  for (const auto& probe : mma_cases::probes()) {
    memory::Counters counters(profile);
    sim::Simulator simulator;
    run::Result result;
    execute(probe.text, probe.name, 1, Words(1 << 15), 1 << 15, &counters, &result, simulator);
    const auto metrics = memory::metrics(counters, simulator.function(probe.name), result);
    for (const auto& [column, metric] : kCounters) {
      EXPECT_EQ(std::stod(expected.at(probe.name).at(column)), metrics.at(metric))
          << probe.name << " " << metric;
    }
  }
}

}  // namespace warpgrade::mma_test
