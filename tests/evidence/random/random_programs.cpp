// SPDX-License-Identifier: Apache-2.0
// Command line tool for random programs: simulates a range of seeds, or writes it to a folder.
//
//   random_programs --seeds 1:1000               runs them, prints one line per program and the
//                                                findings of the checks; exits 1 if there are any
//   random_programs --seeds 1:1000 --write DIR   writes CUDA C++, PTX, launches, inputs and the
//                                                simulator's outputs, for on_device.py
//   random_programs --seeds 7:7 --keep 0,2       only these statements of the kernel
//   random_programs --seeds 7:7 --text           prints the kernel
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <fstream>
#include <set>

#include "common/base/error.h"
#include "common/base/finding_text.h"
#include "tests/evidence/cuda/fill.h"
#include "tests/evidence/random/program.h"

namespace warpgrade::programs {
namespace {

struct Options {
  std::string seeds = "0:0";
  std::string folder;
  std::vector<std::uint32_t> kept;
  std::uint64_t order = 0;
  bool text = false;
};

void write_words(const std::string& file, const std::vector<std::uint32_t>& words, bool append) {
  std::ofstream stream(file, std::ios::binary | (append ? std::ios::app : std::ios::trunc));
  stream.write(reinterpret_cast<const char*>(words.data()),
               static_cast<std::streamsize>(4 * words.size()));
}

// launches.txt: file, kernel, seed, statements, grid, block, words of out.
void write_group(const Options& options, const Group& group) {
  const auto stem =
      options.folder + "/" + group.compiled.file.substr(0, group.compiled.file.find('.'));
  std::ofstream(stem + ".cu") << group.compiled.source;
  std::ofstream(stem + ".ptx") << group.compiled.ptx.text();
  std::ofstream launches(options.folder + "/launches.txt", std::ios::app);
  for (std::size_t i = 0; i < group.programs.size(); ++i) {
    const auto& program = group.programs[i];
    launches << fmt::format("{} {} {} {} {},{},{} {},{},{} {}\n",
                            stem.substr(options.folder.size() + 1), program.kernel, group.seeds[i],
                            program.statements, program.grid.x, program.grid.y, program.grid.z,
                            program.block.x, program.block.y, program.block.z, out_words(program));
  }
}

bool run_group(const Options& options, const Group& group) {
  bool clean = true;
  for (std::size_t i = 0; i < group.programs.size(); ++i) {
    const auto run = run_program(group, i, options.order);
    fmt::print("{} sm_{} {} words {:016x}\n", group.seeds[i], group.programs[i].architecture,
               run.words.size(), golden::fnv1a64(run.words.data(), 4 * run.words.size()));
    for (const auto& found : run.findings) {
      fmt::print("{}\n", base::render(found, group.compiled.source));
      clean = false;
    }
    if (!options.folder.empty()) write_words(options.folder + "/outputs.bin", run.words, true);
  }
  std::fflush(stdout);
  return clean;
}

// Some programs crash ptxas 13.0. If a group does not compile, each of its programs is compiled
// separately, and those that fail are skipped.
bool handle(const Options& options, std::uint64_t first, std::uint64_t last,
            const std::set<std::uint32_t>& kept) {
  try {
    const auto group = compile_group(first, last, kept);
    if (!options.folder.empty()) write_group(options, group);
    return run_group(options, group);
  } catch (const NotCompiled& error) {
    if (first == last) {
      fmt::print("{} left out: {}\n", first, error.what());
      return true;
    }
  }
  bool clean = true;
  for (auto seed = first; seed <= last; ++seed) clean = handle(options, seed, seed, kept) && clean;
  return clean;
}

int run(const Options& options) {
  const auto colon = options.seeds.find(':');
  if (colon == std::string::npos) throw base::UsageError("--seeds needs FIRST:LAST, 1:1000 say");
  const auto first = std::stoull(options.seeds.substr(0, colon));
  const auto last = std::stoull(options.seeds.substr(colon + 1));
  const std::set<std::uint32_t> kept(options.kept.begin(), options.kept.end());
  if (!options.folder.empty()) {
    std::ofstream(options.folder + "/launches.txt");
    std::ofstream(options.folder + "/outputs.bin");
    write_words(options.folder + "/inputs.bin", inputs(), false);
    write_words(options.folder + "/sums.bin", first_sums(), false);
  }
  bool clean = true;
  for (auto seed = first; seed <= last;) {
    const auto end = std::min(last, seed / kGroup * kGroup + kGroup - 1);
    if (options.text) {
      for (; seed <= end; ++seed) fmt::print("{}\n", generate(seed, kept).text);
      continue;
    }
    clean = handle(options, seed, end, kept) && clean;
    seed = end + 1;
  }
  return clean ? 0 : 1;
}

}  // namespace
}  // namespace warpgrade::programs

int main(int argc, char** argv) {
  using namespace warpgrade;
  programs::Options options;
  CLI::App app("Random CUDA C++ programs on the simulator");
  app.add_option("--seeds", options.seeds, "FIRST:LAST")->required();
  app.add_option("--write", options.folder, "folder for files and outputs")
      ->check(CLI::ExistingDirectory);
  app.add_option("--keep", options.kept, "statements to keep")->delimiter(',');
  app.add_option("--order", options.order, "seed of the order of warps and blocks");
  app.add_flag("--text", options.text, "print the kernels only");
  CLI11_PARSE(app, argc, argv);
  try {
    return programs::run(options);
  } catch (const std::exception& error) {
    fmt::print(stderr, "random_programs: {}\n", error.what());
    return 3;
  }
}
