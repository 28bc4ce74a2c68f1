// SPDX-License-Identifier: Apache-2.0
// A bulk copy as requests of a warp: up to 32 adjacent lanes of 16 bytes, split where the global
// address is a multiple of 512. The copy engine makes no such requests; this form lets counters and
// the time model treat a copy like other accesses.
#pragma once

#include <functional>

#include "common/run/observer.h"

namespace warpgrade::memory {

/// Calls `visit` for both sides of each part of a copy, the source side first; never for events
/// that start no copy.
void for_each_bulk_request(const run::BulkEvent& event,
                           const std::function<void(const run::MemoryEvent&)>& visit);

}  // namespace warpgrade::memory
