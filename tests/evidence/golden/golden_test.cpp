// SPDX-License-Identifier: Apache-2.0
// Compiles and simulates the calibration kernels, and compares outputs and counters with an H200.
//
// studies/kernels/calibration.cu passes through the compiler, the simulator and the observers like
// a submission. Outputs must have the card's bits (outputs.csv). Requests, sectors, wavefronts and
// conflicts must equal the card's (counters.csv). Only under load, the card's conflict counters may
// be higher by up to 4 % of arbitration noise. No check may find anything, because the kernels are
// right.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <sstream>

#include "common/base/finding_text.h"
#include "common/compile/compiler.h"
#include "common/device/profile.h"
#include "common/measure/sim_bench.h"
#include "tests/evidence/cuda/fill.h"
#include "tests/evidence/golden/csv.h"

namespace warpgrade::golden_test {

using golden::read_csv;
using golden::Row;

const std::filesystem::path kFolder = WARPGRADE_GOLDEN;

std::uint64_t number(const Row& row, const std::string& column) {
  return static_cast<std::uint64_t>(std::stod(row.at(column)));
}

const compile::Program& kernels() {
  static const auto program = [] {
    auto source = compile::read_source(WARPGRADE_CALIBRATION);
    auto request = std::get<compile::CompileRequest>(std::move(source));
    request.architecture = "sm_90";
    return std::get<compile::Program>(compile::compile(request));
  }();
  return program;
}

measure::Measurement run_kernel(const std::string& name, base::Dim3 grid, base::Dim3 block,
                                std::uint32_t dynamic_shared, std::int32_t argument,
                                std::vector<run::Buffer>& buffers) {
  const auto found = compile::find_kernel(kernels(), name);
  const auto& kernel = *std::get<const compile::Kernel*>(found);
  run::ValueArgument value(sizeof argument);
  std::memcpy(value.data(), &argument, sizeof argument);
  run::Launch launch{kernel.name,
                     grid,
                     block,
                     dynamic_shared,
                     {run::BufferArgument{0}, run::BufferArgument{1}, value}};
  const auto bench = measure::sim_bench(device::find("h200"));
  return bench->measure(kernels(), launch, buffers, {});
}

// Outputs count as initialized: the card's were zeroed, and some kernels write only part of them.
std::vector<run::Buffer> filled(std::uint64_t out_words, std::uint64_t in_words) {
  std::vector<run::Buffer> buffers = {
      {"o", std::vector<std::byte>(4 * out_words), 4, false, true},
      {"in", std::vector<std::byte>(4 * in_words), 4, true, true},
  };
  for (std::uint64_t i = 0; i < in_words; ++i) {
    const float value = golden::value(static_cast<std::uint32_t>(i));
    std::memcpy(buffers[1].bytes.data() + 4 * i, &value, 4);
  }
  return buffers;
}

void expect_no_alarm(const measure::Measurement& measured) {
  for (const auto& diagnostic : measured.result.diagnostics) {
    ADD_FAILURE() << base::render(diagnostic, kernels().source);
  }
}

TEST(Golden, OutputsHaveTheBitsOfTheH200) {
  const auto rows = read_csv(kFolder / "h200_outputs" / "outputs.csv");
  ASSERT_LT(200U, rows.size());
  for (const auto& row : rows) {
    SCOPED_TRACE(fmt::format("{} {}", row.at("kernel"), row.at("arg")));
    const auto part = [&](const char* column) {
      return static_cast<std::uint32_t>(number(row, column));
    };
    auto buffers = filled(number(row, "out_words"), number(row, "in_words"));
    const auto measured = run_kernel(row.at("kernel"), {part("grid_x"), part("grid_y"), 1},
                                     {part("block_x"), part("block_y"), 1}, part("dynamic_shared"),
                                     static_cast<std::int32_t>(number(row, "arg")), buffers);
    expect_no_alarm(measured);
    const auto hash = golden::fnv1a64(buffers[0].bytes.data(), buffers[0].bytes.size());
    EXPECT_EQ(std::stoull(row.at("fnv1a64"), nullptr, 16), hash);
  }
}

// Parses "32x8x1".
base::Dim3 extent(const std::string& text) {
  base::Dim3 dim;
  char x = 0;
  std::istringstream(text) >> dim.x >> x >> dim.y >> x >> dim.z;
  return dim;
}

TEST(Golden, MemoryCountersAreTheH200s) {
  const auto rows = read_csv(kFolder / "h200" / "counters.csv");
  ASSERT_LT(50U, rows.size());
  for (const auto& row : rows) {
    const auto& kernel = row.at("kernel");
    const auto argument = number(row, "arg");
    SCOPED_TRACE(fmt::format("{} {}", kernel, argument));
    const bool is_matrix = kernel.starts_with("copy") || kernel.starts_with("transpose");
    const bool is_probe = kernel.starts_with("probe");
    const std::uint64_t elements = is_matrix ? argument * argument : is_probe ? 1U << 20 : argument;
    auto buffers = filled(elements, elements);
    const auto measured = run_kernel(kernel, extent(row.at("grid")), extent(row.at("block")),
                                     kernel.starts_with("reduce") ? 2048 : 0,
                                     static_cast<std::int32_t>(argument), buffers);
    expect_no_alarm(measured);
    const auto ours = [&](const std::string& metric) {
      const auto found = measured.metrics.find(metric);
      return found == measured.metrics.end() ? 0 : static_cast<std::uint64_t>(found->second);
    };
    const auto all_passes = number(row, "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum") +
                            number(row, "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum");
    for (const std::string operation : {"ld", "st"}) {
      for (const std::string unit : {"requests", "sectors"}) {
        const auto metric =
            fmt::format("l1tex__t_{}_pipe_lsu_mem_global_op_{}.sum", unit, operation);
        EXPECT_EQ(number(row, metric), ours(metric)) << metric;
      }
      const auto conflicts =
          fmt::format("l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_{}.sum", operation);
      const auto passes =
          fmt::format("l1tex__data_pipe_lsu_wavefronts_mem_shared_op_{}.sum", operation);
      // Noise adds as much to conflicts as to passes, so their difference is exact.
      EXPECT_EQ(number(row, passes) - number(row, conflicts), ours(passes) - ours(conflicts));
      const bool is_small = is_probe || argument == 1024;
      const auto noise = is_small ? 0 : all_passes / 25;
      EXPECT_LE(ours(conflicts), number(row, conflicts)) << conflicts;
      EXPECT_GE(ours(conflicts) + noise, number(row, conflicts)) << conflicts;
    }
  }
}

}  // namespace warpgrade::golden_test
