// SPDX-License-Identifier: Apache-2.0
#include "grader/report/render_diagnostic.h"

#include "common/base/finding_text.h"

namespace warpgrade::grader::report {

// The place is bold; kind and caret are red.
std::string render_diagnostic(const base::Diagnostic& diagnostic, std::string_view source,
                              const text::Style& style) {
  const auto parts = base::rendered(diagnostic, source);
  auto out = style(text::Colour::kBold, parts.place) + style(text::Colour::kRed, parts.kind) +
             ": " + parts.message + "\n";
  if (!parts.excerpt.empty()) out += parts.excerpt + "\n";
  if (!parts.caret.empty()) out += style(text::Colour::kRed, parts.caret) + "\n";
  if (!parts.thread.empty()) out += parts.thread + "\n";
  return out;
}

}  // namespace warpgrade::grader::report
