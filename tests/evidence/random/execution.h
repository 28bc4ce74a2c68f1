// SPDX-License-Identifier: Apache-2.0
// Compiles a group of random programs and runs them on the simulator, with every check and counter
// on.
#pragma once

#include <cstdint>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "common/base/diagnostic.h"
#include "common/compile/program.h"
#include "tests/evidence/random/program.h"

namespace warpgrade::programs {

struct Group {
  std::vector<std::uint64_t> seeds;
  std::vector<RandomProgram> programs;
  compile::Program compiled;
};

/// The compiler's messages.
struct NotCompiled : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Compiles the programs of `first` to `last`, all of one group, as one file. Throws NotCompiled.
Group compile_group(std::uint64_t first, std::uint64_t last,
                    const std::set<std::uint32_t>& kept = {});

struct Run {
  std::vector<std::uint32_t> words;  ///< `out`, then `sums`.
  std::vector<base::Diagnostic> findings;
};

/// Runs program `which` of the group, with warps and blocks in the order of the seed `order`.
Run run_program(const Group& group, std::size_t which, std::uint64_t order);

/// Number of words that the program writes to `out`.
std::size_t out_words(const RandomProgram& program);

}  // namespace warpgrade::programs
