// SPDX-License-Identifier: Apache-2.0
// A diagnostic as text for a terminal: as base::render() writes it, in colours.
//
// Its first line stays one line, however long it is: editors read `file:line:column: kind: message`
// in the output of a task.
#pragma once

#include <string>
#include <string_view>

#include "common/base/diagnostic.h"
#include "grader/text/terminal.h"

namespace warpgrade::grader::report {

/// `source` is the text of the file that the diagnostic is about; empty: no excerpt.
std::string render_diagnostic(const base::Diagnostic& diagnostic, std::string_view source,
                              const text::Style& style);

}  // namespace warpgrade::grader::report
