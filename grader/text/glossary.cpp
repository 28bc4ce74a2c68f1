// SPDX-License-Identifier: Apache-2.0
// The words of reports, pages and chapters.
//
// In: docs/glossary.md, embedded at build time: sections with tables of two columns. Out: its rows,
// and the rows of one word. A cell of terms is "block, grid" or "trap (`trap`)"; the name in code
// is a term of its own if it differs.
#include "grader/text/glossary.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "common/base/text.h"
#include "grader/text/glossary_file.h"

namespace warpgrade::grader::text {
namespace {

constexpr std::size_t kMostNearest = 5;

// "compile error (`compile_error`)": compile error, compile_error.
std::vector<std::string> terms_of(std::string_view cell) {
  std::vector<std::string> out;
  const auto add = [&](std::string_view term) {
    if (const auto text = base::trimmed(term); !text.empty()) out.emplace_back(text);
  };
  const auto code = cell.find('`');
  auto words = cell.substr(0, code);
  if (words.ends_with('(')) words.remove_suffix(1);
  while (!words.empty()) {
    const auto comma = words.find(',');
    add(words.substr(0, comma));
    words.remove_prefix(comma == std::string_view::npos ? words.size() : comma + 1);
  }
  if (code != std::string_view::npos) {
    const auto name = cell.substr(code + 1, cell.find('`', code + 1) - code - 1);
    if (out.empty() || out.front() != name) add(name);
  }
  return out;
}

std::vector<GlossaryEntry> read(std::string_view chapter) {
  constexpr std::string_view kSection = "## ";
  std::vector<GlossaryEntry> out;
  std::string section;
  while (!chapter.empty()) {
    const auto line = chapter.substr(0, chapter.find('\n'));
    chapter.remove_prefix(std::min(line.size() + 1, chapter.size()));
    if (line.starts_with(kSection)) section = line.substr(kSection.size());
    if (!line.starts_with("| ") || line == "| term | meaning |") continue;
    const auto bar = line.find(" | ");
    out.push_back({section, terms_of(base::trimmed(line.substr(2, bar - 2))),
                   std::string(base::trimmed(line.substr(bar + 3, line.rfind('|') - bar - 3)))});
  }
  return out;
}

std::string normal(std::string_view word) {
  std::string out;
  for (const char c : base::trimmed(word)) {
    out += c == '_' ? ' ' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return out;
}

std::string without_plural(std::string word) {
  if (word.ends_with('s')) word.pop_back();
  return word;
}

using Index = std::map<std::string, std::vector<const GlossaryEntry*>>;

// The entries of each term in a form. Pages look up many words.
template <typename Form>
Index indexed(Form form) {
  Index out;
  for (const auto& entry : glossary()) {
    for (const auto& term : entry.terms) {
      auto& found = out[form(normal(term))];
      if (found.empty() || found.back() != &entry) found.push_back(&entry);
    }
  }
  return out;
}

std::vector<const GlossaryEntry*> entries_with(const Index& index, const std::string& term) {
  const auto found = index.find(term);
  return found == index.end() ? std::vector<const GlossaryEntry*>() : found->second;
}

}  // namespace

const std::vector<GlossaryEntry>& glossary() {
  static const auto kEntries = read(base::embedded(kGlossaryFiles, "glossary.md").body());
  return kEntries;
}

std::vector<const GlossaryEntry*> explained(std::string_view word) {
  static const auto kTerms = indexed([](std::string text) { return text; });
  static const auto kSingular = indexed(without_plural);
  auto out = entries_with(kTerms, normal(word));
  if (out.empty()) out = entries_with(kSingular, without_plural(normal(word)));
  return out;
}

std::vector<std::string> nearest_terms(std::string_view word) {
  const auto sought = normal(word);
  std::vector<std::string> out;
  if (sought.empty()) return out;
  std::vector<std::string_view> all;
  for (const auto& entry : glossary()) {
    for (const auto& term : entry.terms) {
      all.emplace_back(term);
      const bool contains = normal(term).find(sought) != std::string::npos;
      if (contains && std::ranges::find(out, term) == out.end()) out.push_back(term);
    }
  }
  // A whole word is nearer than a part of a longer name.
  std::ranges::stable_sort(out, {}, &std::string::size);
  if (out.size() > kMostNearest) out.resize(kMostNearest);
  if (out.empty()) {
    if (const auto near = base::nearest(sought, all); !near.empty()) out.emplace_back(near);
  }
  return out;
}

}  // namespace warpgrade::grader::text
