// SPDX-License-Identifier: Apache-2.0
#include "common/sim/memory/sparse_buffer.h"

#include <fmt/format.h>
#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "common/base/error.h"
#include "common/run/launch.h"

namespace warpgrade::sim {
namespace {

constexpr std::size_t kHostPage = 4096;
// Address space is limited for a process that grades a class, so larger tables are not kept.
constexpr std::size_t kLargestKept = std::size_t{1} << 30;
constexpr std::size_t kMostTables = 16;

struct Kept {
  std::byte* bytes = nullptr;
  std::size_t size = 0;
  FirstBytes first = FirstBytes::kZeros;
  std::size_t touched = 0;  // leading bytes with host memory
};

// The memory of destroyed tables, the most recent last.
class Store {
 public:
  Kept take(std::size_t size, FirstBytes first) {
    const std::lock_guard lock(mutex_);
    const auto found = std::find_if(kept_.rbegin(), kept_.rend(), [&](const Kept& one) {
      return one.size == size && one.first == first;
    });
    if (found == kept_.rend()) return {};
    const auto out = *found;
    kept_.erase(std::next(found).base());
    touched_ -= out.touched;
    return out;
  }
  /// Makes room by releasing the oldest memory. Returns false if `one` alone is too large.
  bool keep(const Kept& one) {
    if (one.size > kLargestKept || one.touched > KeptMemory::kMostKept) return false;
    const std::lock_guard lock(mutex_);
    while (kept_.size() >= kMostTables || touched_ + one.touched > KeptMemory::kMostKept) {
      munmap(kept_.front().bytes, kept_.front().size);
      touched_ -= kept_.front().touched;
      kept_.erase(kept_.begin());
    }
    kept_.push_back(one);
    touched_ += one.touched;
    return true;
  }
  std::size_t touched() {
    const std::lock_guard lock(mutex_);
    return touched_;
  }

 private:
  std::mutex mutex_;
  std::vector<Kept> kept_;
  std::size_t touched_ = 0;
};

Store& spare() {
  static Store one;
  return one;
}

std::byte* reserve(std::size_t size, const std::string& user) {
  auto* const memory = mmap(nullptr, size, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) {
    throw base::ToolError(
        fmt::format("this machine has no room for a buffer of {} bytes ('{}')", size, user));
  }
  // Filled from the front without gaps, so large pages waste nothing. They are optional.
  madvise(memory, size, MADV_HUGEPAGE);
  return static_cast<std::byte*>(memory);
}

}  // namespace

KeptMemory::KeptMemory(std::size_t bytes, FirstBytes first, const std::string& user)
    : size_(std::bit_ceil(std::max(bytes, kHostPage))), first_(first) {
  const auto kept = spare().take(size_, first);
  bytes_ = kept.bytes != nullptr ? kept.bytes : reserve(size_, user);
  touched_ = kept.touched;
}

KeptMemory::KeptMemory(KeptMemory&& other) noexcept
    : bytes_(std::exchange(other.bytes_, nullptr)),
      size_(other.size_),
      first_(other.first_),
      touched_(other.touched_),
      is_known_(other.is_known_) {}

KeptMemory::~KeptMemory() {
  if (bytes_ == nullptr) return;
  if (is_known_ && spare().keep({bytes_, size_, first_, touched_})) return;
  munmap(bytes_, size_);
}

std::size_t KeptMemory::kept() { return spare().touched(); }

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

RecentPieces::RecentPieces()
    : pieces_(std::size_t{kSlots} * SparseBuffer::kPiece, FirstBytes::kAny, "recent pieces"),
      owners_(kSlots),
      slots_(std::size_t{1} << kTableBits) {
  pieces_.set_touched(std::size_t{kSlots} * SparseBuffer::kPiece);
}

std::byte* RecentPieces::make(SparseBuffer& buffer, std::uint64_t begin, std::uint64_t key) {
  const auto slot = next_;
  next_ = (next_ + 1) % kSlots;
  owners_[slot] = key;
  slots_[hash(key)] = slot;
  buffer.read_piece(begin, bytes_of(slot));
  return bytes_of(slot);
}

RecentPieces& recent_pieces() {
  thread_local RecentPieces one;
  return one;
}

}  // namespace warpgrade::sim
