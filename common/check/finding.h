// SPDX-License-Identifier: Apache-2.0
// Collects what a checker finds: one diagnostic for each kind and pair of source lines, with a
// count.
//
// A wrong kernel is wrong a million times. The first occurrence (lowest block, then the order of
// that block's events) makes the diagnostic; later ones only count. Which one is the first does not
// depend on how blocks were spread over observers, because merge() keeps the earlier of two.
#pragma once

#include <cstdint>
#include <tuple>
#include <vector>

#include "common/base/diagnostic.h"

namespace warpgrade::check {

/// When something happened: comparable over all checkers that are told of the same events.
struct Moment {
  std::uint64_t block = 0;  ///< Linear index.
  std::uint64_t event = 0;  ///< Number of the event within the block.
  std::uint32_t part = 0;   ///< Lane, where one event has several findings.

  friend auto operator<=>(const Moment&, const Moment&) = default;
};

/// One kind of finding at one pair of places; `first` and `second` are line numbers of
/// LineTable, equal where only one place is involved.
struct FindingKey {
  base::DiagnosticKind kind{};
  std::uint32_t first = 0;
  std::uint32_t second = 0;
  base::Severity severity = base::Severity::kError;
  bool in_one_warp = false;  ///< A race between threads of one warp.

  friend bool operator==(const FindingKey&, const FindingKey&) = default;
};

struct Finding {
  FindingKey key;
  Moment moment;            ///< The moment of the first occurrence.
  std::uint64_t count = 0;  ///< Occurrences: accesses of single threads.
  base::Diagnostic diagnostic;
};

class Findings {
 public:
  /// Counts `count` occurrences; make() -> base::Diagnostic is called only for the first one.
  template <class Make>
  void add(const FindingKey& key, const Moment& moment, std::uint64_t count, const Make& make) {
    auto* known = find(key);
    if (known == nullptr) {
      findings_.push_back({key, moment, count, make()});
      return;
    }
    known->count += count;
    if (moment < known->moment) {
      known->moment = moment;
      known->diagnostic = make();
    }
  }

  /// Takes over what `other` found.
  void merge(const Findings& other);
  /// Counts races within warps as races between warps if both occurred at the same lines: a barrier
  /// of the warp would not be enough.
  void fold_races_within_warps();
  void clear() { findings_.clear(); }
  const std::vector<Finding>& all() const { return findings_; }

 private:
  Finding* find(const FindingKey& key);

  std::vector<Finding> findings_;
};

/// Diagnostics of `findings`, earliest block first, races first within a block. At most `limit` are
/// reads of what nothing has written, all of which may be waived, and as many others, so that none
/// hides behind those; a count above one and what is left out are told at the end of a message.
std::vector<base::Diagnostic> to_diagnostics(std::vector<Finding> findings, std::size_t limit);

}  // namespace warpgrade::check
