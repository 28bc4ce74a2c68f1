// SPDX-License-Identifier: Apache-2.0
// Kernels whose threads are ordered by the barrier of their cluster, or are not: what the checks
// find in them.
#include <gtest/gtest.h>

#include "common/check/checks.h"
#include "tests/sim/ptx_kernel.h"

namespace warpgrade::check {
namespace cluster_order_test {

using base::DiagnosticKind;
using sim::PtxLaunch;

// Thread t writes word t, passes what `barrier` is, and reads the word of the thread `threads` / 2
// places on.
PtxLaunch exchange(const std::string& barrier, std::uint32_t threads = 128) {
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

std::vector<base::Diagnostic> findings(PtxLaunch launch) {
  Checks checks;
  launch.options.observers = {&checks};
  const auto run = sim::run_ptx(launch);
  sim::expect_clean(run);
  return checks.diagnostics();
}

TEST(ClusterOrder, OrdersWhatWasBeforeTheArrival) {
  EXPECT_TRUE(findings(exchange("barrier.cluster.arrive; barrier.cluster.wait;")).empty());
  // Half of the warps work between arrival and wait, so that not all wait when the phase ends.
  EXPECT_TRUE(findings(exchange("barrier.cluster.arrive; setp.lt.u32 %p1, %r29, 64;"
                                "@%p1 bar.warp.sync -1; barrier.cluster.wait;"))
                  .empty());
}

TEST(ClusterOrder, DoesNotOrderWhatComesBetweenArrivalAndWait) {
  auto launch = exchange("barrier.cluster.arrive;");
  launch.body += "barrier.cluster.wait;";
  const auto found = findings(launch);
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(DiagnosticKind::kRace, found[0].kind);
}

TEST(ClusterOrder, ThatIsRelaxedOrdersNothing) {
  const auto found = findings(exchange("barrier.cluster.arrive.relaxed; barrier.cluster.wait;"));
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(DiagnosticKind::kRace, found[0].kind);
}

}  // namespace cluster_order_test
}  // namespace warpgrade::check
