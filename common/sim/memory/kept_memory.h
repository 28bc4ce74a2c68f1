// SPDX-License-Identifier: Apache-2.0
// Host memory for large, short-lived tables: address ranges that use memory only where touched, and
// that are kept for the next table.
//
// The system clears a page on first use. For a table with a few written megabytes, clearing takes
// longer than writing. Therefore a table declares its initial content: zeros, or whatever an
// earlier table left. The amount of kept memory is limited.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>

namespace warpgrade::sim {

/// The initial content of a KeptMemory. With kZeros, its user must zero it again before
/// destruction.
enum class FirstBytes { kZeros, kAny };

class KeptMemory {
 public:
  /// At least `bytes` bytes, page-aligned. Throws base::ToolError, which names `user`, if the host
  /// has no address range left.
  KeptMemory(std::size_t bytes, FirstBytes first, const std::string& user);
  ~KeptMemory();
  KeptMemory(KeptMemory&& other) noexcept;
  KeptMemory& operator=(KeptMemory&&) = delete;

  std::byte* get() const { return bytes_; }
  /// Sets how many leading bytes this user may have touched. Without this call the memory is
  /// released at destruction.
  void set_touched(std::size_t bytes) {
    touched_ = std::max(touched_, bytes);
    is_known_ = true;
  }

  /// Limit on the bytes kept by all destroyed objects.
  static constexpr std::size_t kMostKept = std::size_t{192} << 20;
  /// Bytes kept now.
  static std::size_t kept();

 private:
  std::byte* bytes_ = nullptr;
  std::size_t size_ = 0;  // a power of two, so that tables of similar size can reuse it
  FirstBytes first_ = FirstBytes::kZeros;
  std::size_t touched_ = 0;  // by this user or an earlier one: leading bytes with host memory
  bool is_known_ = false;
};

}  // namespace warpgrade::sim
