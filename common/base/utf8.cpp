// SPDX-License-Identifier: Apache-2.0
#include "common/base/utf8.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace warpgrade::base {

std::size_t utf8_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const auto lead = byte(0);
  if (lead < 0x80) return 1;
  const std::size_t length = lead >= 0xc2 && lead <= 0xdf   ? 2
                             : lead >= 0xe0 && lead <= 0xef ? 3
                             : lead >= 0xf0 && lead <= 0xf4 ? 4
                                                            : 0;
  if (length == 0 || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return 0;
  }
  const bool overlong = (lead == 0xe0 && byte(1) < 0xa0) || (lead == 0xf0 && byte(1) < 0x90);
  const bool surrogate = lead == 0xed && byte(1) >= 0xa0;
  const bool too_large = lead == 0xf4 && byte(1) >= 0x90;
  return overlong || surrogate || too_large ? 0 : length;
}

std::string replace_invalid_utf8(std::string_view text) {
  std::string out(text);
  for (std::size_t at = 0; at < out.size();) {
    const auto length = utf8_length(text.substr(at));
    if (length == 0) out[at] = '?';
    at += std::max<std::size_t>(length, 1);
  }
  return out;
}

char32_t first_code_point(std::string_view text, std::size_t length) {
  char32_t point = static_cast<unsigned char>(text[0]);
  if (length > 1) point &= 0x7fU >> length;
  for (std::size_t i = 1; i < length; ++i) {
    point = point << 6 | (static_cast<unsigned char>(text[i]) & 0x3fU);
  }
  return point;
}

void append_utf8(std::string& out, char32_t code_point) {
  if (code_point < 0x80) {
    out += static_cast<char>(code_point);
    return;
  }
  const int tails = code_point < 0x800 ? 1 : code_point < 0x10000 ? 2 : 3;
  constexpr char32_t kLead[] = {0, 0xc0, 0xe0, 0xf0};
  out += static_cast<char>(kLead[tails] | code_point >> 6 * tails);
  for (int i = tails - 1; i >= 0; --i) {
    out += static_cast<char>(0x80 | (code_point >> 6 * i & 0x3f));
  }
}

namespace {

enum class Order { kNone, kLittle, kBig };

Order utf16_order(std::string_view bytes) {
  if (bytes.starts_with("\xff\xfe")) return Order::kLittle;
  if (bytes.starts_with("\xfe\xff")) return Order::kBig;
  if (bytes.size() % 2 != 0) return Order::kNone;
  const auto sample = bytes.substr(0, 4096);
  std::array<std::size_t, 2> zeros = {0, 0};
  for (std::size_t i = 0; i < sample.size(); ++i) zeros.at(i % 2) += sample[i] == '\0' ? 1 : 0;
  const auto half = sample.size() / 2;
  if (half == 0) return Order::kNone;
  if (zeros[1] * 10 >= half * 7 && zeros[0] * 10 < half) return Order::kLittle;
  if (zeros[0] * 10 >= half * 7 && zeros[1] * 10 < half) return Order::kBig;
  return Order::kNone;
}

}  // namespace

std::optional<std::string> utf8_of_utf16(std::string_view bytes) {
  const auto order = utf16_order(bytes);
  if (order == Order::kNone) return std::nullopt;
  const auto unit = [&](std::size_t i) -> char32_t {
    if (i + 1 >= bytes.size()) return 0;
    const auto first = static_cast<unsigned char>(bytes[i]);
    const auto second = static_cast<unsigned char>(bytes[i + 1]);
    return order == Order::kLittle ? first | second << 8U : first << 8U | second;
  };
  std::string out;
  for (std::size_t i = 0; i + 1 < bytes.size(); i += 2) {
    const auto code = unit(i);
    const auto next = unit(i + 2);
    if (code >= 0xd800 && code < 0xdc00 && next >= 0xdc00 && next < 0xe000) {
      append_utf8(out, 0x10000 + ((code - 0xd800) << 10U) + (next - 0xdc00));
      i += 2;
    } else if (code >= 0xd800 && code < 0xe000) {
      out += '?';
    } else if (code != 0xfeff) {
      append_utf8(out, code);
    }
  }
  return out;
}

}  // namespace warpgrade::base
