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
  auto pattern = (fs::temp_directory_path() / ("warpgrade-" + purpose + "-XXXXXX")).string();
  if (::mkdtemp(pattern.data()) == nullptr) {
    throw ToolError(fmt::format("no folder {}: {}", pattern, std::strerror(errno)));
  }
  path_ = pattern;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

}  // namespace warpgrade::base
