// SPDX-License-Identifier: Apache-2.0
#include "common/ptx/module.h"

#include <algorithm>
#include <array>

namespace warpgrade::ptx {

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
