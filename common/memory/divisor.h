// SPDX-License-Identifier: Apache-2.0
// Division by numbers that are known once for a launch and mostly are powers of two: the width of a
// memory partition, and how many there are. Every transaction is divided by them several times, and
// a division takes longer than all else that is done with it; a shift does not.
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
