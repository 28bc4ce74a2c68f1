// SPDX-License-Identifier: Apache-2.0
#include "common/sim/memory/sparse_buffer.h"

#include <fmt/format.h>
#include <sys/mman.h>

#include <algorithm>
#include <span>
#include <thread>
#include <utility>

#include "common/base/error.h"

namespace warpgrade::sim {

static_assert(sizeof(std::atomic<std::uint8_t>) == 1);  // zeros of the host are untouched pieces

namespace {

// Zeros that take memory where they are touched.
std::byte* reserve(std::size_t size, const std::string& name) {
  auto* const memory = mmap(nullptr, size, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) {
    throw base::ToolError(
        fmt::format("this machine has no room for a buffer of {} bytes ('{}')", size, name));
  }
  return static_cast<std::byte*>(memory);
}

}  // namespace

void SparseBuffer::Unmap::operator()(std::byte* bytes) const { munmap(bytes, size); }

SparseBuffer::SparseBuffer(run::Pattern pattern)
    : pattern_(std::move(pattern)), pieces_((pattern_.bytes + kPiece - 1) / kPiece) {
  const auto size = std::max<std::size_t>(pattern_.bytes, 1);
  bytes_ = {reserve(size, pattern_.name), Unmap{size}};
  states_ = {reserve(pieces_ + 1, pattern_.name), Unmap{pieces_ + 1}};
}

SparseBuffer::Piece SparseBuffer::piece_at(std::uint64_t number) const {
  const auto begin = number * kPiece;
  return {begin, std::min(kPiece, pattern_.bytes - begin)};
}

void SparseBuffer::fill(const Piece& piece, std::byte* to) const {
  auto [begin, left] = piece;
  while (left != 0) {
    const auto first = begin % pattern_.period;
    const auto count = std::min(left, pattern_.period - first);
    pattern_.make(first, std::span(to, count));
    begin += count;
    to += count;
    left -= count;
  }
}

void SparseBuffer::make_piece(std::uint64_t number) {
  auto& mark = state(number);
  std::uint8_t expected = kUntouched;
  if (!mark.compare_exchange_strong(expected, kBeingMade)) {
    while (mark.load(std::memory_order_acquire) != kMade) std::this_thread::yield();
    return;
  }
  const auto piece = piece_at(number);
  fill(piece, data() + piece.begin);
  mark.store(kMade, std::memory_order_release);
}

std::vector<SparseBuffer::Piece> SparseBuffer::made() const {
  std::vector<Piece> out;
  for (std::uint64_t number = 0; number < pieces_; ++number) {
    if (state(number).load(std::memory_order_relaxed) == kMade) out.push_back(piece_at(number));
  }
  return out;
}

std::array<std::byte, SparseBuffer::kPiece> SparseBuffer::content(const Piece& piece) const {
  std::array<std::byte, kPiece> out{};
  fill(piece, out.data());
  return out;
}

std::vector<SparseBuffer> sparse_buffers(const std::vector<run::Pattern>& patterns) {
  std::vector<SparseBuffer> out;
  for (const auto& pattern : patterns) out.emplace_back(pattern);
  return out;
}

}  // namespace warpgrade::sim
