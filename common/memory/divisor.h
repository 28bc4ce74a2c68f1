// SPDX-License-Identifier: Apache-2.0
// Division by a number that is fixed for a launch and usually a power of two: the width or the
// number of memory partitions. Each transaction needs several such divisions, and a division would
// cost more than the rest of its processing. A shift does not.
#pragma once

#include <bit>
#include <cstdint>

namespace warpgrade::memory {

class Divisor {
 public:
  /// `value` is not 0.
  explicit Divisor(std::uint64_t value = 1)
      : value_(value),
        shift_(static_cast<std::uint32_t>(std::countr_zero(value))),
        is_power_(std::has_single_bit(value)) {}

  std::uint64_t quotient(std::uint64_t n) const { return is_power_ ? n >> shift_ : n / value_; }
  std::uint64_t remainder(std::uint64_t n) const {
    return is_power_ ? n & (value_ - 1) : n % value_;
  }
  std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_;
  std::uint32_t shift_;
  bool is_power_;
};

}  // namespace warpgrade::memory
