// SPDX-License-Identifier: Apache-2.0
// Runs the small programs of tests/ptx/behaviours. Each ends with the words that it wrote on an
// H200 or an H100 (driver 580.159, CUDA 13.0, 2026-11-25). No check may find anything.
//
// Each program is a `kernel(out, in)` like those of the gallery, with 1024 words out and 4096
// pseudo-random words in. Thread i writes word i.
#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "common/base/finding_text.h"
#include "common/check/checks.h"
#include "common/sim/simulator.h"
#include "tests/evidence/small_files.h"

namespace warpgrade::ptx_test::behaviours_test {

const std::filesystem::path kFolder = std::filesystem::path(WARPGRADE_PTX_TESTS) / "behaviours";
const std::string kLaunch = "// launch: grid 1 block ";
const std::string kExpected = "// expected, written by an H";  // "200:" or "100:"

using Words = std::vector<std::uint32_t>;

run::Buffer buffer(const std::string& name, const Words& words) {
  run::Buffer result;
  result.name = name;
  result.element_bytes = 4;
  result.bytes.resize(4 * words.size());
  std::memcpy(result.bytes.data(), words.data(), result.bytes.size());
  return result;
}

std::vector<std::string> names() {
  std::vector<std::string> result;
  for (const auto& file : std::filesystem::directory_iterator(kFolder)) {
    result.push_back(file.path().stem().string());
  }
  std::sort(result.begin(), result.end());
  return result;
}

class Behaviour : public testing::TestWithParam<std::string> {};

TEST_P(Behaviour, IsThatOfTheCard) {
  std::ifstream file(kFolder / (GetParam() + ".ptx"));
  std::stringstream stream;
  stream << file.rdbuf();
  const auto text = stream.str();
  const auto end = text.find(kExpected);
  ASSERT_NE(std::string::npos, end);

  compile::Program program;
  program.ptx = {text.substr(0, end), {}};
  run::Launch launch;
  launch.kernel = "kernel";
  launch.grid.x = 1;
  launch.block.x =
      static_cast<std::uint32_t>(std::stoul(text.substr(text.find(kLaunch) + kLaunch.size(), 8)));
  launch.arguments = {run::BufferArgument{0}, run::BufferArgument{1}};
  std::vector<run::Buffer> buffers = {buffer("out", Words(1024)),
                                      buffer("in", evidence::card_input())};
  buffers[1].read_only = true;

  check::Checks checks;
  run::Options options;
  options.observers = {&checks};
  sim::Simulator simulator(program);
  auto result = simulator.launch(launch, buffers, options);
  for (const auto& found : checks.diagnostics()) result.diagnostics.push_back(found);
  for (const auto& diagnostic : result.diagnostics) ADD_FAILURE() << base::text(diagnostic);

  Words expected;
  std::istringstream rows(text.substr(text.find('\n', end)));
  for (std::string word; rows >> word;) {
    if (word != "//") expected.push_back(static_cast<std::uint32_t>(std::stoul(word, nullptr, 16)));
  }
  Words actual(launch.block.x);
  std::memcpy(actual.data(), buffers[0].bytes.data(), 4 * actual.size());
  EXPECT_EQ(expected, actual);
}

INSTANTIATE_TEST_SUITE_P(Programs, Behaviour, testing::ValuesIn(names()),
                         [](const auto& program) { return program.param; });

}  // namespace warpgrade::ptx_test::behaviours_test
