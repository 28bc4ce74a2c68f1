// SPDX-License-Identifier: Apache-2.0
// Random CUDA C++ programs: a seed makes a kernel, its launch and, with others, a file.
//
// A program is well defined: no overflow of signed integers, no access out of bounds, no race, no
// endless loop, every lane that a warp function reads from takes part in it. So every right
// implementation must give the same bits, up to how products and sums are contracted, which is
// decided before and within the PTX.
//
// kernel(out, own, sums, in): `out` gets kOutWords words a thread; `own` is a scratch structure of
// kOwnBytes for each thread; `sums` has kSums words that all threads update by atomics whose order
// does not matter; `in` holds inputs().
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "common/base/dim3.h"

namespace warpgrade::programs {

constexpr std::uint32_t kOutWords = 3;
constexpr std::uint32_t kOwnBytes = 96;
constexpr std::uint32_t kSums = 24;
constexpr std::uint32_t kInputWords = 4096;
/// Programs of consecutive seeds that are compiled as one file: seeds with the same quotient.
constexpr std::uint64_t kGroup = 16;

/// The text that every file of programs begins with.
extern const char* const kPrelude;

struct RandomProgram {
  std::string kernel;  ///< extern "C" name.
  base::Dim3 grid;
  base::Dim3 block;
  std::string text;                 ///< The kernel and its functions, to stand after kPrelude.
  std::set<std::size_t> ptx;        ///< Indices of the PTX operations that it uses.
  std::uint32_t statements = 0;     ///< How many the kernel has at its top level.
  std::uint32_t architecture = 90;  ///< Compute capability to compile for.
};

/// The program of `seed`. With `kept` not empty, only these of its top-level statements: what is
/// left is a program still, for finding the statement that makes a difference.
RandomProgram generate(std::uint64_t seed, const std::set<std::uint32_t>& kept = {});

/// One file with all `programs`, which are for the same architecture.
std::string file_of(const std::vector<RandomProgram>& programs);

/// The words that `in` holds: edge values of all widths and random bits.
std::vector<std::uint32_t> inputs();
/// The words that `sums` holds before the launch.
std::vector<std::uint32_t> first_sums();

}  // namespace warpgrade::programs
