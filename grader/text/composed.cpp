// SPDX-License-Identifier: Apache-2.0
#include "grader/text/composed.h"

#include <algorithm>
#include <array>
#include <cstdint>

#include "common/base/utf8.h"

namespace warpgrade::grader::text {
namespace {

struct Composition {
  char32_t base;
  char32_t mark;
  char32_t composed;
};

constexpr Composition kCompositions[] = {
#include "grader/text/compositions.inc"
};

// Hangul: a leading consonant, a vowel and a trailing consonant make a syllable (chapter 3.12).
char32_t hangul_of(char32_t base, char32_t next) {
  constexpr char32_t kSyllables = 0xac00;
  constexpr char32_t kLeading = 0x1100;
  constexpr char32_t kVowels = 0x1161;
  constexpr char32_t kTrailing = 0x11a7;
  if (base >= kLeading && base < kLeading + 19 && next >= kVowels && next < kVowels + 21) {
    return kSyllables + ((base - kLeading) * 21 + (next - kVowels)) * 28;
  }
  const bool is_open = base >= kSyllables && base < 0xd7a4 && (base - kSyllables) % 28 == 0;
  return is_open && next > kTrailing && next < kTrailing + 28 ? base + next - kTrailing : 0;
}

// The letter that both compose; 0 if they do not compose.
char32_t composed_of(char32_t base, char32_t mark) {
  if (const auto hangul = hangul_of(base, mark)) return hangul;
  const auto key = std::pair(base, mark);
  const auto* const found = std::ranges::lower_bound(
      kCompositions, key, {}, [](const Composition& one) { return std::pair(one.base, one.mark); });
  const bool is_there =
      found != std::end(kCompositions) && found->base == base && found->mark == mark;
  return is_there ? found->composed : 0;
}

}  // namespace

std::string composed_text(std::string_view text) {
  std::string out;
  std::size_t begin = std::string::npos;  // Position of the last letter in `out`.
  char32_t last = 0;
  while (!text.empty()) {
    const auto length = base::utf8_length(text);
    if (length == 0) {
      out += text.front();
      text.remove_prefix(1);
      begin = std::string::npos;
      continue;
    }
    const auto point = base::first_code_point(text, length);
    const auto joined = begin == std::string::npos ? 0 : composed_of(last, point);
    if (joined != 0) {
      out.resize(begin);
      last = joined;
    } else {
      begin = out.size();
      last = point;
    }
    base::append_utf8(out, last);
    text.remove_prefix(length);
  }
  return out;
}

}  // namespace warpgrade::grader::text
