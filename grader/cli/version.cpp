// SPDX-License-Identifier: Apache-2.0
#include "grader/cli/version.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <map>
#include <mutex>
#include <string>
#include <string_view>

#include "common/base/error.h"
#include "common/compile/toolkit.h"
#include "grader/cli/commit.h"
#include "grader/report/report.h"

namespace warpgrade::grader::cli {
namespace {

// Reads all of the compiler's library, so the version of each library is kept.
std::string version_of(const std::filesystem::path& library) {
  static std::mutex mutex;
  static std::map<std::filesystem::path, std::string> kept;
  const std::scoped_lock lock(mutex);
  auto found = kept.find(library);
  if (found == kept.end()) found = kept.emplace(library, compile::toolkit_version(library)).first;
  return found->second;
}

std::string toolkit() {
  try {
    return version_of(compile::find_toolkit().library);
  } catch (const base::ToolError&) {
    return {};  // Reports exist without a compiler, too: each exercise is then the tool's error.
  }
}

}  // namespace

std::string version_line() { return fmt::format("warpgrade {} ({})", WARPGRADE_VERSION, commit()); }

std::string_view commit() { return kCommit; }

report::Provenance provenance(std::chrono::system_clock::time_point now) {
  const auto seconds = std::chrono::system_clock::to_time_t(now);
  return {WARPGRADE_VERSION, std::string(commit()), toolkit(),
          fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(seconds))};
}

}  // namespace warpgrade::grader::cli
