// SPDX-License-Identifier: Apache-2.0
// The gallery's kernels from CUDA C++ to their outputs, held against an H200 bit by bit.
//
// tests/cuda/gallery has kernels as a course would write them, all `kernel(out, in)` with 1024
// words out and 4096 pseudo-random words in; a comment in each says how it is launched. gallery.txt
// has what the card wrote (see tests/cuda/conformance.py). No check may raise an alarm.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "common/compile/compiler.h"
#include "common/device/profile.h"
#include "common/measure/measure.h"

namespace warpgrade {
namespace {

const std::filesystem::path kKernels = WARPGRADE_GALLERY;
const std::filesystem::path kGolden = WARPGRADE_GOLDEN;

// The generator of conformance.py.
std::vector<std::uint32_t> input() {
  std::uint32_t state = 12345;
  std::vector<std::uint32_t> words(4096);
  for (auto& word : words) {
    for (int half = 0; half < 2; ++half) {
      state = state * 1664525U + 1013904223U;
      word = word << 16 | state >> 16;
    }
  }
  return words;
}

base::Dim3 extent(const std::string& text) {
  base::Dim3 result;
  std::istringstream stream(text);
  char comma = 0;
  stream >> result.x;
  if (stream >> comma) stream >> result.y;
  return result;
}

// launch: grid 4,4 block 8,8 shared 2048
run::Launch launch_of(const std::string& source) {
  const auto at = source.find("// launch: ");
  std::istringstream line(source.substr(at + 11, source.find('\n', at) - at - 11));
  run::Launch launch;
  for (std::string key, value; line >> key >> value;) {
    if (key == "grid") launch.grid = extent(value);
    if (key == "block") launch.block = extent(value);
    if (key == "shared")
      launch.dynamic_shared_bytes = static_cast<std::uint32_t>(std::stoul(value));
  }
  launch.kernel = "kernel";
  launch.arguments = {run::BufferArgument{0}, run::BufferArgument{1}};
  return launch;
}

// Kernel -> the words that the card wrote. Read once: each kernel is a test of its own.
const std::map<std::string, std::vector<std::uint32_t>>& golden_outputs() {
  static const auto outputs = [] {
    std::map<std::string, std::vector<std::uint32_t>> read;
    std::ifstream file(kGolden / "h200_ptx" / "gallery.txt");
    for (std::string line; std::getline(file, line);) {
      std::istringstream stream(line);
      std::string word;
      stream >> word;
      auto& words = read[word];
      while (stream >> word) {
        words.push_back(static_cast<std::uint32_t>(std::stoul(word, nullptr, 16)));
      }
    }
    return read;
  }();
  return outputs;
}

std::vector<std::string> names() {
  std::vector<std::string> result;
  for (const auto& [name, words] : golden_outputs()) result.push_back(name);
  return result;
}

class Gallery : public testing::TestWithParam<std::string> {
 protected:
  // The card's output and no finding.
  static void expect_right(const std::vector<base::Diagnostic>& diagnostics,
                           const std::vector<run::Buffer>& buffers, const std::string& source) {
    for (const auto& diagnostic : diagnostics) ADD_FAILURE() << base::render(diagnostic, source);
    const auto& expected = golden_outputs().at(GetParam());
    std::vector<std::uint32_t> out(1024);
    std::memcpy(out.data(), buffers[0].bytes.data(), 4096);
    ASSERT_EQ(expected.size(), out.size());
    std::size_t wrong = 0;
    std::string first;
    for (std::size_t i = 0; i < out.size(); ++i) {
      if (out[i] == expected[i]) continue;
      if (wrong++ < 4) first += fmt::format(" [{}] {:x} here {:x}", i, expected[i], out[i]);
    }
    EXPECT_EQ(0U, wrong) << first;
  }
};

// As warps and blocks come, and where they take turns at random.
TEST_P(Gallery, HasTheBitsOfTheH200InEveryOrder) {
  auto read = compile::read_source(kKernels / (GetParam() + ".cu"));
  auto request = std::get<compile::Request>(std::move(read));
  request.architecture = "sm_90";
  auto compiled = compile::compile(request);
  ASSERT_TRUE(std::holds_alternative<compile::Program>(compiled));
  const auto& program = std::get<compile::Program>(compiled);
  const auto words = input();
  const auto kernel = compile::find_kernel(program, "kernel");
  const auto bench = measure::sim_bench(device::find("h200"));
  const auto launch = launch_of(program.source);
  std::vector<run::Buffer> before = {
      {"out", std::vector<std::byte>(4096), 4, false, true},
      {"in", std::vector<std::byte>(4 * words.size()), 4, true, true}};
  std::memcpy(before[1].bytes.data(), words.data(), 4 * words.size());
  auto buffers = before;
  const auto measured = bench->measure(program, *std::get<const compile::Kernel*>(kernel), launch,
                                       buffers, {});
  expect_right(measured.result.diagnostics, buffers, program.source);
  for (const auto& run : bench->run_in_orders(program, launch, before, measured, {1, 2, 3})) {
    SCOPED_TRACE(fmt::format("seed {}", run.seed));
    expect_right(run.diagnostics, run.buffers, program.source);
  }
}

INSTANTIATE_TEST_SUITE_P(Kernels, Gallery, testing::ValuesIn(names()),
                         [](const auto& kernel) { return kernel.param; });

}  // namespace
}  // namespace warpgrade
