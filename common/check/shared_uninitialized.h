// SPDX-License-Identifier: Apache-2.0
// Finds reads of shared memory that no thread of the block has written since the block began.
//
// Shadow: one word for each 4 bytes of shared memory, which holds the number of the block that
// wrote there last and a bit for each of its bytes, so that a new block needs no clearing. An
// access of a whole warp to consecutive words is one comparison loop that the compiler turns into
// vectors; everything else goes lane by lane, bytes and halves by their bits: exact for every byte.
//
// A load of a whole word of which one byte or three were written is no finding: that is a struct
// with a char in it, copied with its padding. A word with one half written is, for pairs of halves
// look alike.
//
// A read counts even where the value is not used in the end; whether it changes a result is seen
// only when the launch runs again with other garbage (see measure/undefined_values.h).
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "common/check/checker.h"
#include "common/check/undefined_read.h"

namespace warpgrade::check {

class SharedUninitialized final : public Checker<SharedUninitialized> {
 public:
  /// One a source line that has a finding.
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

  std::map<std::uint32_t, BytesRead> undefined_;  // By line_number() of what was reported.
  std::vector<std::uint32_t> shadow_;             // epoch_ | bytes written, one a word.
  std::uint32_t epoch_ = 0;  // Number of the block within this observer, times 16.
};

}  // namespace warpgrade::check
