// SPDX-License-Identifier: Apache-2.0
// Findings of the checks for a kernel in a launch with clusters.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/base/finding_text.h"
#include "common/check/checks.h"
#include "tests/sim/cluster_kernel.h"

namespace warpgrade::check {

using sim::ClusterLaunch;

// Returns the findings of the first seed (0 to 2) that has any. Expects that no seed faults.
inline std::vector<base::Diagnostic> cluster_findings(const std::string& body,
                                                      ClusterLaunch asked = {}) {
  std::vector<base::Diagnostic> found;
  for (asked.options.seed = 0; asked.options.seed < 3 && found.empty(); ++asked.options.seed) {
    Checks checks(/*global_races=*/true);
    asked.options.observers = {&checks};
    const auto run = sim::run_clusters(body, asked);
    EXPECT_TRUE(run.result.diagnostics.empty()) << base::text(run.result.diagnostics[0]);
    found = checks.diagnostics();
  }
  return found;
}

template <typename Matcher>
void expect_finding(const std::string& body, base::DiagnosticKind kind, const Matcher& words) {
  const auto found = cluster_findings(body);
  ASSERT_FALSE(found.empty()) << body;
  EXPECT_EQ(kind, found[0].kind) << base::text(found[0]);
  EXPECT_THAT(base::text(found[0]), words);
}

inline void expect_none(const std::string& body) {
  const auto found = cluster_findings(body);
  EXPECT_TRUE(found.empty()) << base::text(found[0]);
}

}  // namespace warpgrade::check
