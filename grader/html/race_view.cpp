// SPDX-License-Identifier: Apache-2.0
#include "grader/html/race_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <variant>

#include "common/base/finding_text.h"
#include "common/base/text.h"
#include "grader/html/html_text.h"

namespace warpgrade::grader::html {
namespace {

std::string place_view(const report::ExerciseReport& item, const base::SourceLocation& where,
                       const std::optional<base::Dim3>& block,
                       const std::optional<base::Dim3>& thread) {
  const bool is_own = where.file == item.file;
  auto out =
      fmt::format("<h5>{}</h5>", escaped(is_own ? fmt::format("line {}", where.line)
                                                : fmt::format("{}:{}", where.file, where.line)));
  std::string who;
  const auto add = [&](const char* what, const std::optional<base::Dim3>& index) {
    if (!index) return;
    who += fmt::format("{}{} {}", who.empty() ? "" : " of ", what, base::text(*index));
  };
  add("thread", thread);
  add("block", block);
  out += paragraph(who);
  if (!is_own) return out;
  auto line = base::line_of(item.source, where.line);
  line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
  const auto text = base::excerpt(base::escape_controls(line, false, true)).text;
  return text.empty() ? out : out + "<pre>" + escaped(text) + "</pre>";
}

// "thread (1, 0, 0) reads it".
std::string own_access(const base::Diagnostic& found) {
  const auto* race = std::get_if<base::Race>(&found.facts);
  if (race == nullptr) return {};
  return paragraph(
      base::text(base::RelatedPlace{found.where, race->does, found.block, found.thread}), "quiet");
}

}  // namespace

std::string race_view(const report::ExerciseReport& item, const base::Diagnostic& found) {
  if (found.kind != base::DiagnosticKind::kRace || found.related.empty()) return {};
  const auto& other = found.related.front();
  const bool is_one_block = other.block == found.block;
  const bool is_one_place =
      other.where.file == found.where.file && other.where.line == found.where.line;
  const auto* const gap = is_one_block ? "no barrier between them: either may come first"
                                       : "nothing orders two blocks: either may come first";
  return fmt::format(
      "<div class=\"race\" role=\"group\" aria-label=\"The two accesses of the "
      "race{}\"><div>{}{}</div>"
      "<div class=\"gap\"><span aria-hidden=\"true\">&#8644;</span> "
      "{}</div><div>{}{}</div></div>\n",
      is_one_place ? ", in one line" : "", place_view(item, other.where, other.block, other.thread),
      paragraph(base::text(other), "quiet"), gap,
      place_view(item, found.where, found.block, found.thread), own_access(found));
}

}  // namespace warpgrade::grader::html
