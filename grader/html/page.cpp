// SPDX-License-Identifier: Apache-2.0
// Complete HTML pages: the skeleton, style and script in page/ around a page's content, and
// escaped text.
// In: a title as text and content as HTML. Out: one page that needs no other file. The page of a
// class allows no script.
// The script (page.js) reads the JSON block of each exercise and draws into the figures that name
// one of its lines. All prose comes from the data; the script only places shapes.
#include "grader/html/page.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <set>
#include <string>
#include <string_view>

#include "common/base/text.h"
#include "grader/html/page_files.h"
#include "grader/text/glossary.h"
#include "grader/text/messages.h"

namespace warpgrade::grader::html {
namespace {

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (auto at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
}

}  // namespace

std::string escaped(std::string_view text, bool keep_newlines) {
  auto out = text::escape_markup(base::escape_controls(text, keep_newlines, /*tab_as_space=*/true));
  replace_all(out, "'", "&#39;");
  return out;
}

std::string escaped_name(std::string_view name) {
  std::string out;
  for (const char c : escaped(name)) {
    out += c;
    if (c == '/' || c == '_') out += "<wbr>";
  }
  return out;
}

std::string sentence(std::string_view text) {
  auto rest = escaped(text);
  std::string out;
  for (;;) {
    const auto begin = rest.find('`');
    const auto end = begin == std::string::npos ? begin : rest.find('`', begin + 1);
    if (end == std::string::npos) return out + rest;
    out += rest.substr(0, begin) + "<code>" + rest.substr(begin + 1, end - begin - 1) + "</code>";
    rest.erase(0, end + 1);
  }
}

std::string paragraph(std::string_view text, std::string_view css_class) {
  if (text.empty()) return {};
  const auto attribute =
      css_class.empty() ? std::string() : fmt::format(" class=\"{}\"", css_class);
  return fmt::format("<p{}>{}</p>\n", attribute, sentence(text));
}

namespace {

// "word-sm-port": the place of an entry on a page.
std::string word_id(const text::GlossaryEntry& entry) {
  auto out = "word-" + entry.terms.front();
  std::ranges::replace_if(
      out, [](unsigned char c) { return std::isalnum(c) == 0; }, '-');
  return out;
}

}  // namespace

std::string word_link(std::string_view word, Words& words) {
  const auto found = text::explained(word);
  if (found.empty()) return escaped(word);
  words.emplace(word);
  return fmt::format("<a class=\"word\" href=\"#{}\">{}</a>", word_id(*found.front()),
                     escaped(word));
}

std::string words_view(const Words& words) {
  std::set<const text::GlossaryEntry*> entries;
  for (const auto& word : words) entries.insert(text::explained(word).front());
  std::string out;
  for (const auto* entry : entries) {
    out += fmt::format("<dt id=\"{}\">{}</dt><dd>{}</dd>\n", word_id(*entry),
                       escaped(text::joined(entry->terms)), sentence(entry->meaning));
  }
  return out.empty()
             ? out
             : "<section class=\"words\"><h3>Glossary</h3>\n<dl>\n" + out + "</dl></section>\n";
}

std::string json_for_script(std::string json) {
  replace_all(json, "<", "\\u003c");
  replace_all(json, "\xe2\x80\xa8", "\\u2028");
  replace_all(json, "\xe2\x80\xa9", "\\u2029");
  return json;
}

namespace {

struct Script {
  std::string source;   // of the security policy
  std::string element;  // at the end of the page
};

std::string page(std::string_view title, std::string_view content, std::string_view style,
                 const Script& script) {
  constexpr auto kSkeleton = base::embedded(kPageFiles, "page.html").body();
  constexpr auto kStyle = base::embedded(kPageFiles, "page.css").body();
  return fmt::format(fmt::runtime(kSkeleton), fmt::arg("script_source", script.source),
                     fmt::arg("title", escaped(title)),
                     fmt::arg("style", fmt::format("{}{}", kStyle, style)),
                     fmt::arg("content", content), fmt::arg("script", script.element));
}

}  // namespace

std::string picture_page(std::string_view title, std::string_view content) {
  constexpr auto kScript = base::embedded(kPageFiles, "page.js").body();
  return page(title, content, {},
              {fmt::format("script-src 'sha256-{}'; ", base::sha256_base64(kScript)),
               fmt::format("<script>{}</script>\n", kScript)});
}

std::string plain_page(std::string_view title, std::string_view content, std::string_view style) {
  return page(title, content, style, {});
}

}  // namespace warpgrade::grader::html
