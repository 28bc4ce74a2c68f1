// SPDX-License-Identifier: Apache-2.0
// A copy of a buffer's bytes, for the case that a launch must be repeated.
//
// Outputs mostly start as one word over and over: zeros, or poison. Of those the word is kept and
// not the buffer, which would cost as much memory as the outputs themselves.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

namespace warpgrade::measure {

class Contents {
 public:
  Contents() = default;
  explicit Contents(const std::vector<std::byte>& bytes);

  std::vector<std::byte> bytes() const;
  /// Bytes that the copy itself takes.
  std::size_t kept() const { return all_.size(); }

 private:
  std::size_t size_ = 0;
  std::array<std::byte, 8> word_{};  ///< The word that repeats, if all_ is empty.
  std::vector<std::byte> all_;
};

}  // namespace warpgrade::measure
