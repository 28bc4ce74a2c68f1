// SPDX-License-Identifier: Apache-2.0
#include "common/gpu/launchable.h"

#include <fmt/format.h>

#include "common/run/argument_bytes.h"

namespace warpgrade::gpu {

Module::Module(const Driver& driver, const std::vector<char>& code) : driver_(driver) {
  DRIVER_CALL(driver_, module_load_data, &module_, code.data());
}

Module::~Module() { static_cast<void>(driver_.module_unload(module_)); }

Handle Module::function(const std::string& kernel) const {
  constexpr Status kNotFound = 500;
  Handle found = nullptr;
  const Status status = driver_.module_get_function(&found, module_, kernel.c_str());
  if (status == kNotFound) {
    throw base::UsageError(fmt::format("the program has no kernel called {}", kernel));
  }
  check(driver_, status, "module_get_function", __FILE__, __LINE__);
  return found;
}

DevicePointer Module::variable(const std::string& name, std::size_t bytes) const {
  constexpr Status kNotFound = 500;
  DevicePointer address = 0;
  std::size_t size = 0;
  const Status status = driver_.module_get_global(&address, &size, module_, name.c_str());
  if (status == kNotFound) {
    throw base::UsageError(fmt::format("the program has no variable called {}", name));
  }
  check(driver_, status, "module_get_global", __FILE__, __LINE__);
  if (size != bytes) {
    throw base::UsageError(
        fmt::format("the variable {} has {} bytes, {} were given", name, size, bytes));
  }
  return address;
}

Arguments::Arguments(const run::Launch& launch, const DeviceBuffers& memory) {
  std::vector<std::uint64_t> addresses;
  for (const auto& buffer : memory) addresses.push_back(buffer->address());
  for (const auto& argument : launch.arguments) {
    values_.push_back(run::bytes_of(argument, addresses));
  }
  for (auto& value : values_) pointers_.push_back(value.data());
}

void Arguments::check_against(const Driver& driver, Handle function,
                              const std::string& kernel) const {
  if (driver.function_get_parameter == nullptr) return;
  for (std::size_t i = 0;; ++i) {
    std::size_t offset = 0;
    std::size_t size = 0;
    if (driver.function_get_parameter(function, i, &offset, &size) != kSuccess) {
      if (i == values_.size()) return;
      throw base::UsageError(fmt::format("the kernel {} has {} parameters, the launch gives {}",
                                         kernel, i, values_.size()));
    }
    if (i >= values_.size()) {
      throw base::UsageError(fmt::format(
          "the kernel {} has more parameters than the {} of the launch", kernel, values_.size()));
    }
    if (size != values_[i].size()) {
      throw base::UsageError(fmt::format("parameter {} of the kernel {} has {} bytes, not {}", i,
                                         kernel, size, values_[i].size()));
    }
  }
}

}  // namespace warpgrade::gpu
