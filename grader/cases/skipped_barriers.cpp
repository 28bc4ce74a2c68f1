// SPDX-License-Identifier: Apache-2.0
#include "grader/cases/skipped_barriers.h"

#include <algorithm>

namespace warpgrade::grader::cases {
namespace {

bool lies_between(const base::SourceLocation& barrier, const base::Diagnostic& race) {
  if (race.related.empty()) return false;
  const auto& other = race.related.front().where;
  const auto [first, last] = std::minmax(race.where.line, other.line);
  return barrier.file == race.where.file && barrier.file == other.file && barrier.line >= first &&
         barrier.line <= last;
}

}  // namespace

base::Diagnostic skipped_barriers_warning(const std::vector<base::SkippedBarrier>& all,
                                          const std::string& own_file) {
  base::Diagnostic out;
  out.kind = base::DiagnosticKind::kDivergentBarrier;
  out.severity = base::Severity::kWarning;
  out.where = all.front().where;
  out.block = all.front().block;
  out.facts = base::SkippedBarriers{all, own_file};
  return out;
}

void explain_races(std::vector<base::Diagnostic>& diagnostics,
                   const std::vector<base::SkippedBarrier>& skipped) {
  for (auto& one : diagnostics) {
    auto* race = std::get_if<base::Race>(&one.facts);
    if (race == nullptr) continue;
    const auto barrier = std::find_if(skipped.begin(), skipped.end(), [&](const auto& each) {
      return lies_between(each.where, one);
    });
    if (barrier != skipped.end()) race->advice = *barrier;
  }
}

}  // namespace warpgrade::grader::cases
