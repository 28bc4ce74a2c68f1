// SPDX-License-Identifier: Apache-2.0
#include "grader/text/legacy_names.h"

#include <iconv.h>

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

#include "common/base/utf8.h"

namespace warpgrade::grader {
namespace {

// The first of two equally good ones counts: the zip format's own.
constexpr std::array<const char*, 6> kEncodings = {"CP437", "CP850", "CP1252",
                                                   "CP866", "CP932", "GBK"};
constexpr int kSignCost = 12;
constexpr int kOddCost = 4;
constexpr int kRareCost = 1;
constexpr std::u32string_view kUsualLetters = U"ÀÁÄÅÆÇÈÉÍÑÓÖØÚÜßàáâãäåæçèéêëíîïñóôõöøùúûü";

enum class Script : std::uint8_t { kNone, kLatin, kAccented, kGreek, kCyrillic, kHan, kSign };

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
  return Script::kSign;
}

bool is_small(char32_t point) { return is_in(point, U'a', U'z') || is_in(point, 0xdf, 0xff); }

bool is_large(char32_t point) { return is_in(point, 0xc0, 0xde) && point != 0xd7; }

// The cost of two neighbours that a word seldom has.
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

// Double bytes outside the common characters of their encoding: those are seldom in names.
int seldom_cost(std::string_view encoding, std::string_view bytes) {
  const bool is_gbk = encoding == "GBK";
  if (!is_gbk && encoding != "CP932") return 0;
  int out = 0;
  for (std::size_t i = 0; i + 1 < bytes.size(); ++i) {
    const auto lead = static_cast<unsigned char>(bytes[i]);
    const auto trail = static_cast<unsigned char>(bytes[i + 1]);
    if (lead < 0x81 || (!is_gbk && lead >= 0xa0 && lead < 0xe0)) continue;
    const bool is_common = is_gbk ? lead >= 0xb0 && lead <= 0xf7 && trail >= 0xa1 : lead < 0x98;
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

}  // namespace

void load_legacy_encodings() { converters(); }

void decode_legacy_names(std::vector<std::string*> names) {
  int signs = 0;  // If no byte is a letter.
  for (const auto* name : names) {
    for (const char c : *name) signs += static_cast<unsigned char>(c) > 0x7f ? 1 : 0;
  }
  std::optional<std::vector<std::u32string>> best;
  int least = kSignCost * signs / 2;  // Names do not consist of signs.
  for (std::size_t i = 0; i < kEncodings.size(); ++i) {
    std::vector<std::u32string> texts;
    int cost = 0;
    for (const auto* name : names) {
      auto text = converters().convert(i, *name);
      if (!text) break;
      cost += word_cost(*text) + seldom_cost(kEncodings[i], *name);
      texts.push_back(*std::move(text));
    }
    if (texts.size() != names.size() || cost >= least) continue;
    least = cost;
    best = std::move(texts);
  }
  if (!best) return;
  for (std::size_t i = 0; i < names.size(); ++i) {
    names[i]->clear();
    for (const auto point : (*best)[i]) base::append_utf8(*names[i], point);
  }
}

}  // namespace warpgrade::grader
