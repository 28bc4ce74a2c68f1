// SPDX-License-Identifier: Apache-2.0
// Runs a few lines of PTX on the simulator. The kernel is `k(out, in)` with %rd1 = out + 8 * thread
// and %rd2 = in + 8 * thread. It reads and writes 64-bit words, so a test consists of a body and
// values.
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
  std::string attributes = {};  ///< Directives of the kernel.
  std::uint32_t threads = 32;
  std::uint32_t blocks = 1;
  std::uint32_t dynamic_shared_bytes = 0;
  std::vector<std::uint64_t> in = {};  ///< One word per thread; zeros replace missing ones.
  run::Options options = {};
};

/// Runs the launch. `out` has one word per thread and is zero before the launch.
PtxRun run_ptx(const PtxLaunch& launch);

/// The low 32 bits of each of `values`.
std::vector<std::uint32_t> low_words(const std::vector<std::uint64_t>& values);

/// 0, 1, 2 and so on.
std::vector<std::uint64_t> iota(std::size_t count);
/// Runs one block of `threads` threads. Thread i's word of `in` is i.
PtxRun run_body(const std::string& body, std::uint32_t threads = 32);

/// Expects one diagnostic of `kind` whose message contains `words`.
void expect_fault(base::DiagnosticKind kind, const std::string& words, const PtxRun& run);
/// Expects no diagnostic.
void expect_clean(const PtxRun& run);
/// Warp instructions that the launch has executed.
std::uint64_t executed(const PtxRun& run);

}  // namespace warpgrade::sim
