// SPDX-License-Identifier: Apache-2.0
#include "grader/text/folded.h"

#include <algorithm>
#include <optional>

#include "common/base/utf8.h"
#include "grader/text/composed.h"

namespace warpgrade::grader::text {
namespace {

bool is_between(char32_t point, char32_t first, char32_t last) {
  return point >= first && point <= last;
}

char32_t small_letter(char32_t point) {
  if (is_between(point, U'A', U'Z')) return point + 0x20;
  if (is_between(point, 0xc0, 0xde) && point != 0xd7) return point + 0x20;
  // Latin Extended-A and -B: an uppercase letter precedes its lowercase one.
  const bool starts_odd = is_between(point, 0x139, 0x148) || is_between(point, 0x179, 0x17e);
  if (starts_odd) return point % 2 == 1 ? point + 1 : point;
  if (point == 0x178) return 0xff;
  const bool starts_even = is_between(point, 0x100, 0x137) || is_between(point, 0x14a, 0x177) ||
                           is_between(point, 0x1de, 0x1ef) || is_between(point, 0x1f8, 0x21f) ||
                           is_between(point, 0x1e00, 0x1eff);
  if (starts_even && point != 0x130 && point != 0x131) return point | 1U;
  if (point == 0x1a0 || point == 0x1af) return point + 1;  // Vietnamese letters with a horn
  if (is_between(point, 0x391, 0x3a9)) return point + 0x20;
  if (point == 0x386) return 0x3ac;
  if (is_between(point, 0x388, 0x38a)) return point + 0x25;
  if (point == 0x38c) return 0x3cc;
  if (is_between(point, 0x38e, 0x38f)) return point + 0x3f;
  if (point == 0x3c2) return 0x3c3;  // final sigma
  if (is_between(point, 0x410, 0x42f)) return point + 0x20;
  if (is_between(point, 0x400, 0x40f)) return point + 0x50;
  return point;
}

bool is_word(char32_t point) {
  if (point < 0x80) return is_between(point, U'a', U'z') || is_between(point, U'0', U'9');
  const bool is_sign = is_between(point, 0x80, 0xbf) && point != 0xaa && point != 0xba;
  return !is_sign && point != 0xd7 && point != 0xf7 && !is_between(point, 0x2000, 0x206f);
}

// Calls `function(bytes, point)` for each character, and for each byte that is not valid UTF-8,
// with no code point.
template <typename Function>
void for_each_character(std::string_view text, const Function& function) {
  while (!text.empty()) {
    const auto length = base::utf8_length(text);
    const auto bytes = text.substr(0, std::max<std::size_t>(length, 1));
    function(bytes,
             length > 0 ? std::optional(base::first_code_point(text, length)) : std::nullopt);
    text.remove_prefix(bytes.size());
  }
}

}  // namespace

std::string folded_text(std::string_view text) {
  std::string out;
  for_each_character(composed_text(text), [&](std::string_view bytes, auto point) {
    const bool is_space = point == U' ' || point == char32_t{0xa0};
    if (!point) {
      out += bytes;
    } else if (!is_space) {
      base::append_utf8(out, small_letter(*point));
    } else if (!out.empty() && out.back() != ' ') {
      out += ' ';
    }
  });
  if (out.ends_with(' ')) out.pop_back();
  return out;
}

std::string squashed_text(std::string_view text) {
  std::string out;
  for_each_character(folded_text(text), [&](std::string_view bytes, auto point) {
    if (!point || is_word(*point)) out += bytes;
  });
  return out;
}

}  // namespace warpgrade::grader::text
