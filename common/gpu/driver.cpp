// SPDX-License-Identifier: Apache-2.0
#include "common/gpu/driver.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <cstring>

namespace warpgrade::gpu {

std::variant<Driver, std::string> load_driver(const char* library) {
  void* handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);  // kept for the life of the process
  if (handle == nullptr) {
    return fmt::format("this machine has no NVIDIA driver ({} was not found)", library);
  }
  Driver driver;
  // Converts dlsym's void* to a function pointer by copying the bits, which POSIX guarantees to
  // work.
#define WARPGRADE_LOAD(name, symbol, ...)                                \
  if (void* const address = dlsym(handle, symbol); address != nullptr) { \
    static_assert(sizeof(driver.name) == sizeof(address));               \
    std::memcpy(&driver.name, &address, sizeof(address));                \
  }
#define WARPGRADE_LOAD_REQUIRED(name, symbol, ...)                                     \
  WARPGRADE_LOAD(name, symbol, )                                                       \
  if (driver.name == nullptr) {                                                        \
    return fmt::format("the NVIDIA driver is too old: {} has no {}", library, symbol); \
  }
  WARPGRADE_DRIVER_FUNCTIONS(WARPGRADE_LOAD_REQUIRED, WARPGRADE_LOAD)
#undef WARPGRADE_LOAD_REQUIRED
#undef WARPGRADE_LOAD
  return driver;
}

std::string error_name(const Driver& driver, Status status) {
  const char* name = nullptr;
  if (driver.get_error_name(status, &name) != kSuccess || name == nullptr) {
    return fmt::format("CUDA error {}", status);
  }
  return name;
}

void check(const Driver& driver, Status status, const char* call, const char* file, int line) {
  if (status == kSuccess) return;
  const char* const slash = std::strrchr(file, '/');
  throw DriverError(status, fmt::format("{}:{}: {}: {}", slash == nullptr ? file : slash + 1, line,
                                        call, error_name(driver, status)));
}

}  // namespace warpgrade::gpu
