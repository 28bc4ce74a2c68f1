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
  std::string target = "sm_90";
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

/// A kernel whose result is right only if `barrier` orders its accesses to shared memory.
/// Thread t writes word t, executes `barrier`, and reads the word of the thread `threads` / 2
/// further on.
inline PtxLaunch exchange(const std::string& barrier, std::uint32_t threads = 128) {
  PtxLaunch launch;
  launch.before = ".shared .align 4 .b8 words[1024];";
  launch.threads = threads;
  launch.body =
      "mov.u32 %r1, words; mad.lo.u32 %r2, %r29, 4, %r1; mad.lo.u32 %r3, %r29, 3, 5;"
      "st.shared.u32 [%r2], %r3;" +
      barrier + "shr.u32 %r4, " + std::to_string(threads) +
      ", 1; add.u32 %r4, %r4, %r29; rem.u32 %r4, %r4, " + std::to_string(threads) +
      "; mad.lo.u32 %r4, %r4, 4, %r1; ld.shared.u32 %r5, [%r4]; cvt.u64.u32 %rd5, %r5;"
      "st.global.u64 [%rd1], %rd5;";
  return launch;
}

}  // namespace warpgrade::sim
