// SPDX-License-Identifier: Apache-2.0
// The bytes of a kernel argument, once the buffers have addresses.
#pragma once

#include <cstdint>
#include <vector>

#include "common/run/launch.h"

namespace warpgrade::run {

/// The bytes of `argument` if buffer i is at `addresses[i]`. Throws base::UsageError if it names a
/// missing buffer, or an address does not fit in its structure.
ValueArgument bytes_of(const Argument& argument, const std::vector<std::uint64_t>& addresses);

}  // namespace warpgrade::run
