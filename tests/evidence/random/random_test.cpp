// SPDX-License-Identifier: Apache-2.0
// A fixed set of random programs must match the output of an H200. They are generated, compiled and
// simulated anew, with every check on. No check may find anything.
//
// outputs.txt (tests/evidence/golden/h200_random) has one line per program: its seed and its words,
// `out` followed by `sums`. Consecutive seeds share a file, and each file is one test.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <sstream>

#include "common/base/finding_text.h"
#include "tests/evidence/random/program.h"

namespace warpgrade::programs::random_test {

using Words = std::vector<std::uint32_t>;

// Seed -> the words that the card wrote.
const std::map<std::uint64_t, Words>& gpu_words() {
  static const auto words = [] {
    std::map<std::uint64_t, Words> read;
    std::ifstream file(WARPGRADE_RANDOM_GOLDEN "/outputs.txt");
    for (std::string line; std::getline(file, line);) {
      std::istringstream stream(line);
      std::uint64_t seed = 0;
      stream >> seed >> std::hex;
      for (std::uint32_t word = 0; stream >> word;) read[seed].push_back(word);
    }
    return read;
  }();
  return words;
}

// The first seed of each group in the set.
std::vector<std::uint64_t> first_seeds() {
  std::vector<std::uint64_t> first;
  for (const auto& [seed, words] : gpu_words()) {
    if (first.empty() || seed / kGroup != first.back() / kGroup) first.push_back(seed);
  }
  return first;
}

std::string where(const RandomProgram& program, std::size_t index) {
  if (index >= out_words(program)) return fmt::format("sums[{}]", index - out_words(program));
  static constexpr const char* kParts[] = {"integers", "floats", "the rest"};
  return fmt::format("thread {} of the grid, {}", index / kOutWords, kParts[index % kOutWords]);
}

class RandomPrograms : public testing::TestWithParam<std::uint64_t> {};

TEST_P(RandomPrograms, HaveTheBitsOfTheH200) {
  const auto first = GetParam();
  const auto group = compile_group(first, first / kGroup * kGroup + kGroup - 1);
  for (std::size_t i = 0; i < group.programs.size(); ++i) {
    const auto seed = group.seeds[i];
    const auto replay = fmt::format(
        "seed {0}; build/tests/evidence/random/random_programs --seeds {0}:{0} --text shows the "
        "kernel, "
        "--write DIR keeps its PTX and output",
        seed);
    // Any order of warps and blocks must work, so each program uses a different one.
    const auto run = run_program(group, i, seed);
    for (const auto& finding : run.findings) {
      ADD_FAILURE() << replay << "\n" << base::render(finding, group.compiled.source);
    }
    const auto& expected = gpu_words().at(seed);
    ASSERT_EQ(expected.size(), run.words.size()) << replay;
    const auto differ = std::mismatch(expected.begin(), expected.end(), run.words.begin());
    if (differ.first == expected.end()) continue;
    const auto at = static_cast<std::size_t>(differ.first - expected.begin());
    ADD_FAILURE() << fmt::format("word {} ({}): the card has {:08x}, here {:08x}; {}", at,
                                 where(group.programs[i], at), *differ.first, *differ.second,
                                 replay);
  }
}

std::string group_name(const testing::TestParamInfo<std::uint64_t>& info) {
  return fmt::format("sm{}From{}", generate(info.param).architecture, info.param);
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomPrograms, testing::ValuesIn(first_seeds()), group_name);

// An empty table would test nothing.
TEST(GpuWords, AreManyOnThreeArchitectures) { EXPECT_LE(140U, gpu_words().size()); }

TEST(Generator, ASeedMakesTheSameProgramAgain) {
  for (const auto seed : {1U, 20U, 40U}) EXPECT_EQ(generate(seed).text, generate(seed).text);
  EXPECT_NE(generate(1).text, generate(2).text);
}

TEST(Generator, StatementsCanBeLeftOut) {
  const auto whole = generate(5);
  ASSERT_LT(1U, whole.statements);
  const auto part = generate(5, {1});
  EXPECT_EQ(whole.statements, part.statements);
  EXPECT_NE(std::string::npos, whole.text.find("// 0\n"));
  EXPECT_EQ(std::string::npos, part.text.find("// 0\n"));
  EXPECT_NE(std::string::npos, part.text.find("// 1\n"));
}

}  // namespace warpgrade::programs::random_test
