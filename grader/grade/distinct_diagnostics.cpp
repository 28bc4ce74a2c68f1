// SPDX-License-Identifier: Apache-2.0
#include "grader/grade/distinct_diagnostics.h"

#include <algorithm>

namespace warpgrade::grader {
namespace {

constexpr std::size_t kMostDiagnostics = 10;

}  // namespace

void add_distinct(std::vector<base::Diagnostic>& all, const std::vector<base::Diagnostic>& found) {
  for (const auto& diagnostic : found) {
    const bool seen = std::any_of(all.begin(), all.end(), [&](const base::Diagnostic& other) {
      return other.kind == diagnostic.kind && other.where == diagnostic.where &&
             (other.message == diagnostic.message || diagnostic.where.line != 0);
    });
    if (!seen && all.size() < kMostDiagnostics) all.push_back(diagnostic);
  }
}

}  // namespace warpgrade::grader
