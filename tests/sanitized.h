// SPDX-License-Identifier: Apache-2.0
// Whether this is a build with the address sanitizer: there, a test of random rounds does some of
// them. What the rounds are for, the plain build finds; the sanitizers see the same code either
// way.
#pragma once

// GCC and clang say it in different words.
#if defined(__SANITIZE_ADDRESS__)
#define WARPGRADE_HAS_ADDRESS_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define WARPGRADE_HAS_ADDRESS_SANITIZER 1
#endif
#endif

namespace warpgrade {

#if WARPGRADE_HAS_ADDRESS_SANITIZER
inline constexpr bool kIsSanitized = true;
#else
inline constexpr bool kIsSanitized = false;
#endif

}  // namespace warpgrade
