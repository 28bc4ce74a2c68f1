// SPDX-License-Identifier: Apache-2.0
// Memory of the host for large tables that come and go: addresses that take memory where they are
// touched, and that are kept for the next table when one ends.
//
// A page that is touched for the first time is cleared by the system, which for a table of which
// some megabytes are written once takes longer than the writing. So a table says what its memory
// may hold at first: zeros, or whatever an earlier table left. What is kept is limited.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>

namespace warpgrade::sim {

/// What the bytes of a KeptMemory are at first. One of zeros must be all zeros again when it ends.
enum class FirstBytes { kZeros, kAny };

class KeptMemory {
 public:
  /// At least `bytes` bytes, from the start of a page. Throws base::ToolError, which names `user`,
  /// where the host has no addresses for them.
  KeptMemory(std::size_t bytes, FirstBytes first, const std::string& user);
  ~KeptMemory();
  KeptMemory(KeptMemory&& other) noexcept;
  KeptMemory& operator=(KeptMemory&&) = delete;

  std::byte* get() const { return bytes_; }
  /// Says how many bytes from the front this user has touched at most. Without it the memory is
  /// given back when this ends.
  void set_touched(std::size_t bytes) {
    touched_ = std::max(touched_, bytes);
    is_known_ = true;
  }

  /// Bytes that are kept for later at most, by all that have ended.
  static constexpr std::size_t kMostKept = std::size_t{192} << 20;
  /// Bytes that are kept now.
  static std::size_t kept();

 private:
  std::byte* bytes_ = nullptr;
  std::size_t size_ = 0;  // A power of two, so that tables of about a size can follow each other.
  FirstBytes first_ = FirstBytes::kZeros;
  std::size_t touched_ = 0;  // By this user or an earlier one: what the host has given memory to.
  bool is_known_ = false;
};

}  // namespace warpgrade::sim
