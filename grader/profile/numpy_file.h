// SPDX-License-Identifier: Apache-2.0
// Files of NumPy (.npy), as inputs of a profile.
//
// In: a file that numpy.save() wrote. Out: its elements with their type and shape, or the reason
// why it is no input. Rules:
// https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html. Arrays in the order of
// columns, of Python objects, and of numbers in big-endian order are refused.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "common/verify/element.h"

namespace warpgrade::grader::profile {

struct NumpyArray {
  std::optional<verify::ElementType> type;  ///< nullopt: records of `item_bytes`, such as |V12.
  std::uint64_t item_bytes = 0;
  std::vector<std::uint64_t> shape;
  std::vector<std::byte> bytes;
};

/// The array in `file`, or what is wrong with the file.
std::variant<NumpyArray, std::string> read_numpy_file(const std::filesystem::path& file);

}  // namespace warpgrade::grader::profile
