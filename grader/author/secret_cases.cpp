// SPDX-License-Identifier: Apache-2.0
#include "grader/author/secret_cases.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "common/base/toml_text.h"

namespace warpgrade::grader::author {
namespace {

constexpr std::string_view kBlank = " \t\r";

// A half-open range of offsets.
struct Cut {
  std::size_t begin = 0;
  std::size_t end = 0;
};

class CutFinder {
 public:
  explicit CutFinder(std::string_view text) : text_(text) {}

  void add_set(const toml::table& set) {
    for (const auto& [name, value] : set) {
      const auto* item = value.as_table();
      if (item == nullptr || !is_secret(*item)) continue;
      if (item->is_inline()) {
        add_value(offset(name.source().begin), offset(item->source().end));
      } else {
        add_section(offset(item->source().begin));
      }
    }
  }

  void add_list(const toml::array& list) {
    for (const auto& value : list) {
      const auto* item = value.as_table();
      if (item == nullptr || !is_secret(*item)) continue;
      if (item->is_inline()) {
        add_value(offset(item->source().begin), offset(item->source().end));
      } else {
        add_section(offset(item->source().begin));
      }
    }
  }

  // The text without the ranges found.
  std::string rest() {
    std::ranges::sort(cuts_, {}, &Cut::begin);
    std::string out;
    std::size_t at = 0;
    for (const auto& cut : cuts_) {
      if (cut.begin > at) out += text_.substr(at, cut.begin - at);
      at = std::max(at, cut.end);
    }
    return out += text_.substr(std::min(at, text_.size()));
  }

  std::size_t count() const { return cuts_.size(); }

 private:
  static bool is_secret(const toml::table& item) {
    const auto* flag = item.get("secret");
    return flag != nullptr && flag->value_or(false);
  }

  // Columns count code points.
  std::size_t offset(const toml::source_position& place) const {
    std::size_t at = 0;
    for (toml::source_index line = 1; line < place.line; ++line) at = text_.find('\n', at) + 1;
    for (toml::source_index column = 1; column < place.column && at < text_.size(); ++column) {
      do {
        ++at;
      } while (at < text_.size() && (static_cast<unsigned char>(text_[at]) & 0xC0U) == 0x80U);
    }
    return at;
  }

  std::size_t line_begin(std::size_t at) const {
    const auto before = at == 0 ? std::string_view::npos : text_.rfind('\n', at - 1);
    return before == std::string_view::npos ? 0 : before + 1;
  }

  std::size_t after_blanks(std::size_t at) const {
    return std::min(text_.find_first_not_of(kBlank, at), text_.size());
  }

  // A value with its comma, or the whole line if nothing else is on it.
  void add_value(std::size_t begin, std::size_t end) {
    auto next = after_blanks(end);
    const bool has_comma = next < text_.size() && text_[next] == ',';
    if (has_comma) end = next + 1;
    next = after_blanks(end);
    const auto start = line_begin(begin);
    const bool is_alone = after_blanks(start) == begin &&
                          (next == text_.size() || text_[next] == '\n' || text_[next] == '#');
    if (is_alone) {
      const auto line_end = text_.find('\n', next);
      begin = start;
      end = line_end == std::string_view::npos ? text_.size() : line_end + 1;
    } else if (!has_comma) {
      const auto last = text_.find_last_not_of(" \t\r\n", begin - 1);
      if (last != std::string_view::npos && text_[last] == ',') begin = last;
    }
    cuts_.push_back({begin, end});
  }

  // A header with the lines up to the next one.
  void add_section(std::size_t begin) {
    if (begin >= text_.size() || text_[begin] != '[') {
      const auto line =
          static_cast<std::uint32_t>(1 + std::ranges::count(text_.substr(0, begin), '\n'));
      base::fail_at({"grader.toml", line, 1},
                    "a secret case must be a line `name = { ..., secret = true }` or a table "
                    "[cases.SET.NAME]");
    }
    const auto end = text_.find("\n[", begin);
    cuts_.push_back({begin, end == std::string_view::npos ? text_.size() : end + 1});
  }

  std::string_view text_;
  std::vector<Cut> cuts_;
};

}  // namespace

std::string without_secret_cases(std::string_view manifest, std::size_t& count) {
  const auto root = base::parse_toml(manifest, "grader.toml");
  CutFinder finder(manifest);
  if (const auto* sets = root["cases"].as_table()) {
    for (const auto& [name, set] : *sets) {
      if (set.is_table()) finder.add_set(*set.as_table());
    }
  }
  if (const auto* exercises = root["exercise"].as_array()) {
    for (const auto& exercise : *exercises) {
      const auto* table = exercise.as_table();
      const auto* list = table == nullptr ? nullptr : (*table)["cases"].as_array();
      if (list != nullptr) finder.add_list(*list);
    }
  }
  count += finder.count();
  return finder.rest();
}

}  // namespace warpgrade::grader::author
