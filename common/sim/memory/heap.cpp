// SPDX-License-Identifier: Apache-2.0
#include "common/sim/memory/heap.h"

#include <fmt/format.h>

#include <cstdint>
#include <iterator>
#include <optional>
#include <string>

#include "common/base/place.h"
#include "common/base/text.h"

namespace warpgrade::sim {
namespace {

constexpr std::uint64_t kPieceAlignment = 16;
constexpr std::uint64_t kMostFreed = 1U << 16;  // pieces remembered for messages
constexpr const char* kCheckIndex = "check the index against the size before the access";

std::uint64_t rounded_up(std::uint64_t bytes) {
  return (bytes + kPieceAlignment - 1) & ~(kPieceAlignment - 1);
}
std::uint64_t taken_by(std::uint64_t bytes) { return Heap::kOverhead + rounded_up(bytes); }

std::string line_text(std::uint32_t line) {
  return line == 0 ? std::string() : fmt::format(" in line {}", line);
}

}  // namespace

std::optional<std::uint64_t> Heap::allocate(std::uint64_t bytes, std::uint32_t line) {
  const bool fits = bytes <= kBytes && taken_by(bytes) <= kBytes - used_;
  if (!fits || !covers(next_ + bytes + kGap)) return std::nullopt;
  const auto address = next_;
  next_ += rounded_up(bytes) + kGap;
  used_ += taken_by(bytes);
  auto& piece = pieces_[address];
  piece.content.assign(bytes, garbage_);
  piece.written.assign(bytes, false);
  piece.bytes = bytes;
  piece.line = line;
  piece.region = {address, bytes, piece.content.data(), "", 1, false, &piece.written};
  return address;
}

std::optional<std::string> Heap::release(std::uint64_t address, std::uint32_t line) {
  const auto found = pieces_.find(address);
  if (found == pieces_.end()) {
    const auto* before = covers(address) ? piece_before(address) : nullptr;
    const bool inside = before != nullptr && address - before->region.base < before->bytes;
    return fmt::format(
        "free() of address {:#x}, which {}; pass it the pointer that malloc() returned", address,
        inside ? fmt::format("is {} into {}", base::counted(address - before->region.base, "byte"),
                             text(*before))
               : "malloc() did not return");
  }
  auto& piece = found->second;
  if (piece.is_freed) {
    return fmt::format("frees {} a second time, after the first{}; free each allocation once",
                       text(piece), line_text(piece.freed_line));
  }
  piece.is_freed = true;
  piece.freed_line = line;
  piece.region.bytes = 0;
  piece.content = {};
  piece.written = {};
  used_ -= taken_by(piece.bytes);
  ++freed_;
  forget_old();
  return std::nullopt;
}

// Drops an older piece than the one just freed.
void Heap::forget_old() {
  if (freed_ <= kMostFreed) return;
  for (auto at = pieces_.begin(); at != pieces_.end(); ++at) {
    if (!at->second.is_freed) continue;
    pieces_.erase(at);
    --freed_;
    return;
  }
}

const Heap::Piece* Heap::piece_before(std::uint64_t address) const {
  const auto after = pieces_.upper_bound(address);
  return after == pieces_.begin() ? nullptr : &std::prev(after)->second;
}

const Region* Heap::find(std::uint64_t address, std::uint64_t bytes) const {
  const auto* piece = piece_before(address);
  if (piece == nullptr) return nullptr;
  const auto offset = address - piece->region.base;
  const auto size = piece->region.bytes;
  return offset <= size && bytes <= size - offset ? &piece->region : nullptr;
}

std::string Heap::text(const Piece& piece) {
  return fmt::format("the {} that malloc() returned{}", base::counted(piece.bytes, "byte"),
                     line_text(piece.line));
}

std::string Heap::piece_text(std::uint64_t address) const {
  const auto* piece = piece_before(address);
  return piece == nullptr ? "the heap" : text(*piece);
}

OutsideWords Heap::describe(std::uint64_t address, std::uint64_t bytes) const {
  const auto* before = piece_before(address);
  const auto after = pieces_.upper_bound(address);
  const bool nearer_to_next =
      after != pieces_.end() &&
      (before == nullptr ||
       after->first - address < address - before->region.base - before->bytes) &&
      (before == nullptr || address - before->region.base >= before->bytes);
  if (nearer_to_next) {
    return {fmt::format("beginning {} before {}", base::counted(after->first - address, "byte"),
                        text(after->second)),
            kCheckIndex};
  }
  if (before == nullptr)
    return {fmt::format("at address {:#x}, outside every buffer", address), kCheckIndex};
  if (before->is_freed) {
    return {fmt::format("in {}, after free(){}", text(*before), line_text(before->freed_line)),
            "do not use memory after freeing it"};
  }
  return {fmt::format("at {} of {}", base::bytes_text(address - before->region.base, bytes),
                      text(*before)),
          kCheckIndex};
}

}  // namespace warpgrade::sim
