// SPDX-License-Identifier: Apache-2.0
// Renders diagnostics as text with the source line and a caret.
#include "common/base/diagnostic.h"

#include <fmt/format.h>

#include <array>

#include "common/base/text.h"

namespace warpgrade::base {

std::string_view name(DiagnosticKind kind) {
  static constexpr std::array<std::string_view, 11> kNames = {
      "out_of_bounds", "misaligned",        "uninitialized_read", "input_modified",
      "race",          "divergent_barrier", "deadlock",           "runaway",
      "trap",          "unsupported",       "compile_error"};
  return kNames.at(static_cast<std::size_t>(kind));
}

std::string_view name(Severity severity) {
  return severity == Severity::kError ? "error" : "warning";
}

std::string shown_message(const Diagnostic& diagnostic) {
  constexpr std::size_t kMostColumns = 4000;
  return excerpt(escape_controls(diagnostic.message, /*keep_newlines=*/true), 0, kMostColumns).text;
}

std::string render(const Diagnostic& diagnostic, std::string_view source) {
  const auto& where = diagnostic.where;
  std::string out = escape_controls(where.file);
  if (!out.empty()) {
    if (where.line != 0) out += fmt::format(":{}", where.line);
    if (where.line != 0 && where.column != 0) out += fmt::format(":{}", where.column);
    out += ": ";
  }
  const auto mark = diagnostic.severity == Severity::kWarning ? "warning: " : "";
  out += fmt::format("{}{}: {}\n", mark, name(diagnostic.kind), shown_message(diagnostic));
  const auto line = where.line == 0 ? std::string_view{} : line_of(source, where.line);
  if (!line.empty()) {
    const bool has_column = where.column != 0 && where.column <= line.size() + 1;
    const auto before = has_column ? line.substr(0, where.column - 1) : std::string_view{};
    const auto shown =
        excerpt(escape_controls(line, /*keep_newlines=*/false, /*tab_as_space=*/true),
                columns_of(escape_controls(before, false, true)));
    out += fmt::format("{:>5} | {}\n", where.line, shown.text);
    if (has_column) out += fmt::format("{:>5} | {}^\n", "", std::string(shown.column, ' '));
  }
  if (diagnostic.block && diagnostic.thread) {
    out += fmt::format("      block ({}, {}, {}), thread ({}, {}, {})\n", diagnostic.block->x,
                       diagnostic.block->y, diagnostic.block->z, diagnostic.thread->x,
                       diagnostic.thread->y, diagnostic.thread->z);
  }
  return out;
}

}  // namespace warpgrade::base
