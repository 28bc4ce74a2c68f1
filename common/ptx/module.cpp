// SPDX-License-Identifier: Apache-2.0
#include "common/ptx/module.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <typeindex>

#include "common/base/diagnostic.h"

namespace warpgrade::ptx {
namespace {

// Bytes at %reserved_smem_offset_1 that cooperative_groups.h uses.
constexpr std::uint64_t kReservedSharedBytes = 288;

}  // namespace

Variable reserved_shared() {
  Variable reserved;
  reserved.name = kReservedShared;
  reserved.space = StateSpace::kShared;
  reserved.type = Type::kB8;
  reserved.alignment = 16;
  reserved.bytes = kReservedSharedBytes;
  return reserved;
}

std::uint32_t size_of(Type type) {
  static constexpr std::array<std::uint8_t, 26> kSizes = {0, 1, 1, 2, 4, 8, 16, 1, 2, 4, 8, 1, 2,
                                                          4, 8, 2, 4, 2, 4, 4,  8, 4, 4, 2, 2, 4};
  return kSizes.at(static_cast<std::size_t>(type));
}

const base::SourceLocation& location(const Function& function, std::uint32_t index) {
  return function.locations.at(function.instructions.at(index).location);
}

const Function* find_function(const Module& module, const std::string& name) {
  const auto found = std::find_if(module.functions.begin(), module.functions.end(),
                                  [&](const Function& function) { return function.name == name; });
  return found == module.functions.end() ? nullptr : &*found;
}

}  // namespace warpgrade::ptx
