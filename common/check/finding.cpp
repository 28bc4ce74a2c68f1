// SPDX-License-Identifier: Apache-2.0
#include "common/check/finding.h"

#include <algorithm>
#include <tuple>
#include <vector>

#include "common/base/diagnostic.h"

namespace warpgrade::check {

// Linear search, because a program has few faulty places.
Finding* Findings::find(const FindingKey& key) {
  const auto found = std::find_if(findings_.begin(), findings_.end(),
                                  [&](const Finding& finding) { return finding.key == key; });
  return found == findings_.end() ? nullptr : &*found;
}

void Findings::merge(const Findings& other) {
  for (const Finding& finding : other.findings_) {
    add(finding.key, finding.moment, finding.count, [&] { return finding.diagnostic; });
  }
}

void Findings::settle_races() {
  const auto same_lines = [](const FindingKey& a, const FindingKey& b) {
    return a.kind == b.kind && a.first == b.first && a.second == b.second;
  };
  std::vector<Finding> latent;
  std::erase_if(findings_, [&](const Finding& finding) {
    if (finding.key.is_latent) latent.push_back(finding);
    return finding.key.is_latent;
  });
  for (auto& finding : latent) {
    const bool is_error =
        std::any_of(findings_.begin(), findings_.end(), [&](const Finding& other) {
          return other.key.severity == base::Severity::kError && same_lines(other.key, finding.key);
        });
    if (!is_error) continue;
    finding.key.is_latent = false;
    add(finding.key, finding.moment, finding.count, [&] { return finding.diagnostic; });
    std::erase_if(findings_, [&](const Finding& other) {
      return other.key.severity == base::Severity::kWarning && same_lines(other.key, finding.key);
    });
  }
}

void Findings::fold_races_within_warps() {
  std::vector<FindingKey> folded;
  for (const auto& finding : findings_) {
    if (!finding.key.in_one_warp) continue;
    auto wider = finding.key;
    wider.in_one_warp = false;
    auto* other = find(wider);
    if (other == nullptr) continue;
    other->count += finding.count;
    folded.push_back(finding.key);
  }
  std::erase_if(findings_, [&](const Finding& finding) {
    return std::find(folded.begin(), folded.end(), finding.key) != folded.end();
  });
}

std::vector<base::Diagnostic> to_diagnostics(std::vector<Finding> findings, std::size_t limit) {
  // Races precede the block's other findings: a read that came too early may also find
  // uninitialised memory, and the race is the cause.
  const auto rank = [](const Finding& finding) {
    const bool is_race = finding.key.kind == base::DiagnosticKind::kRace;
    return std::tuple(finding.moment.block, is_race ? 0 : 1, finding.moment);
  };
  std::stable_sort(findings.begin(), findings.end(),
                   [&](const Finding& a, const Finding& b) { return rank(a) < rank(b); });
  struct Told {
    std::size_t count = 0;
    std::size_t last = 0;  // position of the last one
    std::size_t left_out = 0;
  };
  Told reads;
  Told others;
  Told warnings;
  std::vector<base::Diagnostic> diagnostics;
  for (auto& finding : findings) {
    const bool is_warning = finding.key.severity == base::Severity::kWarning;
    auto& told = is_warning                                                     ? warnings
                 : finding.key.kind == base::DiagnosticKind::kUninitializedRead ? reads
                                                                                : others;
    if (told.count == limit) {
      ++told.left_out;
      continue;
    }
    ++told.count;
    told.last = diagnostics.size();
    finding.diagnostic.seen.occurrences = finding.count;
    diagnostics.push_back(std::move(finding.diagnostic));
  }
  for (const auto& told : {reads, others, warnings}) {
    if (told.left_out == 0 || limit == 0) continue;
    diagnostics[told.last].seen.left_out = told.left_out;
  }
  return diagnostics;
}

}  // namespace warpgrade::check
