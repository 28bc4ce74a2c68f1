// SPDX-License-Identifier: Apache-2.0
// Remarks on parts of a submission's text that are ignored, which its author may not expect.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace warpgrade::grader::grade {

/// Sentences about thrust, whose calls run on the host, and about a file without a kernel of its
/// own, whose kernel `name` comes from an include.
std::vector<std::string> source_remarks(std::string_view source, std::string_view name);

}  // namespace warpgrade::grader::grade
