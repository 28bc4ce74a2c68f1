// SPDX-License-Identifier: Apache-2.0
// One kind of access to one memory space: a row of the table of source lines.
#pragma once

#include <string>

#include "common/run/observer.h"

namespace warpgrade::memory {

struct MemoryOperation {
  run::Space space{};
  run::Operation operation{};

  friend bool operator==(const MemoryOperation&, const MemoryOperation&) = default;
};

/// "global load", "shared store", "local load", "global atomic", "global reduction", ...
std::string name(const MemoryOperation& operation);

}  // namespace warpgrade::memory
