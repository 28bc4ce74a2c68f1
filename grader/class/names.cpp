// SPDX-License-Identifier: Apache-2.0
// Names of people and files.
//
// In: names as platforms, archives and systems write them. Out: the groups that a regular
// expression (PCRE2) finds in a name, and names as composed or folded UTF-8, in which all
// spellings of one name are equal.
// A match may take a limited number of steps, so that no name can stop a run.
// Names in archives that are older than UTF-8 are decoded first. Their encoding is guessed: the
// one that reveals the most names of known people. uchardet recognises no encoding in so few bytes.
#define PCRE2_CODE_UNIT_WIDTH 8
#include "grader/class/names.h"

#include <fmt/format.h>
#include <iconv.h>
#include <pcre2.h>
#include <utf8proc.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "common/base/error.h"
#include "common/base/utf8.h"

namespace warpgrade::grader::class_book {
namespace {

constexpr std::uint32_t kMostSteps = 100'000;  // of one match; a name needs some dozens

pcre2_code* code_in(const std::shared_ptr<void>& code) {
  return static_cast<pcre2_code*>(code.get());
}

bool has_group(const std::shared_ptr<void>& code, const char* name) {
  return pcre2_substring_number_from_name(code_in(code), reinterpret_cast<PCRE2_SPTR>(name)) >= 0;
}

std::string group(pcre2_match_data* data, const char* name) {
  PCRE2_UCHAR* text = nullptr;
  PCRE2_SIZE size = 0;
  if (pcre2_substring_get_byname(data, reinterpret_cast<PCRE2_SPTR>(name), &text, &size) != 0) {
    return {};
  }
  std::string out(reinterpret_cast<const char*>(text), size);
  pcre2_substring_free(text);
  return out;
}

}  // namespace

NameRule::NameRule(const std::string& expression) {
  int error = 0;
  PCRE2_SIZE at = 0;
  auto* code = pcre2_compile(reinterpret_cast<PCRE2_SPTR>(expression.data()), expression.size(), 0,
                             &error, &at, nullptr);
  if (code == nullptr) {
    std::array<PCRE2_UCHAR, 256> text{};
    pcre2_get_error_message(error, text.data(), text.size());
    throw base::UsageError(fmt::format("the regular expression is wrong at its character {}: {}",
                                       at + 1, reinterpret_cast<const char*>(text.data())));
  }
  code_ = std::shared_ptr<void>(
      code, [](void* pointer) { pcre2_code_free(static_cast<pcre2_code*>(pointer)); });
  if (!has_group(code_, "student")) {
    throw base::UsageError("the regular expression has no group (?<student>...)");
  }
}

std::optional<std::vector<std::string>> NameRule::groups(
    std::string_view text, const std::vector<const char*>& names) const {
  const std::unique_ptr<pcre2_match_context, decltype(&pcre2_match_context_free)> context(
      pcre2_match_context_create(nullptr), pcre2_match_context_free);
  const std::unique_ptr<pcre2_match_data, decltype(&pcre2_match_data_free)> data(
      pcre2_match_data_create_from_pattern(code_in(code_), nullptr), pcre2_match_data_free);
  pcre2_set_match_limit(context.get(), kMostSteps);
  const int found = pcre2_match(code_in(code_), reinterpret_cast<PCRE2_SPTR>(text.data()),
                                text.size(), 0, 0, data.get(), context.get());
  if (found < 0) return std::nullopt;
  std::vector<std::string> out;
  for (const auto* name : names) out.push_back(group(data.get(), name));
  return out;
}

std::optional<NameParts> NameRule::match_text(std::string_view text) const {
  const auto found = groups(text, {"student", "lab", "exercise", "time", "attempt"});
  if (!found) return std::nullopt;
  return NameParts{(*found)[0], (*found)[1], (*found)[2], (*found)[3], (*found)[4]};
}

std::optional<NameParts> NameRule::match(std::string_view path) const {
  const auto last = path.substr(path.rfind('/') + 1);
  if (auto found = match_text(last)) return found;
  return match_text(path);
}

bool fits_pattern(std::string_view pattern, std::string_view name) {
  if (pattern.empty()) return name.empty();
  if (pattern.front() == '*') {
    for (std::size_t i = 0; i <= name.size(); ++i) {
      if (fits_pattern(pattern.substr(1), name.substr(i))) return true;
    }
    return false;
  }
  return !name.empty() && (pattern.front() == '?' || pattern.front() == name.front()) &&
         fits_pattern(pattern.substr(1), name.substr(1));
}

namespace {

// Bytes of valid UTF-8 at the start of `text`.
std::size_t valid_length(std::string_view text) {
  std::size_t out = 0;
  while (out < text.size()) {
    const auto length = base::utf8_length(text.substr(out));
    if (length == 0) break;
    out += length;
  }
  return out;
}

// Valid UTF-8 in Unicode's form NFC.
std::string normal_form(std::string_view text) {
  utf8proc_uint8_t* bytes = nullptr;
  const auto length =
      utf8proc_map(reinterpret_cast<const utf8proc_uint8_t*>(text.data()),
                   static_cast<utf8proc_ssize_t>(text.size()), &bytes,
                   static_cast<utf8proc_option_t>(UTF8PROC_STABLE | UTF8PROC_COMPOSE));
  const std::unique_ptr<utf8proc_uint8_t, decltype(&std::free)> owned(bytes, &std::free);
  if (length < 0) return std::string(text);
  return {reinterpret_cast<const char*>(bytes), static_cast<std::size_t>(length)};
}

// Calls `on_point(bytes, point)` for each character. Adds bytes that are not valid UTF-8 to `out`.
template <typename OnPoint>
void for_each_point(std::string_view text, std::string& out, const OnPoint& on_point) {
  while (!text.empty()) {
    const auto length = base::utf8_length(text);
    const auto bytes = text.substr(0, std::max<std::size_t>(length, 1));
    if (length > 0) {
      on_point(bytes, base::first_code_point(text, length));
    } else {
      out += bytes;
    }
    text.remove_prefix(bytes.size());
  }
}

char32_t small_letter(char32_t point) {
  // A sigma at the end of a word has a form of its own.
  if (point == U'ς') return U'σ';
  return static_cast<char32_t>(utf8proc_tolower(static_cast<utf8proc_int32_t>(point)));
}

bool is_letter_or_digit(char32_t point) {
  const auto category = utf8proc_category(static_cast<utf8proc_int32_t>(point));
  return category >= UTF8PROC_CATEGORY_LU && category <= UTF8PROC_CATEGORY_NO;
}

}  // namespace

std::string ascii_lower(std::string_view text) {
  std::string out(text);
  for (auto& c : out) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return out;
}

std::string url_path(std::string_view path) {
  std::string out;
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain =
        byte < 128 && (std::isalnum(byte) != 0 || c == '-' || c == '.' || c == '_' || c == '/');
    out += plain ? std::string(1, c) : fmt::format("%{:02X}", byte);
  }
  return out;
}

bool is_archive_name(std::string_view path) {
  static constexpr std::array<std::string_view, 7> kSuffixes = {".zip", ".tar", ".tgz", ".tbz2",
                                                                ".txz", ".7z",  ".rar"};
  const auto lower = ascii_lower(path);
  return !unpacked_name(path).empty() ||
         std::ranges::any_of(kSuffixes, [&](auto suffix) { return lower.ends_with(suffix); });
}

std::string_view unpacked_name(std::string_view path) {
  static constexpr std::array<std::string_view, 4> kSuffixes = {".gz", ".bz2", ".xz", ".zst"};
  const auto lower = ascii_lower(path);
  for (const auto suffix : kSuffixes) {
    if (lower.ends_with(suffix)) return path.substr(0, path.size() - suffix.size());
  }
  return {};
}

bool may_be_work(std::string_view path) {
  static constexpr std::array<std::string_view, 8> kSuffixes = {
      ".cu", ".toml", ".cpp", ".cc", ".cxx", ".c", ".cu.txt", ".toml.txt"};
  const auto name = ascii_lower(path.substr(path.rfind('/') + 1));
  return std::ranges::any_of(kSuffixes, [&](auto suffix) { return name.ends_with(suffix); });
}

bool is_header(std::string_view path) {
  static constexpr std::array<std::string_view, 5> kSuffixes = {".h", ".hpp", ".cuh", ".inl",
                                                                ".hxx"};
  return std::ranges::any_of(kSuffixes, [&](auto suffix) { return path.ends_with(suffix); });
}

std::string composed_text(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const auto valid = valid_length(text);
    out += normal_form(text.substr(0, valid));
    text.remove_prefix(valid);
    if (text.empty()) break;
    out += text.front();
    text.remove_prefix(1);
  }
  return out;
}

// The spaces of Unicode's category Zs.
static bool is_space(char32_t point) {
  return point == U' ' || point == 0xa0 || (point >= 0x2000 && point <= 0x200a) ||
         point == 0x202f || point == 0x205f || point == 0x3000;
}

// Marks that no reader sees: soft hyphens, joiners, and the direction of a text.
static bool is_invisible(char32_t point) {
  return point == 0xad || (point >= 0x200b && point <= 0x200f) ||
         (point >= 0x202a && point <= 0x202e) || (point >= 0x2060 && point <= 0x2069) ||
         point == 0xfeff;
}

std::string visible_text(std::string_view text) {
  std::string out;
  for_each_point(composed_text(text), out, [&](std::string_view bytes, char32_t point) {
    if (!is_invisible(point)) out += bytes;
  });
  return out;
}

std::string folded_text(std::string_view text) {
  std::string out;
  for_each_point(composed_text(text), out, [&](std::string_view /*bytes*/, char32_t point) {
    if (is_invisible(point)) return;
    if (!is_space(point)) {
      base::append_utf8(out, small_letter(point));
    } else if (!out.empty() && out.back() != ' ') {
      out += ' ';
    }
  });
  if (out.ends_with(' ')) out.pop_back();
  return out;
}

std::string squashed_text(std::string_view text) {
  std::string out;
  for_each_point(folded_text(text), out, [&](std::string_view bytes, char32_t point) {
    if (is_letter_or_digit(point)) out += bytes;
  });
  return out;
}

namespace {

bool is_between(char32_t point, char32_t first, char32_t last) {
  return point >= first && point <= last;
}

// If two encodings are equally good, the first one wins: the zip format's own.
constexpr std::array<const char*, 23> kEncodings = {
    "CP437",  "CP850",  "CP866",  "CP1252", "CP932",  "GBK",    "CP949", "BIG5",
    "CP852",  "CP1250", "CP857",  "CP1254", "CP737",  "CP1253", "CP855", "CP1251",
    "CP1257", "CP775",  "CP1255", "CP862",  "CP1256", "CP1258", "CP874"};
constexpr std::size_t kFirstOfWindows = 3;
// From here on an encoding needs a name of the roster: their letters make words in any other one.
constexpr std::size_t kFirstByPeople = 8;
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

Script script_of(char32_t point) {
  const bool is_letter = is_between(point | 0x20, U'a', U'z');
  if (point < 0x80) return is_letter ? Script::kLatin : Script::kNone;
  if (point == 0xd7 || point == 0xf7) return Script::kSign;
  if (is_between(point, 0xc0, 0x24f)) return Script::kAccented;
  if (is_between(point, 0x370, 0x3ff)) return Script::kGreek;
  if (is_between(point, 0x400, 0x52f)) return Script::kCyrillic;
  // Kana, ideographs and full-width forms share words.
  if (is_between(point, 0x3001, 0x30ff) || is_between(point, 0x4e00, 0x9fff) ||
      is_between(point, 0xff01, 0xff5e)) {
    return Script::kHan;
  }
  if (is_between(point, 0xac00, 0xd7a3)) return Script::kHangul;
  return Script::kSign;
}

bool is_small(char32_t point) {
  return is_between(point, U'a', U'z') || is_between(point, 0xdf, 0xff);
}

bool is_large(char32_t point) { return is_between(point, 0xc0, 0xde) && point != 0xd7; }

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
  const auto end = people.empty() ? kFirstByPeople : kEncodings.size();
  for (std::size_t i = first; i < end; ++i) {
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
    if (i >= kFirstByPeople && known == 0) continue;
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

}  // namespace warpgrade::grader::class_book
