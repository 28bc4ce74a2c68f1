// SPDX-License-Identifier: Apache-2.0
#include "grader/grade/execute/distinct_diagnostics.h"

#include <algorithm>

namespace warpgrade::grader::grade {
namespace {

constexpr std::size_t kMostDiagnostics = 10;

bool has_same_facts(const base::Diagnostic& a, const base::Diagnostic& b) {
  return a.message == b.message && a.facts == b.facts && a.seen == b.seen;
}

}  // namespace

void add_distinct(std::vector<base::Diagnostic>& all, const std::vector<base::Diagnostic>& found) {
  for (const auto& diagnostic : found) {
    const bool seen = std::any_of(all.begin(), all.end(), [&](const base::Diagnostic& other) {
      if (other.kind != diagnostic.kind || other.where != diagnostic.where) return false;
      return diagnostic.where.line != 0 || has_same_facts(other, diagnostic);
    });
    if (!seen && all.size() < kMostDiagnostics) all.push_back(diagnostic);
  }
}

}  // namespace warpgrade::grader::grade
