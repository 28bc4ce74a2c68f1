// SPDX-License-Identifier: Apache-2.0
#include "grader/text/legacy_names.h"

#include <iconv.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

#include "common/base/utf8.h"
#include "grader/text/folded.h"

namespace warpgrade::grader::text {
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
