// SPDX-License-Identifier: Apache-2.0
// Lanes mostly come in order of their addresses: neighbours on one line are joined as they come, and
// only what is left is looked up among the lines found so far.
#include "common/memory/lines.h"

#include <algorithm>
#include <bit>

namespace warpgrade::memory {
namespace {

constexpr std::uint64_t kNoBits = 0;

/// Bits [first, first + count) of 128; count is 0 to 128, first + count at most 128.
constexpr Lines::Bytes bit_range(std::uint64_t first, std::uint64_t count) {
  const auto below = [](std::uint64_t end) {  // bits [0, end) of 64
    return end >= 64 ? ~kNoBits : ~(~kNoBits << end);
  };
  const std::uint64_t end = first + count;
  return {below(end) & ~below(first),
          end <= 64 ? kNoBits : below(end - 64) & ~(first <= 64 ? kNoBits : below(first - 64))};
}

/// Takes the lanes' bytes in order; the run that is being joined stays in registers.
class Builder {
 public:
  explicit Builder(Lines& out) : out_(out) {
    out.count = 0;
    out.table.clear();
  }

  /// `ones` are as many low bits as the lane has bytes; it lies within one line.
  void add(std::uint64_t address, std::uint64_t ones) {
    const std::uint64_t bits = ones << (address % 64);
    const bool high = (address & 64) != 0;
    push(address / 128, {high ? 0 : bits, high ? bits : 0});
  }

  /// Any lane: cut where it crosses a line, or 64 bytes of one.
  void add_cut(std::uint64_t address, std::uint32_t bytes) {
    while (bytes != 0) {
      const std::uint64_t here = std::min<std::uint64_t>(bytes, 128 - address % 128);
      push(address / 128, bit_range(address % 128, here));
      address += here;
      bytes -= static_cast<std::uint32_t>(here);
    }
  }

  void finish() {
    if (started_) flush();
    for (std::uint32_t i = 0; i < out_.count; ++i) {
      out_.sectors[i] = static_cast<std::uint8_t>(sectors_of(out_.bytes[i]));
    }
  }

 private:
  void push(std::uint64_t index, const Lines::Bytes& bytes) {
    if (started_ && index == index_) {
      bytes_[0] |= bytes[0];
      bytes_[1] |= bytes[1];
      return;
    }
    if (started_) flush();
    started_ = true;
    index_ = index;
    bytes_ = bytes;
  }

  void flush() {
    const std::uint32_t at = out_.table.position(index_, out_.index.data(), out_.count);
    if (at == out_.count) {
      out_.index[at] = index_;
      out_.bytes[at] = bytes_;
      ++out_.count;
    } else {
      out_.bytes[at][0] |= bytes_[0];
      out_.bytes[at][1] |= bytes_[1];
    }
  }

  Lines& out_;
  bool started_ = false;
  std::uint64_t index_ = 0;
  Lines::Bytes bytes_{};
};

}  // namespace

void gather(const Request& request, Lines& out) {
  Builder builder(out);
  const std::uint64_t ones = bit_range(0, request.bytes)[0];
  for (std::uint32_t left = request.mask; left != 0; left &= left - 1) {
    const std::uint64_t address = request.address[std::countr_zero(left)];
    if (address % 64 + request.bytes <= 64) {
      builder.add(address, ones);
    } else {
      builder.add_cut(address, request.bytes);
    }
  }
  builder.finish();
}

void gather_range(std::uint64_t address, std::uint32_t bytes, Lines& out) {
  out.count = 0;
  while (bytes != 0) {
    const std::uint64_t here = std::min<std::uint64_t>(bytes, 128 - address % 128);
    const Lines::Bytes bits = bit_range(address % 128, here);
    out.index[out.count] = address / 128;
    out.sectors[out.count] = static_cast<std::uint8_t>(sectors_of(bits));
    out.bytes[out.count++] = bits;
    address += here;
    bytes -= static_cast<std::uint32_t>(here);
  }
}

bool gather_apart(std::uint64_t address, std::int64_t stride, std::uint32_t bytes, Lines& out) {
  // Whole lines apart, so that all lanes have the same bytes of their lines, and not across two.
  if (stride == 0 || stride % 128 != 0 || address % 128 + bytes > 128) return false;
  const Lines::Bytes bits = bit_range(address % 128, bytes);
  const auto sectors = static_cast<std::uint8_t>(sectors_of(bits));
  const auto step = static_cast<std::uint64_t>(stride / 128);
  for (std::uint32_t lane = 0; lane < kLanes; ++lane) out.index[lane] = address / 128 + lane * step;
  for (std::uint32_t lane = 0; lane < kLanes; ++lane) out.bytes[lane] = bits;
  for (std::uint32_t lane = 0; lane < kLanes; ++lane) out.sectors[lane] = sectors;
  out.count = kLanes;
  return true;
}

void gather_local(const Request& request, Lines& out) {
  Builder builder(out);
  // Word by word, since lanes at the same offset then come in order of their addresses.
  for (std::uint32_t done = 0; done < request.bytes; done += 4) {
    const std::uint32_t bytes = std::min<std::uint32_t>(request.bytes - done, 4);
    for (std::uint32_t left = request.mask; left != 0; left &= left - 1) {
      const auto lane = static_cast<std::uint32_t>(std::countr_zero(left));
      const std::uint64_t offset = request.address[lane] + done;
      builder.add_cut(offset / 4 * 128 + lane * std::uint64_t{4} + offset % 4, bytes);
    }
  }
  builder.finish();
}

}  // namespace warpgrade::memory
