// SPDX-License-Identifier: Apache-2.0
// IEEE 754 binary16 to and from float, in integer arithmetic: the host compilers in use do not all
// have a 16-bit float type.
#pragma once

#include <cstdint>

namespace warpgrade::verify {

/// The value of the half with these bits; exact.
float half_to_float(std::uint16_t bits);

/// The half nearest to `value`, ties to even; infinity from 65520 up, NaN stays a NaN.
std::uint16_t half_from_float(float value);

}  // namespace warpgrade::verify
