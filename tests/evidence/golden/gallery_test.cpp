// SPDX-License-Identifier: Apache-2.0
// Compiles and simulates the gallery's kernels and compares outputs with an H200's, bit by bit.
//
// The kernels of tests/evidence/cuda/gallery are such as a course would write. All have parameters
// (out, in): 1024 words out and 4096 pseudo-random words in. A comment describes each launch. A
// file has either one kernel, named `kernel`, or several, launched by name. gallery.txt and
// gallery_files.txt contain the card's outputs (see tests/evidence/cuda/conformance.py and
// gallery.py). No check may find anything.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "common/base/finding_text.h"
#include "common/compile/compiler.h"
#include "common/device/profile.h"
#include "common/measure/sim_bench.h"
#include "tests/evidence/small_files.h"

namespace warpgrade::gallery_test {

using evidence::extent;

const std::filesystem::path kKernels = WARPGRADE_GALLERY;
const std::filesystem::path kGolden = WARPGRADE_GOLDEN;

// Known differences. If you fix one, remove its row: the test fails until you do.
enum class Shortcoming : std::uint8_t {
  kOtherBits  // ptxas contracts differently: see golden/README.md
};
const std::map<std::string, Shortcoming> kShortcomings = {
    {"simulations.binomial_option", Shortcoming::kOtherBits},
};

// Kernels that the toolkit itself compiles differently for sm_75.
const std::map<std::string, const char*> kOtherOnSm75 = {
    {"barriers.arrive_and_drop",
     "runs on a card before Volta, on which a lane never waits for another"},
    {"bfloat16_arithmetic", "has no __hfma() of bfloat16"},
    {"half2_contracted",
     "computes bfloat16 in float and rounds each result: nothing is contracted"},
    {"halves.bfloat16_operators", "has no __hfma() of bfloat16"},
    {"halves.bfloat16_pairs", "has no __hfma2() of bfloat16"},
    {"scopes_and_groups.semaphores",
     "runs on a card before Volta, on which a lane never waits for another"},
    {"vote_match", "has no __reduce_add_sync() and its kin"},
    {"warps.reduce_sync", "has no __reduce_add_sync() and its kin"},
};

bool has(const std::string& kernel, Shortcoming shortcoming) {
  const auto found = kShortcomings.find(kernel);
  return found != kShortcomings.end() && found->second == shortcoming;
}

struct Shape {
  run::Launch launch;
  std::vector<bool> is_exact = std::vector<bool>(1024, true);  // by word of the output
};

// For example: approximate 8:6,7
void leave_out(const std::string& text, Shape& shape) {
  std::istringstream stream(text);
  std::size_t period = 0;
  stream >> period;
  char separator = 0;
  for (std::size_t first = 0; stream >> separator >> first;) {
    for (auto i = first; i < shape.is_exact.size(); i += period) shape.is_exact[i] = false;
  }
}

// launch: [NAME] grid 4,4 block 8,8 shared 2048
Shape shape_of(const std::string& source, const std::string& kernel) {
  const auto head = "// launch: " + (kernel == "kernel" ? std::string() : kernel + " ");
  const auto at = source.find(head + "grid ");
  Shape shape;
  auto& launch = shape.launch;
  if (at == std::string::npos) return shape;
  const auto begin = at + head.size();
  std::istringstream line(source.substr(begin, source.find('\n', at) - begin));
  for (std::string key, value; line >> key >> value;) {
    if (key == "grid") launch.grid = extent(value);
    if (key == "block") launch.block = extent(value);
    if (key == "shared")
      launch.dynamic_shared_bytes = static_cast<std::uint32_t>(std::stoul(value));
    if (key == "approximate") leave_out(value, shape);
  }
  launch.kernel = kernel;
  launch.arguments = {run::BufferArgument{0}, run::BufferArgument{1}};
  return shape;
}

// FILE or FILE.KERNEL -> the words that the card wrote, padded with zeros. Cached, because each
// kernel is a separate test.
const std::map<std::string, std::vector<std::uint32_t>>& golden_outputs() {
  static const auto outputs = [] {
    std::map<std::string, std::vector<std::uint32_t>> read;
    for (const auto* name : {"gallery.txt", "gallery_files.txt"}) {
      std::ifstream file(kGolden / "h200_ptx" / name);
      for (std::string line; std::getline(file, line);) {
        std::istringstream stream(line);
        std::string word;
        stream >> word;
        auto& words = read[word];
        while (stream >> word) {
          words.push_back(static_cast<std::uint32_t>(std::stoul(word, nullptr, 16)));
        }
        words.resize(1024);
      }
    }
    return read;
  }();
  return outputs;
}

// Compiles a file once per architecture: the tests of its kernels follow one another.
const compile::Program* program_of(const std::string& file, std::string_view architecture) {
  static std::map<std::pair<std::string, std::string_view>, compile::Program> programs;
  const auto key = std::pair(file, architecture);
  if (const auto found = programs.find(key); found != programs.end()) return &found->second;
  static const auto files = evidence::small_files(kKernels);
  const evidence::StoredFile stored(file, files.at(file).text);
  auto read = compile::read_source(stored.path());
  auto request = std::get<compile::CompileRequest>(std::move(read));
  request.architecture = architecture;
  auto compiled = compile::compile(request);
  auto* program = std::get_if<compile::Program>(&compiled);
  if (program == nullptr) return nullptr;
  return &programs.emplace(key, std::move(*program)).first->second;
}

// FILE.KERNEL, or FILE for the kernel named `kernel`.
std::pair<std::string, std::string> file_and_kernel(const std::string& name) {
  const auto dot = name.find('.');
  if (dot == std::string::npos) return {name, "kernel"};
  return {name.substr(0, dot), name.substr(dot + 1)};
}

std::vector<std::string> names() {
  std::vector<std::string> result;
  for (const auto& [name, words] : golden_outputs()) result.push_back(name);
  return result;
}

class Gallery : public testing::TestWithParam<std::string> {
 protected:
  // Expects the card's output and no finding, apart from known shortcomings.
  static void expect_right(const std::vector<base::Diagnostic>& diagnostics,
                           const std::vector<run::Buffer>& buffers, const Shape& shape,
                           const std::string& source) {
    for (const auto& diagnostic : diagnostics) ADD_FAILURE() << base::render(diagnostic, source);
    const auto& expected = golden_outputs().at(GetParam());
    std::vector<std::uint32_t> out(1024);
    std::memcpy(out.data(), buffers[0].bytes.data(), 4096);
    ASSERT_EQ(expected.size(), out.size());
    std::size_t wrong = 0;
    std::string first;
    for (std::size_t i = 0; i < out.size(); ++i) {
      if (out[i] == expected[i] || !shape.is_exact[i]) continue;
      if (wrong++ < 4) first += fmt::format(" [{}] {:x} here {:x}", i, expected[i], out[i]);
    }
    if (has(GetParam(), Shortcoming::kOtherBits)) {
      EXPECT_NE(0U, wrong) << "take it out of kShortcomings";
    } else {
      EXPECT_EQ(0U, wrong) << first;
    }
  }
};

std::vector<run::Buffer> buffers() {
  const auto words = evidence::card_input();
  std::vector<run::Buffer> result = {
      {"out", std::vector<std::byte>(4096), 4, false, true},
      {"in", std::vector<std::byte>(4 * words.size()), 4, true, true}};
  std::memcpy(result[1].bytes.data(), words.data(), 4 * words.size());
  return result;
}

// Runs each kernel with warps and blocks in order, and in random schedules.
TEST_P(Gallery, HasTheBitsOfTheH200InEveryOrder) {
  const auto [file, name] = file_and_kernel(GetParam());
  const auto* compiled = program_of(file, "sm_90");
  ASSERT_NE(nullptr, compiled);
  const auto& program = *compiled;
  const auto shape = shape_of(program.source, name);
  ASSERT_EQ(name, shape.launch.kernel) << "no launch";
  const auto before = buffers();
  auto after = before;
  const auto bench = measure::sim_bench(device::find("h200"));
  const auto measured = bench->measure(program, shape.launch, after, {});
  expect_right(measured.result.diagnostics, after, shape, program.source);
  for (const auto& run :
       bench->run_in_schedules(program, shape.launch, before, measured, {1, 2, 3}, 1U << 30)) {
    SCOPED_TRACE(fmt::format("seed {}", run.seed));
    expect_right(run.diagnostics, run.buffers, shape, program.source);
  }
}

// The PTX for the oldest architecture, which the older cards use, gives the same results. The test
// skips the machine code, which would cost a third of the compilation. It uses only the default
// schedule: in libcu++'s barrier for sm_75, a thread that drops out ends a phase and starts the
// next one with two atomics. If all other threads arrive in between, the barrier never opens again
// (`barriers.arrive_and_drop`).
TEST_P(Gallery, HasTheBitsOfTheH200OnAnOlderCard) {
  if (const auto other = kOtherOnSm75.find(GetParam()); other != kOtherOnSm75.end()) {
    GTEST_SKIP() << "sm_75 " << other->second;
  }
  const auto [file, name] = file_and_kernel(GetParam());
  const auto* program = program_of(file, "compute_75");
  ASSERT_NE(nullptr, program);
  const auto shape = shape_of(program->source, name);
  auto after = buffers();
  const auto bench = measure::sim_bench(device::find("k40"));
  const auto measured = bench->count(*program, shape.launch, after, {});
  expect_right(measured.result.diagnostics, after, shape, program->source);
}

// Without this test, a kernel without a row of outputs would look tested.
TEST(GalleryFiles, EveryLaunchHasItsRow) {
  for (const auto& [stem, file] : evidence::small_files(kKernels)) {
    std::istringstream lines(file.text);
    for (std::string line; std::getline(lines, line);) {
      if (!line.starts_with("// launch: ")) continue;
      const auto name = line.substr(11, line.find(' ', 11) - 11);
      const auto row = name == "grid" ? stem : stem + "." + name;
      EXPECT_EQ(1U, golden_outputs().count(row)) << row;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Kernels, Gallery, testing::ValuesIn(names()), [](const auto& kernel) {
  auto name = kernel.param;
  std::replace(name.begin(), name.end(), '.', '_');
  return name;
});

}  // namespace warpgrade::gallery_test
