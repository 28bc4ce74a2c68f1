// SPDX-License-Identifier: Apache-2.0
#include "grader/class/column_titles.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "common/base/embedded_file.h"
#include "common/base/toml_text.h"
#include "grader/class/column_titles_file.h"
#include "grader/class/names.h"
#include "grader/class/timestamps.h"

namespace warpgrade::grader::class_book {
namespace {

constexpr std::array<std::string_view, 11> kMeanings = {"student", "first",    "last",    "name",
                                                        "login",   "number",   "id",      "email",
                                                        "maximum", "modified", "feedback"};

// The titles and months of one language, folded.
struct Language {
  std::string name;
  std::map<ColumnMeaning, std::vector<std::string>> titles;
  std::vector<std::string> months;
};

std::vector<std::string> texts_of(const toml::node& node) {
  std::vector<std::string> out;
  for (const auto& one : *node.as_array()) out.push_back(folded_text(*one.value<std::string>()));
  return out;
}

const std::vector<Language>& languages() {
  static const auto kAll = [] {
    std::vector<Language> out;
    const auto parsed = base::parse_toml(std::string(kColumnTitles[0].text), "column_titles.toml");
    for (const auto& [language, table] : parsed) {
      auto& one = out.emplace_back();
      one.name = language.str();
      for (const auto& [key, texts] : *table.as_table()) {
        if (const auto meaning = meaning_called(key.str())) one.titles[*meaning] = texts_of(texts);
        if (key.str() == "months") one.months = texts_of(texts);
      }
    }
    return out;
  }();
  return kAll;
}

// The first column of each meaning that has one of the language's titles.
std::map<ColumnMeaning, std::size_t> in_language(const Language& language,
                                                 const std::vector<std::string>& titles) {
  std::map<ColumnMeaning, std::size_t> out;
  for (const auto& [meaning, known] : language.titles) {
    const auto found = std::ranges::find_first_of(titles, known);
    if (found != titles.end()) out[meaning] = static_cast<std::size_t>(found - titles.begin());
  }
  // Italian has one word for the first name and for the whole name.
  const auto whole = out.find(ColumnMeaning::kName);
  const auto first = out.find(ColumnMeaning::kFirst);
  if (whole != out.end() && first != out.end() && whole->second == first->second) {
    out.erase(out.contains(ColumnMeaning::kLast) ? whole : first);
  }
  return out;
}

// The month that a word begins, in any language; nullopt if it begins two.
std::optional<int> month_of(const std::string& word) {
  const auto folded = folded_text(word);
  constexpr std::size_t kFewestBytes = 3;
  std::set<int> found;
  for (const auto& language : languages()) {
    for (std::size_t i = 0; i < language.months.size(); ++i) {
      const bool fits = folded.size() >= kFewestBytes && language.months[i].starts_with(folded);
      if (fits) found.insert(static_cast<int>(i) + 1);
    }
  }
  return found.size() == 1 ? std::optional(*found.begin()) : std::nullopt;
}

}  // namespace

std::string_view name(ColumnMeaning meaning) {
  return kMeanings.at(static_cast<std::size_t>(meaning));
}

std::optional<ColumnMeaning> meaning_called(std::string_view text) {
  const auto* const found = std::ranges::find(kMeanings, text);
  if (found == kMeanings.end()) return std::nullopt;
  return static_cast<ColumnMeaning>(found - kMeanings.begin());
}

std::map<ColumnMeaning, std::size_t> meanings_of(const std::vector<std::string>& titles,
                                                 const IdentityTitles& own) {
  std::vector<std::string> folded;
  for (const auto& one : titles) folded.push_back(folded_text(one));
  std::map<ColumnMeaning, std::size_t> out;
  for (const auto& [meaning, title] : own) {
    const auto found = std::ranges::find(folded, folded_text(title));
    if (found != folded.end()) out[meaning] = static_cast<std::size_t>(found - folded.begin());
  }
  std::map<ColumnMeaning, std::size_t> english;
  std::map<ColumnMeaning, std::size_t> other;
  for (const auto& language : languages()) {
    auto found = in_language(language, folded);
    if (language.name == "en") {
      english = std::move(found);
    } else if (found.size() > other.size()) {
      other = std::move(found);
    }
  }
  // A column has one meaning. A file in English stays English, also if a word of it is one of
  // another language.
  const bool is_english = english.size() >= other.size();
  for (const auto& found : {is_english ? english : other, is_english ? other : english}) {
    for (const auto& [meaning, column] : found) {
      const bool is_free = std::ranges::none_of(
          out, [at = column](const auto& known) { return known.second == at; });
      if (is_free) out.try_emplace(meaning, column);
    }
  }
  return out;
}

std::optional<std::int64_t> moodle_time(const std::string& text, const TimeZone& zone) {
  if (const auto plain = parse_time(text, zone)) return plain;
  static const NameRule kWithWord(
      R"(^(?:[^\d]*[\s,])?(?<d>\d{1,2})\.?\s+(?:de\s+)?(?<month>[^\s\d.,]+)\.?\s+(?:de\s+)?(?<y>\d{4})(?:,|،|\s+às|\s)\s*(?<h>\d{1,2}):(?<mi>\d\d)\s*(?:(?<am>[Aa][Mm]|ÖÖ|ص)|(?<pm>[Pp][Mm]|ÖS|م))?\s*$(?<student>))");
  static const NameRule kInChinese(
      R"(^(?<y>\d{4})年\s*(?<month>\d{1,2})月\s*(?<d>\d{1,2})日[^\d]*(?<h>\d{1,2}):(?<mi>\d\d)\s*(?<am>)(?<pm>)$(?<student>))");
  for (const auto* form : {&kWithWord, &kInChinese}) {
    const auto parts = form->groups(text, {"y", "month", "d", "h", "mi", "am", "pm"});
    if (!parts) continue;
    const auto& all = *parts;
    const auto month = form == &kInChinese ? std::stoi(all[1]) : month_of(all[1]).value_or(0);
    auto hour = std::stoi(all[3]);
    const bool is_half = !all[5].empty() || !all[6].empty();
    if (is_half && (hour < 1 || hour > 12)) return std::nullopt;
    if (is_half) hour = hour % 12 + (all[6].empty() ? 0 : 12);
    return parse_time(
        fmt::format("{}-{:02}-{:02} {:02}:{}", all[0], month, std::stoi(all[2]), hour, all[4]),
        zone);
  }
  return std::nullopt;
}

}  // namespace warpgrade::grader::class_book
