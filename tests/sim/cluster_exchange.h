// SPDX-License-Identifier: Apache-2.0
// A kernel whose result is right only if a barrier orders its accesses to shared memory.
#pragma once

#include <cstdint>
#include <string>

#include "tests/sim/ptx_kernel.h"

namespace warpgrade::sim {

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
