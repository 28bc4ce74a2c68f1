// SPDX-License-Identifier: Apache-2.0
#include "common/compile/toolkit_version.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstring>
#include <string_view>

namespace warpgrade::compile {
namespace {

constexpr std::string_view kLead = "Cuda compilation tools, release ";

bool is_of_number(char c) { return (c >= '0' && c <= '9') || c == '.'; }

// "13.0.88" in "Cuda compilation tools, release 13.0, V13.0.88" somewhere in `bytes`.
std::string version_in(std::string_view bytes) {
  const auto* const found =
      static_cast<const char*>(::memmem(bytes.data(), bytes.size(), kLead.data(), kLead.size()));
  if (found == nullptr) return {};
  bytes.remove_prefix(static_cast<std::size_t>(found - bytes.data()) + kLead.size());
  while (!bytes.empty() && is_of_number(bytes.front())) bytes.remove_prefix(1);
  constexpr std::string_view kBetween = ", V";
  if (!bytes.starts_with(kBetween)) return {};
  bytes.remove_prefix(kBetween.size());
  std::size_t length = 0;
  while (length < bytes.size() && is_of_number(bytes[length])) ++length;
  return std::string(bytes.substr(0, length));
}

}  // namespace

std::string toolkit_version(const std::filesystem::path& library) {
  const int file = ::open(library.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return {};
  struct stat status = {};
  std::string version;
  if (::fstat(file, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0) {
    const auto size = static_cast<std::size_t>(status.st_size);
    void* const bytes = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file, 0);
    if (bytes != MAP_FAILED) {
      version = version_in({static_cast<const char*>(bytes), size});
      ::munmap(bytes, size);
    }
  }
  ::close(file);
  return version;
}

}  // namespace warpgrade::compile
