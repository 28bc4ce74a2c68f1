// SPDX-License-Identifier: Apache-2.0
// Finds reads of shared memory that no thread of the block has written since the block began.
//
// Shadow: one word per 4 bytes of shared memory, with the number of the last block that wrote there
// and a bit for each of its bytes, so a new block needs no clearing. An access of a whole warp to
// consecutive words is one vectorised comparison loop. Other accesses are checked lane by lane,
// exactly for every byte.
//
// A load of a whole word with one or three written bytes is not a finding, because it is probably a
// struct with a char, copied with its padding. A word with one written half is a finding, because
// pairs of halves look the same.
//
// A read counts even if its value is not used. Only a repeated launch with other garbage shows
// whether it changes a result (see measure/undefined_values.h).
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "common/check/checker.h"
#include "common/check/undefined_read.h"

namespace warpgrade::check {

class SharedUninitialized final : public Checker<SharedUninitialized> {
 public:
  static constexpr Needs kNeeds = Needs::kSharedMemory;

  /// One per source line with a finding.
  std::vector<UndefinedRead> undefined_reads() const;

 private:
  friend Checker<SharedUninitialized>;
  void begin_launch(const run::LaunchContext& context);
  void begin_block();
  void memory(const run::MemoryEvent& event);

  void access_run(const run::MemoryEvent& event, std::uint64_t first_word, std::uint32_t words);
  bool all_written(const run::MemoryEvent& event) const;
  void access_lanes(const run::MemoryEvent& event);
  void report(const run::MemoryEvent& event, std::uint32_t lane, std::uint64_t offset);
  void merge(const SharedUninitialized& other);

  struct BytesRead {
    std::uint32_t instruction = 0;
    std::vector<bool> bytes;
  };

  std::map<std::uint32_t, BytesRead> undefined_;  // by line_number() of the reported instruction
  std::vector<std::uint32_t> shadow_;             // epoch_ | written bytes, by word
  std::uint32_t epoch_ = 0;  // number of the block within this observer, times 16
};

}  // namespace warpgrade::check
