// SPDX-License-Identifier: Apache-2.0
// A copy of a buffer's bytes, for launches that must be repeated.
//
// Outputs usually start as one repeated word: zeros or poison. Then only the word is kept, because
// a copy would need as much memory as the outputs themselves.
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
  /// Bytes that the copy itself uses.
  std::size_t kept() const { return all_.size(); }

 private:
  std::size_t size_ = 0;
  std::array<std::byte, 8> word_{};  ///< The repeated word, if all_ is empty.
  std::vector<std::byte> all_;
};

}  // namespace warpgrade::measure
