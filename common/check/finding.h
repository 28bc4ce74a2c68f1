// SPDX-License-Identifier: Apache-2.0
// Merges findings by key and orders them by moment.
//
// A wrong kernel is wrong a million times. The first occurrence becomes the diagnostic, and later
// ones only count. merge() keeps the earlier of two, so host threads do not change the result.
#pragma once

#include <cstdint>
#include <vector>

#include "common/base/diagnostic.h"

namespace warpgrade::check {

// The uninitialised memory that one source line read.

struct UndefinedRead {
  base::SourceLocation where;
  std::vector<bool> shared{};                ///< One bit per byte of a block's shared memory.
  std::vector<std::vector<bool>> buffers{};  ///< One bit per byte, by buffer; empty if not read.
};

/// The time of an event, comparable between all checkers that receive the same events.
struct Moment {
  std::uint64_t block = 0;  ///< Linear index.
  std::uint64_t event = 0;  ///< Number of the event within the block.
  std::uint32_t part = 0;   ///< Lane, if one event has several findings.

  friend auto operator<=>(const Moment&, const Moment&) = default;
};

/// One kind of finding at a pair of places; `first` and `second` are line numbers of LineTable,
/// equal if there is only one place.
struct FindingKey {
  base::DiagnosticKind kind{};
  std::uint32_t first = 0;
  std::uint32_t second = 0;
  base::Severity severity = base::Severity::kError;
  bool in_one_warp = false;  ///< A race between threads of one warp.
  bool is_latent = false;    ///< A harmless race as an error; see Findings::add_race().

  friend bool operator==(const FindingKey&, const FindingKey&) = default;
};

struct Finding {
  FindingKey key;
  Moment moment;            ///< The first occurrence.
  std::uint64_t count = 0;  ///< Occurrences, counted per access of a single thread.
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

  /// Adds a race. make(is_harmless) returns its diagnostic. A harmless race is a warning, unless
  /// another race at the same lines is an error; settle_races() decides this.
  template <class Make>
  void add_race(FindingKey key, const Moment& moment, bool is_harmless, const Make& make) {
    if (is_harmless) {
      key.severity = base::Severity::kWarning;
      add(key, moment, 1, [&] { return make(true); });
    }
    key.severity = base::Severity::kError;
    key.is_latent = is_harmless;
    add(key, moment, 1, [&] { return make(false); });
  }
  void settle_races();

  /// Adds the findings of `other`.
  void merge(const Findings& other);
  /// Counts races within a warp as races between warps if both occurred at the same lines, because
  /// a warp barrier would not be enough.
  void fold_races_within_warps();
  void clear() { findings_.clear(); }
  const std::vector<Finding>& all() const { return findings_; }

 private:
  Finding* find(const FindingKey& key);

  std::vector<Finding> findings_;
};

/// Diagnostics of `findings`, lowest block first, races first within a block. At most `limit` are
/// undefined reads, all of which may be waived, and at most `limit` are others, so the former
/// cannot hide the latter. The end of a message reports counts above one and the number of omitted
/// findings.
std::vector<base::Diagnostic> to_diagnostics(std::vector<Finding> findings, std::size_t limit);

}  // namespace warpgrade::check
