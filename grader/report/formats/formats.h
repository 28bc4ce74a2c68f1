// SPDX-License-Identifier: Apache-2.0
// The formats of `grade --format NAME --out PATH`: what other programs read of a report.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "grader/report/report.h"

namespace warpgrade::grader {

/// Their names, in the order of --help.
std::vector<std::string> format_names();

/// `report` in the format of that name. Throws base::UsageError where there is none.
std::string render_format(std::string_view name, const Report& report);

}  // namespace warpgrade::grader
