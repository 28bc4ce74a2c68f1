// SPDX-License-Identifier: Apache-2.0
#include "grader/grade/explain/source_remarks.h"

#include <fmt/format.h>

#include "common/compile/tokens.h"

namespace warpgrade::grader::grade {

std::vector<std::string> source_remarks(std::string_view source, std::string_view name) {
  bool uses_thrust = false;
  bool includes_own = false;
  bool has_kernel = false;
  for (const auto& token : compile::tokens_of(source)) {
    const auto text = source.substr(token.begin, token.end - token.begin);
    if (token.kind == compile::TokenKind::kDirective) {
      const bool includes = text.find("include") != std::string_view::npos;
      uses_thrust |= includes && text.find("<thrust/") != std::string_view::npos;
      includes_own |= includes && text.find('"') != std::string_view::npos;
    }
    has_kernel |= text == "__global__";
  }
  std::vector<std::string> out;
  if (uses_thrust) {
    out.emplace_back(
        "thrust is called by the host, and only device code is graded: its headers and what uses "
        "them take no part. Write the work into the kernel.");
  }
  if (includes_own && !has_kernel) {
    out.push_back(fmt::format(
        "This file has no kernel of its own: {} is taken from a file that it includes.", name));
  }
  return out;
}

}  // namespace warpgrade::grader::grade
