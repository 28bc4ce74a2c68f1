// SPDX-License-Identifier: Apache-2.0
// Runs gnuplot, a separate program, on a script.
#pragma once

#include <string>
#include <string_view>

namespace warpgrade::grader::study {

/// `text` in gnuplot's single quotes, which disable substitution; escapes control characters.
std::string gnuplot_text(std::string_view text);

/// The SVG that `script` draws. Throws base::ToolError if gnuplot is missing, with the command that
/// installs it, or if it fails.
std::string draw_svg(const std::string& script);

}  // namespace warpgrade::grader::study
