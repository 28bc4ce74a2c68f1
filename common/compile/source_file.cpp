// SPDX-License-Identifier: Apache-2.0
// Reads a submission, and refuses binary content early.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "common/base/error.h"
#include "common/base/text.h"
#include "common/compile/compile_error.h"
#include "common/compile/compiler.h"

namespace warpgrade::compile {
namespace fs = std::filesystem;
namespace {

constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

[[noreturn]] void refuse(const fs::path& file, std::string_view why) {
  throw base::UsageError(
      fmt::format("cannot read '{}': {}", base::escape_controls(file.string()), why));
}

std::uint32_t line_at(std::string_view text, std::size_t position) {
  std::uint32_t line = 1;
  for (const char c : text.substr(0, position)) line += c == '\n' ? 1U : 0U;
  return line;
}

}  // namespace

// Stops after the limit, so that the caller can detect it.
std::string read_source_bytes(const fs::path& file) {
  // Does not wait if the path is a pipe without a writer.
  const int descriptor = ::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) refuse(file, std::strerror(errno));
  struct stat about {};
  ::fstat(descriptor, &about);
  std::string text;
  std::array<char, 1 << 16> buffer;
  ssize_t count = 0;
  int error = 0;
  const bool is_regular = S_ISREG(about.st_mode);
  while (is_regular && text.size() <= kMostSourceBytes) {
    count = ::read(descriptor, buffer.data(), buffer.size());
    if (count < 0) error = errno;
    if (count <= 0) break;
    text.append(buffer.data(), static_cast<std::size_t>(count));
  }
  ::close(descriptor);
  if (S_ISDIR(about.st_mode)) refuse(file, "it is a folder; name a .cu file in it");
  if (!is_regular) refuse(file, "it is not a regular file");
  if (error != 0) refuse(file, std::strerror(error));
  return text;
}

std::variant<CompileRequest, std::vector<base::Diagnostic>> read_source(const fs::path& file) {
  return source_of(file, read_source_bytes(file));
}

std::variant<CompileRequest, std::vector<base::Diagnostic>> source_of(const fs::path& file,
                                                                      std::string bytes) {
  CompileRequest request;
  request.file = file.string();
  request.source = std::move(bytes);
  std::error_code ignored;
  const auto absolute = fs::absolute(file, ignored);
  request.folder = absolute.parent_path();
  if (request.source.starts_with(kByteOrderMark)) request.source.erase(0, kByteOrderMark.size());

  const auto reject = [&](const std::string& message, std::uint32_t line) {
    return std::vector{compile_error(request.file, line, 0, message)};
  };
  if (request.source.size() > kMostSourceBytes) {
    return reject("the file is larger than 4 MiB, which no kernel's source is", 0);
  }
  if (request.source.find_first_not_of(" \t\r\n\f\v") == std::string::npos) {
    return reject("the file is empty", 0);
  }
  if (request.source.starts_with("\xff\xfe") || request.source.starts_with("\xfe\xff")) {
    return reject("the file is UTF-16 text; save it as UTF-8", 0);
  }
  if (request.source.starts_with("\x7f"
                                 "ELF")) {
    return reject("the file is a program, no CUDA C++ source", 0);
  }
  if (const auto at = request.source.find('\0'); at != std::string::npos) {
    return reject("the file holds a null byte: it is not CUDA C++ source",
                  line_at(request.source, at));
  }
  return request;
}

}  // namespace warpgrade::compile
