// SPDX-License-Identifier: Apache-2.0
// Shorthand for tests that run the real compiler on a few lines of source.
#pragma once

#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <variant>
#include <vector>

#include "common/compile/compiler.h"

namespace warpgrade::compile {

/// A folder that is removed with everything in it.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "warpgrade-XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("mkdtemp " + pattern);
    path_ = pattern;
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() { std::filesystem::remove_all(path_); }

  const std::filesystem::path& path() const { return path_; }

  /// Writes `text` to `name` below the folder and returns the file's path.
  std::filesystem::path write(const std::string& name, const std::string& text) const {
    const auto file = path_ / name;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary) << text;
    return file;
  }

 private:
  std::filesystem::path path_;
};

inline Request request_for(const std::string& source, const std::filesystem::path& folder = {}) {
  Request request;
  request.file = "kernel.cu";
  request.source = source;
  request.folder = folder;
  return request;
}

inline std::vector<base::Diagnostic> diagnostics_of(const Request& request) {
  auto result = compile(request);
  if (auto* found = std::get_if<std::vector<base::Diagnostic>>(&result)) return *found;
  return {};
}

inline std::vector<base::Diagnostic> diagnostics_of(const std::string& source) {
  return diagnostics_of(request_for(source));
}

/// The program; throws with the first diagnostic's message where there is none.
inline Program program_of(const Request& request) {
  auto result = compile(request);
  if (auto* program = std::get_if<Program>(&result)) return *program;
  throw std::runtime_error(std::get<std::vector<base::Diagnostic>>(result).front().message);
}

inline Program program_of(const std::string& source) { return program_of(request_for(source)); }

}  // namespace warpgrade::compile
