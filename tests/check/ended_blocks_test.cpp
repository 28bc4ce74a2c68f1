// SPDX-License-Identifier: Apache-2.0
// Accesses to the shared memory of another block of the cluster that has ended, or that may end
// before the access. On an H100 such a load fails with cudaErrorLaunchFailure.
#include "tests/check/cluster_findings.h"

namespace warpgrade::check::ended_blocks_test {

using base::DiagnosticKind;
using testing::AllOf;
using testing::HasSubstr;

TEST(EndedBlocks, AnAccessNeedsABarrierBehindIt) {
  // In this run block 1 happens to read before block 0 ends.
  expect_finding(
      "__shared__ int v[32]; v[t] = t; cluster.sync();"
      "if (rank == 1) out[t] = cluster.map_shared_rank(v, 0)[t];",
      DiagnosticKind::kRace,
      AllOf(HasSubstr(
                "reads bytes 0 to 3 of v of the block of rank 0, and that block may have ended"),
            HasSubstr("reach a cluster.sync()")));
  expect_none(
      "__shared__ int v[32]; v[t] = t; cluster.sync();"
      "if (rank == 1) out[t] = cluster.map_shared_rank(v, 0)[t]; cluster.sync();");
}

TEST(EndedBlocks, AnyOrderByWhichTheBlockKnowsOfTheAccessIsEnough) {
  // The reader sets a flag when it has finished, and the other block waits for the flag.
  expect_none(
      "__shared__ int v[32], done; v[t] = t; if (t == 0) done = 0; cluster.sync();"
      "if (rank == 1) { out[t] = cluster.map_shared_rank(v, 0)[t]; __syncwarp();"
      "if (t == 0) { __threadfence(); atomicExch(cluster.map_shared_rank(&done, 0), 1); }"
      "} else { if (t == 0) { while (atomicAdd(&done, 0) == 0) {} __threadfence(); } }");
}

TEST(EndedBlocks, MayBeEndedForOthers) {
  expect_none(
      "__shared__ int v[32]; v[t] = t; cluster.sync(); if (rank == 1) return;"
      "out[t] = v[31 - t];");
}

}  // namespace warpgrade::check::ended_blocks_test
