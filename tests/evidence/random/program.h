// SPDX-License-Identifier: Apache-2.0
// Random CUDA C++ programs: a seed gives a kernel and its launch. Several programs form a file.
//
// Programs are well defined: no signed overflow, no out-of-bounds access, no race, no endless
// loop, and each lane that a warp function reads takes part in it. So every correct implementation
// gives the same bits, except for the contraction of products and sums. NVRTC and ptxas decide on
// that.
//
// kernel(out, own, sums, in): `out` has kOutWords words per thread. `own` is a scratch structure of
// kOwnBytes per thread. `sums` has kSums words that all threads update with atomics whose order
// does not matter. `in` contains inputs().
#pragma once

#include <cstdint>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "common/base/diagnostic.h"
#include "common/base/place.h"
#include "common/compile/program.h"

namespace warpgrade::programs {

constexpr std::uint32_t kOutWords = 3;
constexpr std::uint32_t kOwnBytes = 96;
constexpr std::uint32_t kSums = 24;
constexpr std::uint32_t kInputWords = 4096;
/// Number of consecutive seeds whose programs share a file: those with the same seed / kGroup.
constexpr std::uint64_t kGroup = 16;

/// The text at the start of every file of programs.
extern const char* const kPrelude;

struct RandomProgram {
  std::string kernel;  ///< extern "C" name.
  base::Dim3 grid;
  base::Dim3 block;
  std::string text;                 ///< The kernel and its functions; follows kPrelude.
  std::set<std::size_t> ptx;        ///< Indices of the PTX operations that it uses.
  std::uint32_t statements = 0;     ///< Number of top-level statements.
  std::uint32_t architecture = 90;  ///< Compute capability to compile for.
};

/// The program of `seed`. If `kept` is not empty, only these top-level statements remain. The
/// result is still a program, which helps to find the statement that makes a difference.
RandomProgram generate(std::uint64_t seed, const std::set<std::uint32_t>& kept = {});

/// One file with all `programs`, which must have the same architecture.
std::string file_of(const std::vector<RandomProgram>& programs);

/// The content of `in`: edge values of all widths and random bits.
std::vector<std::uint32_t> inputs();
/// The content of `sums` before the launch.
std::vector<std::uint32_t> first_sums();

// Compiles a group of random programs and runs them on the simulator, with every check and counter
// on.

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
