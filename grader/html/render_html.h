// SPDX-License-Identifier: Apache-2.0
// A report as one page that needs nothing else: no network, no other file.
//
// It shows what the text report says and the pictures of each exercise. A submission's text stands
// in it as text only: everything from outside goes through html_text() or JSON without "<", and a
// content security policy lets no script run but the page's own.
#pragma once

#include <string>

#include "grader/report/report.h"

namespace warpgrade::grader {

/// The whole page, valid whatever the report holds.
std::string render_html(const Report& report);

}  // namespace warpgrade::grader
