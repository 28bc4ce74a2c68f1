// SPDX-License-Identifier: Apache-2.0
// Runs a few lines of PTX on the simulator: a kernel `k(out, in)` with %rd1 = out + 8 * thread and
// %rd2 = in + 8 * thread, 64-bit words in and out, so that a test is its body and its values.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "common/run/runner.h"

namespace warpgrade::sim {

struct PtxRun {
  run::Result result;
  std::vector<std::uint64_t> out;
};

struct PtxLaunch {
  std::string body;
  std::string before;           ///< Module-level declarations.
  std::string attributes = {};  ///< Of the kernel.
  std::uint32_t threads = 32;
  std::uint32_t blocks = 1;
  std::uint32_t dynamic_shared_bytes = 0;
  std::vector<std::uint64_t> in = {};  ///< One word a thread; zeros where there are fewer.
  run::Options options = {};
};

/// `out` is zero before the launch and has a word for each thread.
PtxRun run_ptx(const PtxLaunch& launch);

/// The low 32 bits of each of `values`.
std::vector<std::uint32_t> low_words(const std::vector<std::uint64_t>& values);

}  // namespace warpgrade::sim
