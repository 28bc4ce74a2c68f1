// SPDX-License-Identifier: Apache-2.0
// A report as one complete page: it needs no network and no other file.
//
// It shows the content of the text report and the pictures of each exercise. A submission's text
// appears as text only: all outside text goes through escaped() or JSON without "<", and a
// content security policy allows only the page's own script.
#pragma once

#include <string>

#include "grader/report/report.h"

namespace warpgrade::grader::html {

/// The whole page, valid for every report.
std::string render(const report::Report& report);

}  // namespace warpgrade::grader::html
