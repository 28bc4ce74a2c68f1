// SPDX-License-Identifier: Apache-2.0
// The formats of `grade --format NAME --out PATH`: reports for other programs.
//
// docs/formats.md names the reader of each format, and the rules of its tests.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "grader/report/formats/format_parts.h"
#include "grader/report/report.h"

namespace warpgrade::grader::report {

/// Their names, in the order of --help.
std::vector<std::string> format_names();

/// Throws base::UsageError if the format does not exist or needs a variable that is not set. Call
/// it before grading.
void require_format(std::string_view name, const Environment& environment);

/// `report` in the format of that name. Throws base::UsageError as require_format() does.
std::string render_format(std::string_view name, const Report& report,
                          const Environment& environment = process_environment);

/// Text for standard output before and after the terminal's report; empty for most formats.
struct AroundReport {
  std::string before;
  std::string behind;
};

/// `secret` is a word that no submission's author can know.
AroundReport around_report(std::string_view name, const Report& report, const std::string& secret,
                           const Environment& environment = process_environment);

}  // namespace warpgrade::grader::report
