// SPDX-License-Identifier: Apache-2.0
#include "grader/class/zip_flags.h"

#include <algorithm>
#include <cstdint>
#include <string_view>

#include "common/base/utf8.h"

namespace warpgrade::grader::class_book {
namespace {

// APPNOTE.TXT of PKWARE, 4.3.7 (local header), 4.3.12 (central directory) and 4.3.16 (its end).
constexpr std::string_view kLocalMark("PK\x03\x04", 4);
constexpr std::string_view kCentralMark("PK\x01\x02", 4);
constexpr std::string_view kEndMark("PK\x05\x06", 4);
constexpr std::size_t kLocalSize = 30;
constexpr std::size_t kCentralSize = 46;
constexpr std::size_t kEndSize = 22;
constexpr std::size_t kMostComment = 65535;
constexpr std::uint64_t kUtf8Flag = 0x800;

class ZipBytes {
 public:
  explicit ZipBytes(std::span<char> bytes) : bytes_(bytes) {}

  void clear_wrong_flags() {
    const auto all = text(0, bytes_.size());
    const auto last = all.size() < kEndSize ? 0 : all.size() - kEndSize;
    const auto end = all.rfind(kEndMark, last);
    if (end == all.npos || all.size() - end > kEndSize + kMostComment) return;
    if (!has(end, kEndSize)) return;
    auto at = static_cast<std::size_t>(number(end + 16, 4));
    while (has(at, kCentralSize) && text(at, 4) == kCentralMark) {
      const auto name_size = static_cast<std::size_t>(number(at + 28, 2));
      if (!has(at + kCentralSize, name_size)) return;
      const auto name = text(at + kCentralSize, name_size);
      if (base::replace_invalid_utf8(name) != name) {
        clear(at + 8);
        const auto local = static_cast<std::size_t>(number(at + 42, 4));
        if (has(local, kLocalSize) && text(local, 4) == kLocalMark) clear(local + 6);
      }
      at += kCentralSize + name_size + static_cast<std::size_t>(number(at + 30, 2)) +
            static_cast<std::size_t>(number(at + 32, 2));
    }
  }

 private:
  bool has(std::size_t at, std::size_t size) const {
    return at <= bytes_.size() && size <= bytes_.size() - at;
  }
  std::string_view text(std::size_t at, std::size_t size) const {
    return std::string_view(bytes_.data(), bytes_.size()).substr(at, size);
  }
  std::uint64_t number(std::size_t at, std::size_t size) const {
    std::uint64_t out = 0;
    for (std::size_t i = 0; i < size; ++i) {
      out |= static_cast<std::uint64_t>(static_cast<unsigned char>(bytes_[at + i])) << (8 * i);
    }
    return out;
  }
  void clear(std::size_t at) {
    const auto flags = number(at, 2) & ~kUtf8Flag;
    bytes_[at] = static_cast<char>(flags & 0xff);
    bytes_[at + 1] = static_cast<char>(flags >> 8);
  }

  std::span<char> bytes_;
};

}  // namespace

void clear_wrong_utf8_flags(std::span<char> zip) { ZipBytes(zip).clear_wrong_flags(); }

}  // namespace warpgrade::grader::class_book
