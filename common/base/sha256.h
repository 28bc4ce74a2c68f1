// SPDX-License-Identifier: Apache-2.0
// SHA-256 (FIPS 180-4): a digest that is practically unique to its text.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace warpgrade::base {

std::array<std::uint8_t, 32> sha256(std::string_view text);
/// The digest as 64 hexadecimal digits.
std::string sha256_hex(std::string_view text);
/// The digest in base64 (RFC 4648), as a page's Content-Security-Policy requires it.
std::string sha256_base64(std::string_view text);

}  // namespace warpgrade::base
