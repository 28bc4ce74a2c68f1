// SPDX-License-Identifier: Apache-2.0
#include "common/sim/memory/kept_memory.h"

#include <fmt/format.h>
#include <sys/mman.h>

#include <algorithm>
#include <bit>
#include <mutex>
#include <utility>
#include <vector>

#include "common/base/error.h"

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

}  // namespace warpgrade::sim
