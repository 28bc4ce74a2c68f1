// SPDX-License-Identifier: Apache-2.0
#include "grader/report/render_diagnostic.h"

#include <algorithm>
#include <vector>

#include "common/base/finding_text.h"

namespace warpgrade::grader {
namespace {

// The place bold, the kind red: "copy.cu:28:9: race: ...".
std::string coloured_head(std::string_view line, std::string_view kind, const Style& style) {
  const auto at = line.find(std::string(kind) + ": ");
  if (at == std::string_view::npos) return std::string(line);
  return style(Colour::kBold, line.substr(0, at)) + style(Colour::kRed, kind) +
         std::string(line.substr(at + kind.size()));
}

// "      |      ^".
bool is_caret(std::string_view line) {
  return line.ends_with('^') && line.find_first_not_of(" |^") == std::string_view::npos;
}

}  // namespace

std::string render_diagnostic(const base::Diagnostic& diagnostic, std::string_view source,
                              const Style& style) {
  const auto text = base::render(diagnostic, source);
  std::string out;
  std::string_view rest = text;
  bool is_first = true;
  while (!rest.empty()) {
    const auto line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    out += is_first         ? coloured_head(line, base::name(diagnostic.kind), style)
           : is_caret(line) ? style(Colour::kRed, line)
                            : std::string(line);
    out += '\n';
    is_first = false;
  }
  return out;
}

}  // namespace warpgrade::grader
