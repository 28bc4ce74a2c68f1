// SPDX-License-Identifier: Apache-2.0
#include "grader/cli/version.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "common/base/error.h"
#include "common/compile/toolkit.h"
#include "common/compile/toolkit_version.h"
#include "grader/cli/commit.h"

namespace warpgrade::grader {
namespace {

std::string toolkit() {
  try {
    return compile::toolkit_version(compile::find_toolkit().library);
  } catch (const base::ToolError&) {
    return {};  // Without a compiler there are reports, too: each exercise is an error of the tool.
  }
}

}  // namespace

std::string version_line() { return fmt::format("warpgrade {} ({})", WARPGRADE_VERSION, commit()); }

std::string_view commit() { return kCommit; }

Provenance provenance(std::chrono::system_clock::time_point now) {
  static const std::string kept = toolkit();  // Reads all of the compiler's library.
  const auto seconds = std::chrono::system_clock::to_time_t(now);
  return {WARPGRADE_VERSION, std::string(commit()), kept,
          fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(seconds))};
}

}  // namespace warpgrade::grader
