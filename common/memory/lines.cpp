// SPDX-License-Identifier: Apache-2.0
// Collects the bytes that one request touches as a list of distinct 128-byte lines.
//
// Lanes usually come in address order, so neighbours on one line are joined first. Only the
// joined lines are looked up among the lines found so far.
#include "common/memory/lines.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <optional>

namespace warpgrade::memory {
namespace {

/// Adds the lanes' bytes in order, and keeps the current line in registers.
class Builder {
 public:
  explicit Builder(Lines& out) : out_(out) { out.table.clear(); }

  /// Adds a lane within one sector; `ones` has one low bit per byte.
  void add(std::uint64_t address, std::uint64_t ones) {
    turn_to(address / 128);
    const std::uint64_t bits = ones << (address % 64);
    const std::uint64_t high = 0 - (address / 64 % 2);  // all ones for the line's second half
    low_ |= bits & ~high;
    high_ |= bits & high;
    sectors_ |= sector_bit(address);
  }

  /// Adds any lane; splits it at line boundaries.
  void add_cut(std::uint64_t address, std::uint32_t bytes) {
    while (bytes != 0) {
      const std::uint64_t here = std::min<std::uint64_t>(bytes, 128 - address % 128);
      const Lines::Bytes bits = bit_range(address % 128, here);
      turn_to(address / 128);
      low_ |= bits[0];
      high_ |= bits[1];
      sectors_ |= sectors_of(bits);
      address += here;
      bytes -= static_cast<std::uint32_t>(here);
    }
  }

  void finish() {
    put_back();
    out_.count = count_;
  }

 private:
  /// Makes line `index` the current line.
  void turn_to(std::uint64_t index) {
    if (index == index_) return;
    put_back();
    index_ = index;
    at_ = out_.table.position(index, out_.index.data(), count_);
    if (at_ == count_) {
      out_.index[at_] = index;
      ++count_;
      low_ = high_ = sectors_ = 0;
    } else {
      low_ = out_.bytes[at_][0];
      high_ = out_.bytes[at_][1];
      sectors_ = out_.sectors[at_];
    }
  }

  void put_back() {
    out_.bytes[at_] = {low_, high_};  // without a current line: zeros, soon overwritten
    out_.sectors[at_] = static_cast<std::uint8_t>(sectors_);
  }

  Lines& out_;
  std::uint32_t count_ = 0;
  std::uint32_t at_ = 0;
  std::uint64_t index_ = ~std::uint64_t{0};  // no line: larger than any address / 128
  std::uint64_t low_ = 0;
  std::uint64_t high_ = 0;
  std::uint32_t sectors_ = 0;
};

}  // namespace

void gather(const Request& request, Lines& out) {
  Builder builder(out);
  const std::uint64_t ones = bit_range(0, request.bytes)[0];
  for_each_address(request, request.mask, [&](std::uint64_t address) {
    if (address % 32 + request.bytes <= 32) {
      builder.add(address, ones);
    } else {
      builder.add_cut(address, request.bytes);
    }
  });
  builder.finish();
}

std::optional<Apart> as_apart(const Request& request, std::int64_t stride) {
  const bool is_one = stride % 32 == 0 && (stride >= 128 || stride <= -128) &&
                      request.address[0] % 32 + request.bytes <= 32;
  if (!is_one) return std::nullopt;
  return Apart{request, stride % 128 == 0 ? stride / 128 : 0};
}

std::optional<Apart> as_apart(const Request& request, KeyFilter& filter) {
  filter.clear();
  bool is_one = true;
  const std::uint64_t bytes = request.bytes;
  for_each_address(request, request.mask, [&](std::uint64_t address) {
    is_one &= address % 32 + bytes <= 32;
    is_one &= !filter.may_repeat(address / 128);
  });
  if (!is_one) return std::nullopt;
  return Apart{request, 0};
}

void gather_local(const Request& request, Lines& out) {
  Builder builder(out);
  // Word by word, because lanes at the same offset then come in address order.
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
