// SPDX-License-Identifier: Apache-2.0
// The driver's inputs of a launch: a kernel of a loaded module, and the arguments.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "common/gpu/device_memory.h"
#include "common/gpu/driver.h"
#include "common/run/launch.h"

namespace warpgrade::gpu {

/// A loaded module; unloaded at the end of its life.
class Module {
 public:
  Module(const Driver& driver, const std::vector<char>& code);
  ~Module();
  Module(const Module&) = delete;
  Module& operator=(const Module&) = delete;
  /// Throws base::UsageError if the module has no kernel of that name.
  Handle function(const std::string& kernel) const;
  /// The address of a variable. Throws base::UsageError if the module has none of that name, or if
  /// it has another size.
  DevicePointer variable(const std::string& name, std::size_t bytes) const;

 private:
  const Driver& driver_;
  Handle module_ = nullptr;
};

using DeviceBuffers = std::vector<std::unique_ptr<GuardedMemory>>;

/// Arguments in the form that the driver requires: a pointer to each value.
class Arguments {
 public:
  /// Throws base::UsageError if an argument names a missing buffer.
  Arguments(const run::Launch& launch, const DeviceBuffers& memory);

  /// Throws base::UsageError if the kernel has other parameters; drivers before 12.4 do not report
  /// them.
  void check_against(const Driver& driver, Handle function, const std::string& kernel) const;
  void** pointers() { return pointers_.data(); }

 private:
  std::vector<std::vector<std::byte>> values_;
  std::vector<void*> pointers_;
};

}  // namespace warpgrade::gpu
