// SPDX-License-Identifier: Apache-2.0
// Runs of words in one loop; otherwise lane by lane, with a mask of the bytes in each word.
#include "common/check/shared_uninitialized.h"

#include <algorithm>
#include <bit>
#include <functional>

namespace warpgrade::check {
namespace {

constexpr std::uint32_t kAllBytes = 0xf;
constexpr std::uint32_t kStep = kAllBytes + 1;

}  // namespace

void SharedUninitialized::begin_launch(const run::LaunchContext& /*context*/) {
  undefined_.clear();
  shadow_.assign((view_.shared_bytes() + 3) / 4, 0);
  epoch_ = 0;
}

void SharedUninitialized::begin_block() {
  epoch_ += kStep;
  if (epoch_ == 0) {  // numbers wrap after 2^28 blocks
    std::fill(shadow_.begin(), shadow_.end(), 0);
    epoch_ = kStep;
  }
}

void SharedUninitialized::memory(const run::MemoryEvent& event) {
  if (event.space != run::Space::kShared) return;
  const std::uint64_t begin = event.address[0];
  if (event.stride == event.bytes && event.mask == run::kFullMask &&
      (begin | event.bytes) % 4 == 0) {
    access_run(event, begin / 4, run::kWarpSize * event.bytes / 4);
  } else if (event.stride == 0 && event.mask == run::kFullMask && (begin | event.bytes) % 4 == 0) {
    access_run(event, begin / 4, event.bytes / 4U);
  } else {
    access_lanes(event);
  }
}

// All lanes together touch `words` consecutive words.
void SharedUninitialized::access_run(const run::MemoryEvent& event, std::uint64_t first_word,
                                     std::uint32_t words) {
  if (first_word + words > shadow_.size()) return;  // out of bounds: the simulator reports it
  std::uint32_t* const shadow = shadow_.data() + first_word;
  const std::uint32_t written = epoch_ | kAllBytes;
  if (event.operation != run::Operation::kStore) {
    std::uint32_t different = 0;
    for (std::uint32_t i = 0; i < words; ++i) different |= shadow[i] ^ written;
    if (different != 0) {
      access_lanes(event);
      return;
    }
  }
  if (event.operation != run::Operation::kLoad) std::fill_n(shadow, words, written);
}

// Whether all loaded bytes, in whole words, have been written.
bool SharedUninitialized::all_written(const run::MemoryEvent& event) const {
  const std::uint32_t written = epoch_ | kAllBytes;
  std::uint32_t different = 0;
  for (std::uint32_t left = event.mask; left != 0; left &= left - 1) {
    const std::uint64_t begin = event.address[std::countr_zero(left)];
    if (begin % 4 != 0 || begin + event.bytes > shadow_.size() * 4) return false;
    for (std::uint32_t i = 0; i < event.bytes / 4U; ++i) {
      different |= shadow_[begin / 4 + i] ^ written;
    }
  }
  return different == 0;
}

void SharedUninitialized::access_lanes(const run::MemoryEvent& event) {
  if (event.operation == run::Operation::kLoad && event.bytes % 4 == 0 && all_written(event))
    return;
  const bool reads = event.operation != run::Operation::kStore;
  const bool writes = event.operation != run::Operation::kLoad;
  for (std::uint32_t left = event.mask; left != 0; left &= left - 1) {
    const auto lane = static_cast<std::uint32_t>(std::countr_zero(left));
    const std::uint64_t begin = event.address[lane];
    const std::uint64_t end = begin + event.bytes;
    if (end > shadow_.size() * 4) continue;
    bool reported = false;
    for (std::uint64_t offset = begin; offset < end;) {
      const std::uint64_t next = std::min((offset | 3) + 1, end);  // end of this word or access
      const auto bits =
          static_cast<std::uint32_t>((kAllBytes >> (4 - (next - offset))) << (offset % 4));
      std::uint32_t& word = shadow_[offset / 4];
      const std::uint32_t written = (word & ~kAllBytes) == epoch_ ? word & kAllBytes : 0;
      const bool is_padding = bits == kAllBytes && std::popcount(written) % 2 != 0;
      if (reads && (bits & ~written) != 0 && !is_padding && !reported) {
        report(event, lane,
               offset / 4 * 4 + static_cast<unsigned>(std::countr_zero(bits & ~written)));
        reported = true;
      }
      if (writes) word = epoch_ | written | bits;
      offset = next;
    }
  }
}

// `offset` is the first unwritten byte that lane `lane` reads.
void SharedUninitialized::report(const run::MemoryEvent& event, std::uint32_t lane,
                                 std::uint64_t offset) {
  const auto line = view_.line_number(event.instruction);
  const auto moment = view_.moment(lane);
  auto& undefined = undefined_.try_emplace(line, BytesRead{event.instruction, {}}).first->second;
  // Blocks of a cluster count as one: later launches fill the memory of all blocks alike.
  const auto own_bytes = shadow_.size() * 4 / view_.cluster_blocks();
  undefined.bytes.resize(own_bytes);
  std::fill_n(
      undefined.bytes.begin() + static_cast<std::ptrdiff_t>(event.address[lane] % own_bytes),
      event.bytes, true);
  findings_.add({base::DiagnosticKind::kUninitializedRead, line, line}, moment, 1, [&] {
    const auto begin = event.address[lane];
    return view_.diagnostic(base::DiagnosticKind::kUninitializedRead, event.instruction,
                            moment.block, event.warp, lane,
                            base::UnwrittenRead{view_.shared_place(begin, event.bytes, event.warp),
                                                offset - begin, view_.cluster_blocks() > 1});
  });
}

void SharedUninitialized::merge(const SharedUninitialized& other) {
  Checker::merge(other);
  if (!view_.has_launch()) view_ = other.view_;  // only the forks receive the launch
  for (const auto& [line, theirs] : other.undefined_) {
    auto& mine = undefined_.try_emplace(line, theirs).first->second.bytes;
    std::transform(mine.begin(), mine.end(), theirs.bytes.begin(), mine.begin(),
                   std::logical_or<>());
  }
}

std::vector<UndefinedRead> SharedUninitialized::undefined_reads() const {
  std::vector<UndefinedRead> out;
  for (const auto& [line, read] : undefined_) {
    out.push_back({.where = view_.location(read.instruction), .shared = read.bytes});
  }
  return out;
}

}  // namespace warpgrade::check
