// SPDX-License-Identifier: Apache-2.0
// The version of this program, the commit that it was built from, and both in a report.
//
// The build writes the commit into commit.h, which only version.cpp includes, so a new commit
// recompiles one file. See find_commit.sh for trees without a repository.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "grader/report/report.h"

namespace warpgrade::grader::cli {

/// "warpgrade 0.2.0 (6885a25)".
std::string version_line();

/// "6885a25", "6885a25-dirty" or "unknown".
std::string_view commit();

/// The provenance of a report made at `now`, with the toolkit that this process uses.
report::Provenance provenance(std::chrono::system_clock::time_point now);

}  // namespace warpgrade::grader::cli
