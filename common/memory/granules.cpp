// SPDX-License-Identifier: Apache-2.0
// Lanes mostly come in order of their addresses: runs are joined as they come, and only a list that
// neither ascends nor descends is searched for equal granules.
#include "common/memory/granules.h"

#include <algorithm>
#include <bit>

namespace warpgrade::memory {
namespace {

/// Bits [first, first + count) of 64; count is 1 to 64.
constexpr std::uint64_t bit_range(std::uint64_t first, std::uint64_t count) {
  return (~std::uint64_t{0} >> (64 - count)) << first;
}

/// Takes the lanes' bytes in order; the run that is being joined stays in registers.
class Builder {
 public:
  explicit Builder(Granules& out) : out_(out) {}

  void add(std::uint64_t address, std::uint32_t bytes) {
    const std::uint64_t first = address % 64;
    if (first + bytes <= 64) {
      push(address / 64, bit_range(first, bytes));
    } else {
      push(address / 64, bit_range(first, 64 - first));
      push(address / 64 + 1, bit_range(0, first + bytes - 64));
    }
  }

  void finish() {
    if (bytes_ != 0) flush();
    out_.count = count_;
    out_.sorted = ascending_ || descending_;
    if (!out_.sorted) merge_equal();
  }

 private:
  void push(std::uint64_t index, std::uint64_t bytes) {
    if (index == index_) {
      bytes_ |= bytes;
      return;
    }
    if (bytes_ != 0) {
      flush();
      ascending_ &= index_ < index;
      descending_ &= index_ > index;
    }
    index_ = index;
    bytes_ = bytes;
  }

  void flush() {
    out_.index[count_] = index_;
    out_.bytes[count_++] = bytes_;
  }

  void merge_equal() {
    KeyTable table(out_.count);
    std::uint32_t kept = 0;
    for (std::uint32_t i = 0; i < out_.count; ++i) {
      const std::uint64_t index = out_.index[i];
      const std::uint64_t bytes = out_.bytes[i];
      const std::uint32_t at = table.position(index, out_.index.data(), kept);
      if (at == kept) {
        out_.index[kept] = index;
        out_.bytes[kept++] = bytes;
      } else {
        out_.bytes[at] |= bytes;
      }
    }
    out_.count = kept;
  }

  Granules& out_;
  std::uint32_t count_ = 0;
  std::uint64_t index_ = ~std::uint64_t{0};
  std::uint64_t bytes_ = 0;  ///< 0: no run yet.
  bool ascending_ = true;
  bool descending_ = true;
};

}  // namespace

void gather(const Request& request, Granules& out) {
  Builder builder(out);
  for (std::uint32_t left = request.mask; left != 0; left &= left - 1) {
    builder.add(request.address[std::countr_zero(left)], request.bytes);
  }
  builder.finish();
}

void gather_range(std::uint64_t address, std::uint32_t bytes, Granules& out) {
  out.count = 0;
  out.sorted = true;
  while (bytes != 0) {
    const std::uint64_t first = address % 64;
    const std::uint64_t here = std::min<std::uint64_t>(bytes, 64 - first);
    out.index[out.count] = address / 64;
    out.bytes[out.count++] = bit_range(first, here);
    address += here;
    bytes -= static_cast<std::uint32_t>(here);
  }
}

void gather_local(const Request& request, Granules& out) {
  Builder builder(out);
  // Word by word, since lanes at the same offset then come in order of their addresses.
  for (std::uint32_t done = 0; done < request.bytes; done += 4) {
    const std::uint32_t bytes = std::min<std::uint32_t>(request.bytes - done, 4);
    for (std::uint32_t left = request.mask; left != 0; left &= left - 1) {
      const auto lane = static_cast<std::uint32_t>(std::countr_zero(left));
      const std::uint64_t offset = request.address[lane] + done;
      builder.add(offset / 4 * 128 + lane * std::uint64_t{4} + offset % 4, bytes);
    }
  }
  builder.finish();
}

}  // namespace warpgrade::memory
