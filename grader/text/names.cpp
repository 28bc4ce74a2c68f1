// SPDX-License-Identifier: Apache-2.0
// Names of people and files, in a form in which all spellings of one name are equal.
// In: names as platforms, archives and systems write them. Out: UTF-8, composed (Unicode's NFC);
// if folded, also in lower case with one space between words.
// Names in archives that are older than UTF-8 are decoded first. Their encoding is guessed: the
// one that reveals the most names of known people.
#include "grader/text/names.h"

#include <iconv.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

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

namespace {

// If two encodings are equally good, the first one wins: the zip format's own.
constexpr std::array<const char*, 8> kEncodings = {"CP437", "CP850", "CP866", "CP1252",
                                                   "CP932", "GBK",   "CP949", "BIG5"};
constexpr std::size_t kFirstOfWindows = 3;
constexpr std::size_t kMostCompared = 1000;  // file names that are compared with people's names
constexpr int kSignCost = 12;
constexpr int kOddCost = 4;
constexpr int kRareCost = 1;
// Syllables of Korean names and of usual names of homework folders. Korean and Chinese use the same
// bytes; a text that consists of these syllables is Korean.
constexpr std::u32string_view kUsualSyllables =
    U"김이박최정강조윤장임한오서신권황안송전홍유고문양손배백허남심노하곽성차주우구민류나진지엄채원"
    U"천방공현"
    U"함변염여추도소석선설마길연위표명기반왕금옥육인맹제모탁국어은편용예경봉사부가수영호준혜희숙미"
    U"자순철상"
    U"동재훈태규승환우빈윤아율채린슬별솔찬건혁범욱섭식일종대중광병학과제출실습보고작업번반이름숙제"
    U"최종";
constexpr std::u32string_view kUsualLetters = U"ÀÁÄÅÆÇÈÉÍÑÓÖØÚÜßàáâãäåæçèéêëíîïñóôõöøùúûü";

enum class Script : std::uint8_t {
  kNone,
  kLatin,
  kAccented,
  kGreek,
  kCyrillic,
  kHan,
  kHangul,
  kSign
};

bool is_in(char32_t point, char32_t first, char32_t last) {
  return point >= first && point <= last;
}

Script script_of(char32_t point) {
  const bool is_letter = is_in(point | 0x20, U'a', U'z');
  if (point < 0x80) return is_letter ? Script::kLatin : Script::kNone;
  if (point == 0xd7 || point == 0xf7) return Script::kSign;
  if (is_in(point, 0xc0, 0x24f)) return Script::kAccented;
  if (is_in(point, 0x370, 0x3ff)) return Script::kGreek;
  if (is_in(point, 0x400, 0x52f)) return Script::kCyrillic;
  // Kana, ideographs and full-width forms share words.
  if (is_in(point, 0x3001, 0x30ff) || is_in(point, 0x4e00, 0x9fff) ||
      is_in(point, 0xff01, 0xff5e)) {
    return Script::kHan;
  }
  if (is_in(point, 0xac00, 0xd7a3)) return Script::kHangul;
  return Script::kSign;
}

bool is_small(char32_t point) { return is_in(point, U'a', U'z') || is_in(point, 0xdf, 0xff); }

bool is_large(char32_t point) { return is_in(point, 0xc0, 0xde) && point != 0xd7; }

// The cost of two neighbours that rarely occur in a word.
int pair_cost(char32_t before, char32_t point) {
  const auto one = script_of(before);
  const auto other = script_of(point);
  if (one == Script::kNone || other == Script::kNone) return 0;
  if (one == Script::kSign || other == Script::kSign) return 0;
  const bool is_latin = one <= Script::kAccented && other <= Script::kAccented;
  if (!is_latin) return one == other ? 0 : kOddCost;
  const bool is_turned = is_small(before) && is_large(point);
  const bool are_accented = one == Script::kAccented && other == Script::kAccented;
  return (is_turned ? 2 * kOddCost : 0) + (are_accented ? kOddCost : 0);
}

int word_cost(std::u32string_view text) {
  int out = 0;
  char32_t before = U' ';
  for (const auto point : text) {
    const auto script = script_of(point);
    if (script == Script::kSign) out += kSignCost;
    const bool is_rare = script == Script::kAccented && kUsualLetters.find(point) == text.npos;
    if (is_rare) out += kRareCost;
    out += pair_cost(before, point);
    before = point;
  }
  return out;
}

// The cost is negative if the syllables of a Korean text are usual ones, and positive otherwise.
int hangul_cost(std::u32string_view text) {
  int usual = 0;
  int all = 0;
  for (const auto point : text) {
    if (script_of(point) != Script::kHangul) continue;
    ++all;
    usual += kUsualSyllables.find(point) == text.npos ? 0 : 1;
  }
  return 4 * usual >= 3 * all && all > 1 ? -all : kOddCost * all;
}

// The cost of double bytes outside the common characters of their encoding, which are rare in
// names.
int seldom_cost(std::string_view encoding, std::string_view bytes) {
  const bool is_gbk = encoding == "GBK";
  const bool is_big5 = encoding == "BIG5";
  const bool is_korean = encoding == "CP949";
  if (!is_gbk && !is_big5 && !is_korean && encoding != "CP932") return 0;
  int out = 0;
  for (std::size_t i = 0; i + 1 < bytes.size(); ++i) {
    const auto lead = static_cast<unsigned char>(bytes[i]);
    const auto trail = static_cast<unsigned char>(bytes[i + 1]);
    const bool is_kana = encoding == "CP932" && lead >= 0xa0 && lead < 0xe0;
    if (lead < 0x81 || is_kana) continue;
    const bool is_common = is_gbk      ? lead >= 0xb0 && lead <= 0xf7 && trail >= 0xa1
                           : is_big5   ? lead >= 0xa4 && lead <= 0xc6
                           : is_korean ? lead >= 0xb0 && lead <= 0xc8 && trail >= 0xa1
                                       : lead < 0x98;
    out += is_common ? 0 : kOddCost;
    ++i;
  }
  return out;
}

class Converters {
 public:
  Converters() {
    for (std::size_t i = 0; i < kEncodings.size(); ++i)
      open_[i] = iconv_open("UTF-32LE", kEncodings[i]);
  }
  Converters(const Converters&) = delete;
  Converters& operator=(const Converters&) = delete;
  ~Converters() {
    for (auto* one : open_) {
      if (one != none()) iconv_close(one);
    }
  }

  std::optional<std::u32string> convert(std::size_t encoding, const std::string& bytes) {
    if (open_[encoding] == none()) return std::nullopt;
    std::u32string out(bytes.size() + 1, U'\0');
    auto from = bytes;
    auto* in = from.data();
    auto* to = reinterpret_cast<char*>(out.data());
    auto in_left = from.size();
    auto out_left = out.size() * sizeof(char32_t);
    iconv(open_[encoding], nullptr, nullptr, nullptr, nullptr);
    const auto state = iconv(open_[encoding], &in, &in_left, &to, &out_left);
    if (state == static_cast<std::size_t>(-1) || in_left != 0) return std::nullopt;
    out.resize(out.size() - out_left / sizeof(char32_t));
    return out;
  }

 private:
  static iconv_t none() { return reinterpret_cast<iconv_t>(-1); }
  std::array<iconv_t, kEncodings.size()> open_{};
};

Converters& converters() {
  static Converters all;
  return all;
}

std::string utf8_of(std::u32string_view text) {
  std::string out;
  for (const auto point : text) base::append_utf8(out, point);
  return out;
}

// The number of people whose names are in the texts.
std::size_t people_in(const std::vector<std::u32string>& texts,
                      const std::vector<std::string>& people) {
  std::string all;
  for (std::size_t i = 0; i < std::min(texts.size(), kMostCompared); ++i) {
    all += squashed_text(utf8_of(texts[i])) + "\n";
  }
  std::size_t out = 0;
  for (const auto& one : people) {
    const auto name = squashed_text(one);
    const bool is_ascii = std::ranges::none_of(name, [](char c) { return (c & 0x80) != 0; });
    out += !is_ascii && all.find(name) != std::string::npos ? 1 : 0;
  }
  return out;
}

}  // namespace

void load_legacy_encodings() { converters(); }

namespace {

void decode_legacy(const std::vector<std::string*>& names, const std::vector<std::string>& people,
                   std::size_t first) {
  int signs = 0;  // Bytes beyond ASCII, as if all were signs.
  for (const auto* name : names) {
    for (const char c : *name) signs += static_cast<unsigned char>(c) > 0x7f ? 1 : 0;
  }
  std::optional<std::vector<std::u32string>> best;
  std::size_t most_people = 0;
  int least = kSignCost * signs / 2;  // The limit on costs: names do not consist of signs.
  for (std::size_t i = first; i < kEncodings.size(); ++i) {
    std::vector<std::u32string> texts;
    int cost = 0;
    for (const auto* name : names) {
      auto text = converters().convert(i, *name);
      if (!text) break;
      cost += word_cost(*text) + hangul_cost(*text) + seldom_cost(kEncodings[i], *name);
      texts.push_back(*std::move(text));
    }
    if (texts.size() != names.size()) continue;
    const auto known = people_in(texts, people);
    if (known < most_people || (known == most_people && cost >= least)) continue;
    most_people = known;
    least = cost;
    best = std::move(texts);
  }
  if (!best) return;
  for (std::size_t i = 0; i < names.size(); ++i) *names[i] = utf8_of((*best)[i]);
}

}  // namespace

void decode_legacy_names(const std::vector<std::string*>& names,
                         const std::vector<std::string>& people) {
  decode_legacy(names, people, 0);
}

void decode_legacy_cells(const std::vector<std::string*>& cells) {
  decode_legacy(cells, {}, kFirstOfWindows);
}

}  // namespace warpgrade::grader::text
