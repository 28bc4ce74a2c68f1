// SPDX-License-Identifier: Apache-2.0
// A number as a launch argument.
#pragma once

#include <cstring>
#include <type_traits>

#include "common/run/launch.h"

namespace warpgrade::run {

template <typename T>
ValueArgument value_argument(T number) {
  static_assert(std::is_arithmetic_v<T>);
  ValueArgument bytes(sizeof(number));
  std::memcpy(bytes.data(), &number, sizeof(number));
  return bytes;
}

}  // namespace warpgrade::run
