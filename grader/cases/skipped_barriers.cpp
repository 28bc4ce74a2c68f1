// SPDX-License-Identifier: Apache-2.0
#include "grader/cases/skipped_barriers.h"

#include <fmt/format.h>

#include <algorithm>

namespace warpgrade::grader {
namespace {

constexpr const char* kAdvice =
    "Move it out of the if, or put an if around the work instead of a return before it, so that "
    "every thread reaches it.";

// "line 11", "line 4 of tile.cuh".
std::string line_text(const base::SourceLocation& where, const std::string& own_file) {
  const bool is_own = where.file.empty() || where.file == own_file;
  return fmt::format("line {}{}", where.line, is_own ? std::string() : " of " + where.file);
}

bool lies_between(const base::SourceLocation& barrier, const base::Diagnostic& race) {
  if (race.related.empty()) return false;
  const auto& other = race.related.front().where;
  const auto [first, last] = std::minmax(race.where.line, other.line);
  return barrier.file == race.where.file && barrier.file == other.file && barrier.line >= first &&
         barrier.line <= last;
}

}  // namespace

std::string skipped_barriers_text(const std::vector<run::SkippedBarrier>& all,
                                  const std::string& own_file) {
  const auto& first = all.front();
  auto out = fmt::format(
      "the __syncthreads() in {} is reached by {} of the {} threads of block ({}, {}, {}): {} "
      "ended without it. Since Volta a barrier does not wait for threads that have ended; on "
      "older GPUs the behaviour is undefined. {}",
      line_text(first.where, own_file), first.reached, first.block_size, first.block.x,
      first.block.y, first.block.z, first.threads, kAdvice);
  for (std::size_t i = 1; i < all.size(); ++i) {
    out += fmt::format("{}{}", i == 1 ? " The same is true of " : ", ",
                       line_text(all[i].where, own_file));
  }
  return all.size() > 1 ? out + "." : out;
}

base::Diagnostic skipped_barriers_warning(const std::vector<run::SkippedBarrier>& all,
                                          const std::string& own_file) {
  base::Diagnostic out;
  out.kind = base::DiagnosticKind::kDivergentBarrier;
  out.severity = base::Severity::kWarning;
  out.where = all.front().where;
  out.block = all.front().block;
  out.message = skipped_barriers_text(all, own_file);
  return out;
}

void explain_races(std::vector<base::Diagnostic>& diagnostics,
                   const std::vector<run::SkippedBarrier>& skipped) {
  for (auto& one : diagnostics) {
    if (one.kind != base::DiagnosticKind::kRace || one.advice_at == 0) continue;
    const auto barrier = std::find_if(skipped.begin(), skipped.end(), [&](const auto& each) {
      return lies_between(each.where, one);
    });
    if (barrier == skipped.end()) continue;
    one.message.resize(one.advice_at);
    one.message += fmt::format(
        "The __syncthreads() in line {} is between them, but only {} of the {} threads reach it: "
        "{} "
        "ended without it. {}",
        barrier->where.line, barrier->reached, barrier->block_size, barrier->threads, kAdvice);
  }
}

}  // namespace warpgrade::grader
