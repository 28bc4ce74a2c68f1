// SPDX-License-Identifier: Apache-2.0
// The bytes that a kernel gets for an argument, once it is known where the buffers lie.
#pragma once

#include <cstdint>
#include <vector>

#include "common/run/launch.h"

namespace warpgrade::run {

/// The bytes of `argument` where buffer i lies at `addresses[i]`. Throws base::UsageError where it
/// names a buffer that is not there, or an address does not fit into its structure.
ValueArgument bytes_of(const Argument& argument, const std::vector<std::uint64_t>& addresses);

}  // namespace warpgrade::run
