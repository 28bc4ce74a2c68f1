// SPDX-License-Identifier: Apache-2.0
// Findings of the checks in kernels with the barrier of a cluster.
#include <gtest/gtest.h>

#include "common/check/checks.h"
#include "tests/sim/cluster_exchange.h"
#include "tests/sim/ptx_kernel.h"

namespace warpgrade::check::cluster_order_test {

using base::DiagnosticKind;
using sim::exchange;
using sim::PtxLaunch;

std::vector<base::Diagnostic> findings(PtxLaunch launch) {
  Checks checks;
  launch.options.observers = {&checks};
  const auto run = sim::run_ptx(launch);
  sim::expect_clean(run);
  return checks.diagnostics();
}

TEST(ClusterOrder, OrdersWhatWasBeforeTheArrival) {
  EXPECT_TRUE(findings(exchange("barrier.cluster.arrive; barrier.cluster.wait;")).empty());
  // Half of the warps work between arrival and wait, so not all of them wait when the phase ends.
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

}  // namespace warpgrade::check::cluster_order_test
