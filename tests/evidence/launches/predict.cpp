// SPDX-License-Identifier: Apache-2.0
// Predicts the times of launches as a grade does, from a sample of their blocks (all blocks if they
// do different work). Also prints the bottleneck of each launch. Compiles each file's kernels once.
//
//     predict DEVICE [--whole] < ROWS > PREDICTIONS
//
// --whole executes all blocks, as `warpgrade profile` does.
//
// A row has tab-separated fields: NAME, FILE, KERNEL, GRID, BLOCK, SHARED BYTES and ARGUMENTS (as
// for `warpgrade profile --arg`, separated by spaces). GRID and BLOCK are X Y Z. A prediction has
// NAME, SECONDS, BOUND BY, PARTS of the time (part=seconds, separated by commas), the bytes that
// DRAM reads and writes, the metrics of Speed of Light (metric=value), and the processor time used.
// If a prediction fails, SECONDS is empty and the reason follows.
#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <exception>
#include <iostream>
#include <map>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "common/base/diagnostic.h"
#include "common/base/finding_text.h"
#include "common/compile/compiler.h"
#include "common/device/profile.h"
#include "common/measure/model_launch.h"
#include "common/measure/sim_bench.h"
#include "common/memory/metrics.h"
#include "common/sim/memory/sparse_buffer.h"
#include "common/timing/speed_of_light.h"
#include "grader/profile/arguments.h"

namespace warpgrade {
namespace {

// Limit on the work of a launch: a few seconds.
constexpr std::uint64_t kMostWork = std::uint64_t{1} << 32;

struct Row {
  std::string name;
  std::string file;
  std::string kernel;
  run::Launch launch;
  std::vector<grader::profile::ArgumentSpec> arguments;
};

base::Dim3 extent(const std::string& text) {
  std::istringstream in(text);
  base::Dim3 out;
  in >> out.x >> out.y >> out.z;
  return out;
}

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> out;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, separator);) out.push_back(part);
  return out;
}

std::vector<Row> read_rows(std::istream& in) {
  std::vector<Row> rows;
  for (std::string line; std::getline(in, line);) {
    const auto fields = split(line, '\t');
    Row row;
    row.name = fields.at(0);
    row.file = fields.at(1);
    row.kernel = fields.at(2);
    row.launch.grid = extent(fields.at(3));
    row.launch.block = extent(fields.at(4));
    row.launch.dynamic_shared_bytes = static_cast<std::uint32_t>(std::stoul(fields.at(5)));
    for (const auto& word : split(fields.at(6), ' ')) {
      row.arguments.push_back(grader::profile::parse_argument(word));
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

run::Pattern pattern_of(const grader::profile::BufferSpec& spec, std::size_t index) {
  run::Pattern out;
  out.name = fmt::format("argument {}", index);
  out.element_bytes = verify::size_of(spec.type);
  out.read_only = spec.is_input;
  out.bytes = spec.bytes();
  out.period = out.bytes;
  out.make = [spec](std::uint64_t first, std::span<std::byte> to) {
    verify::fill(spec.type, first / verify::size_of(spec.type), to, spec.fill, spec.seed);
  };
  return out;
}

struct Prediction {
  std::vector<base::Diagnostic> diagnostics;
  timing::TimeEstimate time;
  double dram_read = 0;  // bytes
  double dram_written = 0;
  memory::Metrics metrics;  // at least Speed of Light
};

// Uses a sample of the blocks; returns nullopt if it does not represent the others.
std::optional<Prediction> by_sample(const device::Profile& profile, const compile::Program& program,
                                    const compile::Kernel& kernel, const run::Launch& launch,
                                    const std::vector<run::Pattern>& patterns,
                                    const run::Options& options) {
  auto buffers = sim::sparse_buffers(patterns);
  const auto out = measure::model_launch(profile, program, kernel, launch, buffers, options,
                                         /*draw=*/1, measure::SampleUse::kTime);
  if (!out.time.is_even) return std::nullopt;
  const auto& dram = out.time.dram;
  const auto& light = out.time.speed_of_light;
  return Prediction{out.result.diagnostics, out.time, dram.read + dram.filled,
                    std::max(0.0, dram.written - timing::l2_dirty(profile)),
                    light ? light->metrics(profile) : memory::Metrics()};
}

// Executes all blocks.
Prediction whole(const device::Profile& profile, const compile::Program& program, const Row& row,
                 const run::Options& options) {
  auto buffers = grader::profile::make_arguments(row.arguments).buffers;
  for (auto& buffer : buffers) buffer.defined = true;  // as in measure.py, which clears outputs
  const auto out = measure::sim_bench(profile)->measure(program, row.launch, buffers, options);
  Prediction made;
  made.diagnostics = out.result.diagnostics;
  made.time.seconds = out.seconds;
  made.time.bound_by = out.bound_by;
  made.time.parts = out.parts;
  if (!made.diagnostics.empty()) return made;
  made.dram_read = out.metrics.at("dram__bytes_read.sum");
  made.dram_written = out.metrics.at("dram__bytes_write.sum");
  made.metrics = out.metrics;
  return made;
}

std::string predict(const device::Profile& profile, const compile::Program& program, Row row,
                    bool is_whole) {
  const auto found = compile::find_kernel(program, row.kernel);
  if (const auto* wrong = std::get_if<base::Diagnostic>(&found)) return "\t" + base::text(*wrong);
  const auto& kernel = *std::get<const compile::Kernel*>(found);
  row.launch.kernel = kernel.name;
  std::vector<run::Pattern> patterns;
  for (const auto& argument : row.arguments) {
    if (const auto* buffer = std::get_if<grader::profile::BufferSpec>(&argument.value)) {
      row.launch.arguments.emplace_back(run::BufferArgument{patterns.size()});
      patterns.push_back(pattern_of(*buffer, row.launch.arguments.size() - 1));
    } else {
      row.launch.arguments.emplace_back(std::get<run::ValueArgument>(argument.value));
    }
  }
  run::Options options;
  options.threads = 1;
  options.block_budget = kMostWork;
  options.launch_budget = kMostWork;
  std::optional<Prediction> sampled;
  if (!is_whole) sampled = by_sample(profile, program, kernel, row.launch, patterns, options);
  const auto out = sampled ? *sampled : whole(profile, program, row, options);
  if (!out.diagnostics.empty()) {
    const auto& first = out.diagnostics.front();
    const bool is_much = first.kind == base::DiagnosticKind::kRunaway;
    return (is_much ? "\ttoo much: " : "\t") + base::text(first);
  }
  std::string parts;
  for (const auto& [part, seconds] : out.time.parts.by_name()) {
    parts += fmt::format("{}{}={:.6g}", parts.empty() ? "" : ",", part, seconds);
  }
  std::string light;
  for (const auto& metric : timing::speed_of_light_names()) {
    const auto value = out.metrics.find(metric);
    if (value == out.metrics.end()) continue;
    light += fmt::format("{}{}={:.4g}", light.empty() ? "" : ",", metric, value->second);
  }
  return fmt::format("{:.6g}\t{}\t{}\t{:.0f}\t{:.0f}\t{}", out.time.seconds,
                     timing::name(out.time.bound_by), parts, out.dram_read, out.dram_written,
                     light);
}

int predict_all(const std::string& device, bool is_whole) {
  const auto& profile = device::find(device);
  std::map<std::string, std::vector<Row>> by_file;
  for (auto& row : read_rows(std::cin)) by_file[row.file].push_back(std::move(row));
  for (const auto& [file, rows] : by_file) {
    auto request = std::get<compile::CompileRequest>(compile::read_source(file));
    request.architecture = profile.architecture;
    for (const auto& row : rows) {
      if (row.kernel.find('<') != std::string::npos) request.instantiations.push_back(row.kernel);
    }
    const auto compiled = compile::compile(request);
    const auto* program = std::get_if<compile::Program>(&compiled);
    for (const auto& row : rows) {
      const auto begin = std::clock();
      std::string answer;
      try {
        answer = program == nullptr
                     ? "\t" + base::text(std::get<std::vector<base::Diagnostic>>(compiled).front())
                     : predict(profile, *program, row, is_whole);
      } catch (const std::exception& error) {
        answer = std::string("\t") + error.what();
      }
      const auto seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
      fmt::print("{}\t{}\t{:.2f}\n", row.name, answer, seconds);
    }
  }
  return 0;
}

}  // namespace
}  // namespace warpgrade

int main(int argc, char** argv) {
  const bool is_whole = argc == 3 && std::string_view(argv[2]) == "--whole";
  return argc == 2 || is_whole ? warpgrade::predict_all(argv[1], is_whole) : 2;
}
