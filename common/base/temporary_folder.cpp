// SPDX-License-Identifier: Apache-2.0
#include "common/base/temporary_folder.h"

#include <fmt/format.h>
#include <stdlib.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string>
#include <system_error>

#include "common/base/error.h"

namespace warpgrade::base {

namespace fs = std::filesystem;

TemporaryFolder::TemporaryFolder(const std::string& purpose) {
  std::error_code error;
  const auto parent = fs::temp_directory_path(error);
  if (error) throw ToolError("TMPDIR cannot be used: " + error.message());
  auto pattern = (parent / ("warpgrade-" + purpose + "-XXXXXX")).string();
  if (::mkdtemp(pattern.data()) == nullptr) {
    throw ToolError(fmt::format("{}: cannot be made: {}", pattern, std::strerror(errno)));
  }
  path_ = pattern;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

}  // namespace warpgrade::base
