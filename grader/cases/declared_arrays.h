// SPDX-License-Identifier: Apache-2.0
// The arrays that a submission declares, with their extents. PTX contains only their sizes in
// bytes.
//
//   constexpr int kTile = 32;
//   __shared__ float tile[kTile][kTile + 1];      ->  tile, line 2, 4 bytes, {32, 33}
//   extern __shared__ float sums[];               ->  sums, line 3, 4 bytes, no extents
//
// Extents are numbers, or expressions of `#define`s and constants in the file. Other declarations
// (an unknown type or extent) are left out; messages about them give bytes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "common/base/place.h"

namespace warpgrade::grader::cases {

struct DeclaredArray {
  std::string name;
  std::uint32_t line = 0;
  std::uint32_t element_bytes = 0;
  std::vector<std::uint64_t> extents;  ///< Empty for `extern __shared__`: the launch sets the size.
  bool is_shared = false;

  std::uint64_t bytes() const;
  base::ArrayShape shape() const { return {element_bytes, extents}; }

  friend bool operator==(const DeclaredArray&, const DeclaredArray&) = default;
};

/// In the order of the text.
std::vector<DeclaredArray> declared_arrays(std::string_view source);

/// The first array of that name; nullptr if none exists, or if several have different types.
const DeclaredArray* array_called(const std::vector<DeclaredArray>& arrays, std::string_view name);

}  // namespace warpgrade::grader::cases
