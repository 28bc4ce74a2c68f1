// SPDX-License-Identifier: Apache-2.0
// The first place where an output is not right, in fields and in a sentence.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace warpgrade::verify {

struct OutputDifference {
  std::string element;  ///< "out[3][5]", or the output's name where only its sum is compared.
  std::vector<std::uint64_t> indices;  ///< {3, 5}; empty where only the sum is compared.
  std::string expected;
  std::string got;
  std::string cause;  ///< A guess where it is plain, else empty; see cause.h.
  std::string text;   ///< All of it in a sentence, as reports show it.
};

}  // namespace warpgrade::verify
