// SPDX-License-Identifier: Apache-2.0
#include "common/check/harmless_race.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>

#include "common/check/launch_view.h"
#include "common/run/observer.h"

namespace warpgrade::check {
namespace {

constexpr std::int32_t kAllChanged = 0x0f;
constexpr std::int32_t kAllKnown = 0xf0;
constexpr std::int32_t kLastInterval = 0x7fffff00;

std::int32_t byte_bits(std::uint64_t offset, std::uint32_t bytes) {
  return static_cast<std::int32_t>((0xfU >> (4 - bytes)) << (offset % 4));
}

}  // namespace

void StoredValues::begin_launch(std::uint32_t words) {
  interval_ = kStep;
  block_ = kStep;
  words_.assign(words, 0);
  values_.assign(std::size_t{words} * 4, std::byte{});
}

void StoredValues::begin_block() {
  begin_interval();
  block_ = interval_;
}

void StoredValues::begin_interval() {
  if (interval_ == kLastInterval) restart();
  interval_ += kStep;
}

// Numbers the intervals from the start again; known bytes stay known.
void StoredValues::restart() {
  for (auto& word : words_) word = word >= block_ ? kStep | (word & kAllKnown) : 0;
  block_ = kStep;
  interval_ = kStep;
}

std::int32_t StoredValues::known(std::int32_t word) const {
  return word >= block_ ? word & kAllKnown : 0;
}

std::int32_t StoredValues::changed(std::int32_t word) const {
  return word >= interval_ ? word & kAllChanged : 0;
}

void StoredValues::store(std::uint64_t offset, std::uint32_t bytes, const std::byte* data,
                         bool is_bulk) {
  auto& word = words_[offset / 4];
  const auto bits = byte_bits(offset, bytes);
  if (data == nullptr) {
    word = interval_ | (known(word) & ~(bits << 4)) | changed(word) | bits;
    return;
  }
  const bool is_kept = !is_bulk && (~known(word) & bits << 4) == 0 && value_is(offset, bytes, data);
  word = interval_ | known(word) | bits << 4 | changed(word) | (is_kept ? 0 : bits);
}

void StoredValues::keep(std::uint64_t offset, std::uint32_t bytes, const std::byte* data) {
  std::memcpy(&values_[offset], data, bytes);
}

// Branch-free, on copies that share no memory, so that compilers vectorise it. A call stores at
// least the words of one whole warp.
void StoredValues::store_words(std::uint64_t begin, std::uint32_t count, const std::byte* data,
                               bool is_bulk) {
  constexpr std::uint32_t kWords = 32;
  const std::int32_t first = is_bulk ? std::numeric_limits<std::int32_t>::max() : block_;
  const std::int32_t interval = interval_;
  std::array<std::int32_t, kWords> before;
  std::array<std::int32_t, kWords> now;
  std::array<std::int32_t, kWords> state;
  for (std::uint32_t done = 0; done < count; done += kWords) {
    std::int32_t* const words = &words_[begin + done];
    std::byte* const values = &values_[(begin + done) * 4];
    std::memcpy(before.data(), values, sizeof before);
    std::memcpy(now.data(), data + std::size_t{done} * 4, sizeof now);
    std::memcpy(state.data(), words, sizeof state);
    for (std::uint32_t i = 0; i < kWords; ++i) {
      const std::int32_t was = state[i];
      const bool is_same = before[i] == now[i];
      const bool is_known = (was >= first) & ((was & kAllKnown) == kAllKnown);
      state[i] = interval | ((is_known & is_same) ? kAllKnown : kAllKnown | kAllChanged);
    }
    std::memcpy(words, state.data(), sizeof state);
    std::memcpy(values, now.data(), sizeof now);
  }
}

bool StoredValues::value_is(std::uint64_t offset, std::uint32_t bytes,
                            const std::byte* data) const {
  return std::memcmp(&values_[offset], data, bytes) == 0;
}

bool StoredValues::is_unchanged(std::uint64_t offset, std::uint32_t bytes) const {
  const auto word = words_[offset / 4];
  const auto bits = byte_bits(offset, bytes);
  return (~known(word) & bits << 4) == 0 && (changed(word) & bits) == 0;
}

Harmless harmless_race(const LaunchView& view, const RacingAccess& before, const RacingAccess& now,
                       bool same_warp) {
  const bool loads_now = now.operation == run::Operation::kLoad;
  const auto& load = loads_now ? now : before;
  const auto& other = loads_now ? before : now;
  if (load.operation != run::Operation::kLoad) return Harmless::kNo;
  if (other.operation == run::Operation::kStore) {
    return other.keeps_value ? Harmless::kUnchangedStore : Harmless::kNo;
  }
  const bool comes_first = load.instruction < other.instruction || view.is_test(load.instruction);
  if (!is_atomic(other.operation) || (same_warp && !comes_first)) return Harmless::kNo;
  return view.is_stored(load.instruction, other.instruction) ? Harmless::kNo : Harmless::kStaleLoad;
}

base::BarrierAdvice race_advice(const LaunchView& view, const BlockRace& race) {
  base::BarrierAdvice out;
  // In a block of one warp every race is within the warp, and __syncthreads() is still right.
  out.one_warp = race.same_warp && view.warps_per_block() == view.cluster_blocks();
  out.for_warp = race.same_warp && !out.one_warp;
  out.for_cluster = race.across_blocks;
  out.both_write = race.both_write;
  out.one_line = view.line_number(race.before) == view.line_number(race.now);
  out.is_repeated = view.is_repeated(race.now);
  out.between = view.between(race.before, race.now);
  return out;
}

}  // namespace warpgrade::check
