// SPDX-License-Identifier: Apache-2.0
// A matrix in memory, the input of comparisons and searches.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "common/verify/values.h"

namespace warpgrade::verify {

/// A row-major matrix; a vector is one row.
struct Matrix {
  ElementType type{};
  std::uint64_t rows = 1;
  std::uint64_t columns = 1;
  std::span<const std::byte> bytes;
  std::string_view name{};  ///< The kernel's parameter; empty: "in" for an input, else "out".
};

}  // namespace warpgrade::verify
