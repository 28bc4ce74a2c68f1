// SPDX-License-Identifier: Apache-2.0
#include "common/sim/memory/sparse_buffer.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <span>
#include <thread>
#include <utility>

namespace warpgrade::sim {

// Zeroed host memory represents entries of untouched pieces.
static_assert(sizeof(std::atomic<std::uint32_t>) == sizeof(std::uint32_t));

namespace {

constexpr std::uint64_t kWordBits = 64;

std::uint64_t next_number() {
  static std::atomic<std::uint64_t> last{0};
  return ++last;
}

}  // namespace

SparseBuffer::SparseBuffer(run::Pattern pattern)
    : pattern_(std::move(pattern)),
      number_(next_number()),
      pieces_(groups_of(pattern_) * kGroup * kPiece, FirstBytes::kAny, pattern_.name),
      groups_(groups_of(pattern_) * sizeof(Entry), FirstBytes::kZeros, pattern_.name),
      entries_(groups_of(pattern_) * kGroup * sizeof(Entry), FirstBytes::kZeros, pattern_.name),
      used_(std::make_unique<Used>()) {
  if (!pattern_.read_only) return;
  used_->read = std::vector<std::atomic<std::uint64_t>>(pattern_.bytes / kPiece / kWordBits + 1);
}

// Zeroes the used part of the zeroed tables, which is less than the system would clear.
SparseBuffer::~SparseBuffer() {
  if (used_ == nullptr) return;
  const std::size_t slots = used_->slots.load();
  pieces_.set_touched(slots * kPiece);
  const auto clear = [](KeptMemory& table, std::size_t bytes) {
    if (bytes > kMostCleared) return;
    std::memset(table.get(), 0, bytes);
    table.set_touched(bytes);
  };
  clear(groups_, groups_of(pattern_) * sizeof(Entry));
  clear(entries_, used_->groups.load() * kGroup * sizeof(Entry));
}

std::uint64_t SparseBuffer::groups_of(const run::Pattern& pattern) {
  return pattern.bytes / kPiece / kGroup + 1;
}

std::uint64_t SparseBuffer::bytes_at(std::uint64_t begin) const {
  return std::min(kPiece, pattern_.bytes - begin);
}

void SparseBuffer::fill(std::uint64_t begin, std::uint64_t bytes, std::byte* to) const {
  while (bytes != 0) {
    const auto first = begin % pattern_.period;
    const auto count = std::min(bytes, pattern_.period - first);
    pattern_.make(first, std::span(to, count));
    begin += count;
    to += count;
    bytes -= count;
  }
}

template <typename Make>
std::uint32_t SparseBuffer::enter(Entry& entry, Make make) {
  std::uint32_t found = kUntouched;
  if (entry.compare_exchange_strong(found, kBeingMade, std::memory_order_acquire)) {
    const std::uint32_t slot = make() + kFirstSlot;
    entry.store(slot, std::memory_order_release);
    return slot;
  }
  while ((found = entry.load(std::memory_order_acquire)) < kFirstSlot) std::this_thread::yield();
  return found;
}

std::uint32_t SparseBuffer::make_group(Entry& group) {
  return enter(group, [&] { return used_->groups.fetch_add(1, std::memory_order_relaxed); });
}

std::uint32_t SparseBuffer::make_piece(Entry& entry, std::uint64_t number) {
  return enter(entry, [&] {
    const auto slot = used_->slots.fetch_add(1, std::memory_order_relaxed);
    const auto begin = number * kPiece;
    note_use(number);
    fill(begin, bytes_at(begin), pieces_.get() + slot * kPiece);
    return slot;
  });
}

void SparseBuffer::note_use(std::uint64_t piece) {
  if (used_->read.empty()) return;
  const auto bit = std::uint64_t{1} << piece % kWordBits;
  auto& word = used_->read[piece / kWordBits];
  if ((word.load(std::memory_order_relaxed) & bit) == 0) {
    word.fetch_or(bit, std::memory_order_relaxed);
  }
}

void SparseBuffer::read_piece(std::uint64_t begin, std::byte* to) {
  note_use(begin / kPiece);
  fill(begin, bytes_at(begin), to);
}

std::uint64_t SparseBuffer::bytes_read() const {
  std::uint64_t bytes = 0;
  for (std::uint64_t i = 0; i < used_->read.size(); ++i) {
    for (auto left = used_->read[i].load(); left != 0; left &= left - 1) {
      const auto piece = i * kWordBits + static_cast<std::uint64_t>(std::countr_zero(left));
      bytes += bytes_at(piece * kPiece);
    }
  }
  return bytes;
}

std::vector<SparseBuffer::Piece> SparseBuffer::made() const {
  std::vector<Piece> out;
  out.reserve(used_->slots.load());
  const auto* const groups = reinterpret_cast<const Entry*>(groups_.get());
  for (std::uint64_t group = 0; group < groups_of(pattern_); ++group) {
    const auto number = groups[group].load(std::memory_order_relaxed);
    if (number < kFirstSlot) continue;
    for (std::uint64_t piece = group * kGroup; piece < (group + 1) * kGroup; ++piece) {
      const auto slot = entry_of(number, piece).load(std::memory_order_relaxed);
      if (slot < kFirstSlot) continue;
      const auto begin = piece * kPiece;
      out.push_back(
          {begin, bytes_at(begin), pieces_.get() + std::uint64_t{slot - kFirstSlot} * kPiece});
    }
  }
  return out;
}

std::array<std::byte, SparseBuffer::kPiece> SparseBuffer::first_content(const Piece& piece) const {
  std::array<std::byte, kPiece> out{};
  fill(piece.begin, piece.bytes, out.data());
  return out;
}

std::vector<SparseBuffer> sparse_buffers(const std::vector<run::Pattern>& patterns) {
  std::vector<SparseBuffer> out;
  for (const auto& pattern : patterns) out.emplace_back(pattern);
  return out;
}

}  // namespace warpgrade::sim
