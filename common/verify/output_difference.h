// SPDX-License-Identifier: Apache-2.0
// The first wrong place of an output, as fields and as a sentence.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace warpgrade::verify {

struct OutputDifference {
  std::string element;  ///< "out[3][5]"; the output's name if only its sum is compared.
  std::vector<std::uint64_t> indices;  ///< {3, 5}; empty if only the sum is compared.
  std::string expected;
  std::string got;
  std::string cause;          ///< The likely cause, or empty; see cause.h.
  std::string text;           ///< All fields as a sentence for reports.
  bool is_unwritten = false;  ///< The element still has its content from before the launch.
};

}  // namespace warpgrade::verify
