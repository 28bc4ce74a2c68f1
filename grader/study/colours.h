// SPDX-License-Identifier: Apache-2.0
// Colours for areas: Paul Tol's light scheme, on which black text is readable and which people with
// colour-blindness can distinguish.
#pragma once

#include <array>
#include <cstdint>

namespace warpgrade::grader::study {

constexpr std::array<std::uint32_t, 8> kFills = {0x77AADD, 0xEE8866, 0xEEDD88, 0xFFAABB,
                                                 0x99DDFF, 0x44BB99, 0xBBCC33, 0xDDDDDD};

}  // namespace warpgrade::grader::study
