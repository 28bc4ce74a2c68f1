// SPDX-License-Identifier: Apache-2.0
// Shorthand for tests that run the real compiler on a few lines of source.
#pragma once

#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <optional>
#include <stdexcept>
#include <string>
#include <variant>
#include <vector>

#include "common/base/error.h"
#include "common/compile/compiler.h"

namespace warpgrade::compile {

/// Sets an environment variable until the end of the scope, and then gives it its former value.
class ScopedVariable {
 public:
  ScopedVariable(const char* name, const std::string& value) : name_(name) {
    if (const char* before = ::getenv(name)) before_ = before;
    ::setenv(name, value.c_str(), 1);
  }
  ScopedVariable(const ScopedVariable&) = delete;
  ScopedVariable& operator=(const ScopedVariable&) = delete;
  ~ScopedVariable() {
    if (before_) {
      ::setenv(name_, before_->c_str(), 1);
    } else {
      ::unsetenv(name_);
    }
  }

 private:
  const char* name_;
  std::optional<std::string> before_;
};

/// A temporary folder, removed with its contents by the destructor.
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

  /// Writes a shell script that replaces the compiler process, and returns its path.
  std::string program(const std::string& script) const {
    const auto file = write("program", "#!/bin/sh\n" + script + "\n");
    std::filesystem::permissions(file, std::filesystem::perms::owner_all);
    return file.string();
  }

 private:
  std::filesystem::path path_;
};

inline CompileRequest request_for(const std::string& source,
                                  const std::filesystem::path& folder = {}) {
  CompileRequest request;
  request.file = "kernel.cu";
  request.source = source;
  request.folder = folder;
  return request;
}

/// Errors, and a few warnings behind them.
inline std::vector<base::Diagnostic> diagnostics_of(const CompileRequest& request) {
  auto result = compile(request);
  if (auto* found = std::get_if<std::vector<base::Diagnostic>>(&result)) return *found;
  return {};
}

inline std::vector<base::Diagnostic> errors_of(const std::string& source) {
  auto found = diagnostics_of(request_for(source));
  take_warnings(found);
  return found;
}

inline std::vector<base::Diagnostic> diagnostics_of(const std::string& source) {
  return diagnostics_of(request_for(source));
}

/// The message of the ToolError that compile() throws if the file is not at fault; empty if it
/// throws none.
inline std::string tool_error(const CompileRequest& request) {
  try {
    static_cast<void>(compile(request));
    return "";
  } catch (const base::ToolError& error) {
    return error.what();
  }
}

inline std::string tool_error(const std::string& source) { return tool_error(request_for(source)); }

/// Returns the program; on failure, throws with the first diagnostic's message.
inline Program program_of(const CompileRequest& request) {
  auto result = compile(request);
  if (auto* program = std::get_if<Program>(&result)) return *program;
  throw std::runtime_error(std::get<std::vector<base::Diagnostic>>(result).front().message);
}

inline Program program_of(const std::string& source) { return program_of(request_for(source)); }

}  // namespace warpgrade::compile
