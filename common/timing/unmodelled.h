// SPDX-License-Identifier: Apache-2.0
// Parts of a launch that the time model does not time. Its seconds are then too few by an unknown
// amount, so a modelled speed can fail a gate, but never pass it.
#pragma once

#include <cstdint>

namespace warpgrade::timing {

enum class Unmodelled : std::uint8_t {
  kWaitsBetweenBlocks,  ///< A block waits for a word that another block writes.
  kCount,
};

class UnmodelledSet {
 public:
  void add(Unmodelled part) { bits_ |= 1U << static_cast<unsigned>(part); }
  void add(UnmodelledSet others) { bits_ |= others.bits_; }
  bool has(Unmodelled part) const { return (bits_ >> static_cast<unsigned>(part) & 1U) != 0; }
  bool empty() const { return bits_ == 0; }

  friend bool operator==(const UnmodelledSet&, const UnmodelledSet&) = default;

 private:
  std::uint32_t bits_ = 0;
};

}  // namespace warpgrade::timing
