// SPDX-License-Identifier: Apache-2.0
// The calibration kernels, compiled and simulated whole, against what an H200 made of them: outputs
// bit for bit (tests/golden/h200_outputs/outputs.csv), counters (tests/golden/h200/counters.csv).
#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <map>
#include <sstream>

#include "common/compile/compiler.h"
#include "common/measure/measure.h"
#include "tests/cuda/fill.h"

namespace warpgrade::measure {
namespace {

const std::string kFolder = WARPGRADE_GOLDEN;

using Row = std::map<std::string, std::string>;

std::vector<Row> read_csv(const std::string& path) {
  std::ifstream file(path);
  const auto cut = [](const std::string& line) {
    std::vector<std::string> fields;
    std::istringstream in(line);
    for (std::string field; std::getline(in, field, ',');) fields.push_back(field);
    return fields;
  };
  std::string line;
  std::getline(file, line);
  const auto names = cut(line);
  std::vector<Row> rows;
  while (std::getline(file, line)) {
    const auto fields = cut(line);
    Row row;
    for (std::size_t i = 0; i < fields.size() && i < names.size(); ++i) row[names[i]] = fields[i];
    rows.push_back(row);
  }
  return rows;
}

std::uint32_t number(const Row& row, const std::string& name) {
  return static_cast<std::uint32_t>(std::stoul(row.at(name)));
}

const compile::Program& kernels() {
  static const compile::Program program = [] {
    auto request = compile::read_source(kFolder + "/h200/kernels.cu");
    auto result = compile::compile(std::get<compile::Request>(request));
    return std::get<compile::Program>(result);
  }();
  return program;
}

const compile::Kernel& kernel(const std::string& name) {
  for (const auto& candidate : kernels().kernels) {
    if (candidate.name == name) return candidate;
  }
  throw std::runtime_error("kernels.cu has no " + name);
}

run::ValueArgument bytes_of(std::uint32_t value) {
  run::ValueArgument bytes(sizeof(value));
  std::memcpy(bytes.data(), &value, sizeof(value));
  return bytes;
}

struct Case {
  run::Launch launch;
  std::vector<run::Buffer> buffers;
};

Case make_case(const Row& row) {
  Case made;
  made.launch.kernel = row.at("kernel");
  made.launch.grid = {number(row, "grid_x"), number(row, "grid_y"), 1};
  made.launch.block = {number(row, "block_x"), number(row, "block_y"), 1};
  made.launch.dynamic_shared_bytes = number(row, "dynamic_shared");
  made.launch.arguments = {run::BufferArgument{0}, run::BufferArgument{1},
                           bytes_of(number(row, "arg"))};
  made.buffers.resize(2);
  made.buffers[0].name = "out";
  made.buffers[0].bytes.resize(std::size_t{4} * number(row, "out_words"));
  made.buffers[1].name = "in";
  made.buffers[1].read_only = true;
  made.buffers[1].bytes.resize(std::size_t{4} * number(row, "in_words"));
  for (std::uint32_t i = 0; i < number(row, "in_words"); ++i) {
    const float value = golden::value(i);
    std::memcpy(made.buffers[1].bytes.data() + std::size_t{4} * i, &value, sizeof(value));
  }
  return made;
}

// The counters of row `counted` that a small launch gives without noise.
void expect_counters(const Row& counted, const memory::Metrics& metrics) {
  for (const std::string name : {"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum",
                                 "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
                                 "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum",
                                 "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",
                                 "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum",
                                 "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum",
                                 "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
                                 "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum"}) {
    EXPECT_EQ(std::stod(counted.at(name)), metrics.at(name)) << name;
  }
}

TEST(GoldenKernels, OutputsAndCountersAreThoseOfTheH200) {
  std::map<std::pair<std::string, std::string>, Row> counted;
  for (const Row& row : read_csv(kFolder + "/h200/counters.csv")) {
    counted[{row.at("kernel"), row.at("arg")}] = row;
  }
  const auto bench = sim_bench(device::find("h200"));
  std::size_t outputs = 0;
  std::size_t counters = 0;
  for (const Row& row : read_csv(kFolder + "/h200_outputs/outputs.csv")) {
    SCOPED_TRACE(row.at("kernel") + " " + row.at("arg"));
    Case c = make_case(row);
    const auto measured =
        bench->measure(kernels(), kernel(row.at("kernel")), c.launch, c.buffers, {});
    for (const auto& found : measured.result.diagnostics) ADD_FAILURE() << found.message;
    const auto& out = c.buffers[0].bytes;
    EXPECT_EQ(std::stoull(row.at("fnv1a64"), nullptr, 16), golden::fnv1a64(out.data(), out.size()));
    ++outputs;
    const auto on_card = counted.find({row.at("kernel"), row.at("arg")});
    if (on_card == counted.end()) continue;
    expect_counters(on_card->second, measured.metrics);
    ++counters;
  }
  EXPECT_EQ(216U, outputs);
  EXPECT_EQ(45U, counters);  // 9 kernels at n = 1024, 36 probes.
}

}  // namespace
}  // namespace warpgrade::measure
