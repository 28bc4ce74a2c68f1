// SPDX-License-Identifier: Apache-2.0
#include "grader/class/zip_flags.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "common/base/utf8.h"

namespace warpgrade::grader::class_book {
namespace {

// APPNOTE.TXT of PKWARE: 4.3.7 (local header), 4.3.12 (central directory), 4.3.14 to 4.3.16 (its
// end, and that of larger files), 4.5.3 (64-bit numbers).
constexpr std::string_view kLocalMark("PK\x03\x04", 4);
constexpr std::string_view kCentralMark("PK\x01\x02", 4);
constexpr std::string_view kEndMark("PK\x05\x06", 4);
constexpr std::string_view kLargeEndMark("PK\x06\x06", 4);
constexpr std::string_view kLocatorMark("PK\x06\x07", 4);
constexpr std::size_t kCentralSize = 46;
constexpr std::size_t kEndSize = 22;
constexpr std::size_t kLargeEndSize = 56;
constexpr std::size_t kLocatorSize = 20;
constexpr std::size_t kMostComment = 65535;
constexpr std::uint64_t kNotHere = 0xffffffff;  // the number is in the 64-bit field instead
constexpr std::uint64_t kLargeField = 1;
// Bit 11 of the flags is in their second byte.
constexpr char kUtf8Flag = 0x08;
constexpr std::size_t kCentralFlag = 9;
constexpr std::size_t kLocalFlag = 7;

std::uint64_t number(std::string_view bytes, std::size_t at, std::size_t size) {
  std::uint64_t out = 0;
  for (std::size_t i = 0; i < size; ++i) {
    out |= static_cast<std::uint64_t>(static_cast<unsigned char>(bytes[at + i])) << (8 * i);
  }
  return out;
}

class ZipNames {
 public:
  ZipNames(const ReadAt& read, std::uint64_t size) : read_(read), size_(size) {}

  std::vector<std::uint64_t> wrong_flags() {
    if (!find_directory()) return {};
    for (auto at = begin_; at < end_;) {
      const auto head = std::string(text(at, kCentralSize));
      if (!head.starts_with(kCentralMark) || head.size() < kCentralSize) break;
      const auto name_size = static_cast<std::size_t>(number(head, 28, 2));
      const auto extra_size = static_cast<std::size_t>(number(head, 30, 2));
      const auto name = std::string(text(at + kCentralSize, name_size));
      const bool is_wrong =
          (head[kCentralFlag] & kUtf8Flag) != 0 && base::replace_invalid_utf8(name) != name;
      if (is_wrong) add(at, head, std::string(text(at + kCentralSize + name_size, extra_size)));
      at += kCentralSize + name_size + extra_size + number(head, 32, 2);
    }
    std::ranges::sort(flags_);
    return std::move(flags_);
  }

 private:
  // Up to `size` bytes at `at`, valid until the next call.
  std::string_view text(std::uint64_t at, std::size_t size) {
    constexpr std::size_t kPiece = 1 << 16;
    if (at < piece_at_ || at + size > piece_at_ + piece_.size()) {
      piece_ = at < size_ ? read_(at, std::max(size, kPiece)) : std::string();
      piece_at_ = at;
    }
    return std::string_view(piece_).substr(at - piece_at_, size);
  }

  // Sets the begin and end of the central directory, and the bytes before the archive.
  bool find_directory() {
    const auto tail_size = std::min<std::uint64_t>(size_, kMostComment + kEndSize + kLocatorSize);
    const auto tail_at = size_ - tail_size;
    const auto tail = read_(tail_at, static_cast<std::size_t>(tail_size));
    if (tail.size() < kEndSize) return false;
    const auto found = tail.rfind(kEndMark, tail.size() - kEndSize);
    if (found == std::string::npos) return false;
    end_ = tail_at + found;
    auto directory_size = number(tail, found + 12, 4);
    auto offset = number(tail, found + 16, 4);
    if (found >= kLocatorSize && tail.compare(found - kLocatorSize, 4, kLocatorMark) == 0) {
      const auto large = large_end(end_ - kLocatorSize, number(tail, found - kLocatorSize + 8, 8));
      if (large) {
        end_ = large->first;
        directory_size = number(large->second, 40, 8);
        offset = number(large->second, 48, 8);
      }
    }
    begin_ = offset;
    if (directory_size <= end_ && end_ - directory_size >= offset &&
        text(end_ - directory_size, 4) == kCentralMark) {
      begin_ = end_ - directory_size;
    }
    before_ = begin_ - offset;
    return true;
  }

  // The place and the bytes of the record with 64-bit numbers, which is before its locator.
  std::optional<std::pair<std::uint64_t, std::string>> large_end(std::uint64_t locator,
                                                                 std::uint64_t given) {
    for (const auto at : {given, locator < kLargeEndSize ? size_ : locator - kLargeEndSize}) {
      if (at >= locator) continue;
      auto bytes = std::string(text(at, kLargeEndSize));
      if (bytes.size() == kLargeEndSize && bytes.starts_with(kLargeEndMark)) {
        return {{at, std::move(bytes)}};
      }
    }
    return std::nullopt;
  }

  void add(std::uint64_t at, std::string_view head, std::string_view extra) {
    flags_.push_back(at + kCentralFlag);
    const auto offset = local_offset(head, extra);
    if (!offset || *offset >= size_ || before_ >= size_ - *offset) return;
    const auto local = *offset + before_;
    const auto bytes = read_(local, kLocalFlag + 1);
    if (bytes.size() > kLocalFlag && bytes.starts_with(kLocalMark)) {
      flags_.push_back(local + kLocalFlag);
    }
  }

  static std::optional<std::uint64_t> local_offset(std::string_view head, std::string_view extra) {
    const auto offset = number(head, 42, 4);
    if (offset != kNotHere) return offset;
    // The field has those of the two sizes and the offset that are not in the header.
    std::size_t before = 0;
    if (number(head, 24, 4) == kNotHere) before += 8;
    if (number(head, 20, 4) == kNotHere) before += 8;
    while (extra.size() >= 4) {
      const auto size = std::min(static_cast<std::size_t>(number(extra, 2, 2)), extra.size() - 4);
      const bool is_it = number(extra, 0, 2) == kLargeField && size >= before + 8;
      if (is_it) return number(extra, 4 + before, 8);
      extra.remove_prefix(4 + size);
    }
    return std::nullopt;
  }

  const ReadAt& read_;
  std::uint64_t size_;
  std::uint64_t begin_ = 0;
  std::uint64_t end_ = 0;
  std::uint64_t before_ = 0;
  std::string piece_;
  std::uint64_t piece_at_ = 0;
  std::vector<std::uint64_t> flags_;
};

}  // namespace

std::vector<std::uint64_t> wrong_utf8_flags(const ReadAt& read, std::uint64_t size) {
  return ZipNames(read, size).wrong_flags();
}

void clear_utf8_flags(const std::vector<std::uint64_t>& flags, std::uint64_t offset,
                      std::span<char> piece) {
  for (auto it = std::ranges::lower_bound(flags, offset);
       it != flags.end() && *it - offset < piece.size(); ++it) {
    auto& byte = piece[static_cast<std::size_t>(*it - offset)];
    byte = static_cast<char>(byte & ~kUtf8Flag);
  }
}

}  // namespace warpgrade::grader::class_book
