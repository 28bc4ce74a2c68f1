// SPDX-License-Identifier: Apache-2.0
#include "common/timing/ptx_lines.h"

#include <algorithm>
#include <array>

namespace warpgrade::timing {
namespace {

constexpr std::string_view kTable = ".nv_debug_line_sass";
constexpr std::uint64_t kBytesOfInstruction = 16;

/// Reads bytes in sequence; past the end it returns zeros.
class Bytes {
 public:
  Bytes(std::span<const char> from, std::uint64_t at) : from_(from), at_(at) {}

  std::uint64_t place() const { return at_; }
  bool is_at_end() const { return at_ >= from_.size(); }
  /// Moves forward to `place`, never back and never past the end.
  void go_to(std::uint64_t place) {
    at_ = std::max(at_, std::min<std::uint64_t>(place, from_.size()));
  }
  void skip(std::uint64_t bytes) { go_to(at_ + std::min<std::uint64_t>(bytes, from_.size())); }

  template <typename T>
  T take() {
    const T value = read_at<T>(from_, at_).value_or(T{});
    at_ += sizeof(T);
    return value;
  }

  /// LEB128.
  std::uint64_t number() { return leb128(false); }
  std::int64_t signed_number() { return static_cast<std::int64_t>(leb128(true)); }

 private:
  std::uint64_t leb128(bool is_signed) {
    std::uint64_t value = 0;
    std::uint32_t shift = 0;
    std::uint8_t byte = 0x80;
    while ((byte & 0x80U) != 0 && !is_at_end()) {
      byte = take<std::uint8_t>();
      if (shift < 64) value |= std::uint64_t{byte & 0x7fU} << shift;
      shift += 7;
    }
    if (is_signed && (byte & 0x40U) != 0 && shift < 64) value |= ~std::uint64_t{0} << shift;
    return value;
  }

  std::span<const char> from_;
  std::uint64_t at_;
};

/// The head of a table: how to read its operations.
struct Head {
  std::uint64_t end = 0;
  std::uint64_t least_step = 0;  ///< Bytes of an address.
  std::int64_t line_base = 0;
  std::uint8_t line_range = 0;
  std::uint8_t first_special = 1;
  std::array<std::uint8_t, 256> operands{};  ///< Operands per standard operation.
};

/// The head of the table that contains byte `place`; line_range is 0 if not found.
Head head_of(std::span<const char> section, std::uint64_t place) {
  Bytes bytes(section, 0);
  while (!bytes.is_at_end()) {
    Head head;
    const auto length = bytes.take<std::uint32_t>();
    head.end = bytes.place() + length;
    if (place >= head.end) {
      bytes.go_to(head.end);
      continue;
    }
    bytes.skip(2 + 4);  // version, length of the head
    head.least_step = bytes.take<std::uint8_t>();
    bytes.skip(1);  // whether a row is a statement
    head.line_base = bytes.take<std::int8_t>();
    head.line_range = bytes.take<std::uint8_t>();
    head.first_special = bytes.take<std::uint8_t>();
    for (std::uint32_t i = 1; i < head.first_special; ++i) {
      head.operands.at(i) = bytes.take<std::uint8_t>();
    }
    return head;
  }
  return {};
}

/// The state of a sequence. A row gives the address from which a line applies.
class Rows {
 public:
  Rows(const Head& head, std::vector<std::uint32_t>& lines) : head_(head), lines_(lines) {}

  void special(std::uint32_t operation) {
    address_ += operation / head_.line_range * head_.least_step;
    line_ += head_.line_base + operation % head_.line_range;
    add_row();
  }

  void standard(std::uint8_t operation, Bytes& bytes) {
    switch (operation) {
      case 1:
        return add_row();
      case 2:
        address_ += bytes.number() * head_.least_step;
        return;
      case 3:
        line_ += bytes.signed_number();
        return;
      case 8:
        address_ += (255U - head_.first_special) / head_.line_range * head_.least_step;
        return;
      case 9:
        address_ += bytes.take<std::uint16_t>();
        return;
      default:
        for (std::uint32_t i = 0; i < head_.operands.at(operation); ++i) bytes.number();
    }
  }

  /// Code after the last row belongs to its line.
  void finish() { fill(lines_.size()); }

 private:
  void add_row() {
    fill(std::min<std::uint64_t>(address_ / kBytesOfInstruction, lines_.size()));
    row_line_ = line_;
  }

  void fill(std::uint64_t until) {
    for (; next_ < until; ++next_) lines_[next_] = static_cast<std::uint32_t>(row_line_);
  }

  const Head& head_;
  std::vector<std::uint32_t>& lines_;
  std::uint64_t address_ = 0;
  std::uint64_t next_ = 0;  ///< The first instruction without a line.
  std::int64_t line_ = 1;
  std::int64_t row_line_ = 0;
};

}  // namespace

std::vector<std::uint32_t> ptx_lines(const Elf& cubin, std::string_view kernel, std::size_t count) {
  const auto section = cubin.section(kTable);
  const auto places = cubin.places_of(kernel, kTable);
  if (places.empty()) return {};
  const Head head = head_of(section, places[0]);
  if (head.line_range == 0) return {};
  std::vector<std::uint32_t> lines(count);
  Rows rows(head, lines);
  Bytes bytes(section.first(std::min<std::uint64_t>(head.end, section.size())),
              places[0] + sizeof(std::uint64_t));  // after the start address of the code
  while (!bytes.is_at_end()) {
    const auto operation = bytes.take<std::uint8_t>();
    if (operation >= head.first_special) {
      rows.special(operation - head.first_special);
    } else if (operation != 0) {
      rows.standard(operation, bytes);
    } else {
      const auto length = bytes.number();
      const auto next = bytes.place() + length;
      if (bytes.take<std::uint8_t>() == 1) break;  // the end of the sequence
      bytes.go_to(next);
    }
  }
  rows.finish();
  return lines;
}

}  // namespace warpgrade::timing
