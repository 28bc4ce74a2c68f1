// SPDX-License-Identifier: Apache-2.0
// kIsSanitized is whether this is a build with the address sanitizer. There, tests with random
// rounds run only some of them: the plain build covers the cases, and the sanitizer sees the same
// code either way.
#pragma once

// GCC and clang report it in different ways.
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
