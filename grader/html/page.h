// SPDX-License-Identifier: Apache-2.0
// Complete HTML pages: the skeleton, style and script in page/ around a page's content. Untrusted
// text is escaped.
// The script (page.js) reads the JSON block of each exercise (picture_view.h) and draws into the
// figures that name one of its lines. All prose comes from the data; the script only places
// shapes.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <string_view>

namespace warpgrade::grader::html {

// Escapes untrusted text for HTML pages.

/// `text` for an element's content or a quoted attribute: markup is escaped, and control characters
/// are shown as by base::escape_controls(). Newlines are kept only on demand.
std::string escaped(std::string_view text, bool keep_newlines = false);

/// The same for a name such as "scan/block_scan": a line may break after "/" and "_".
std::string escaped_name(std::string_view name);

/// The same for a sentence: text between backticks becomes code.
std::string sentence(std::string_view text);

/// `<p class="CLASS">TEXT</p>`, of a sentence that is escaped here; empty for an empty text.
std::string paragraph(std::string_view text, std::string_view css_class = {});

// Words of the glossary (text/glossary.h). A page explains the words that it uses at its end, since
// it needs no network.

using Words = std::set<std::string, std::less<>>;

/// `word` as a link to its entry in words_view(), and added to `words`; only escaped if the
/// glossary does not have it.
std::string word_link(std::string_view word, Words& words);

/// The entries of `words` as a section; empty without any.
std::string words_view(const Words& words);

/// JSON for a script element: escapes "<" and line separators.
std::string json_for_script(std::string json);

/// A page with the script of pictures; its security policy allows no other. `title` is text,
/// `content` is HTML.
std::string picture_page(std::string_view title, std::string_view content);

/// A page that allows no script. `style` is CSS that follows the shared style.
std::string plain_page(std::string_view title, std::string_view content, std::string_view style);

}  // namespace warpgrade::grader::html
