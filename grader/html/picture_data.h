// SPDX-License-Identifier: Apache-2.0
// The numbers that the page's script draws, as JSON:
//
//   {"devices": [{"product", "banks", "bankBytes"}], "warps": ["warp 0 of block (0, 0, 0)"],
//    "lines": [{"shared", "bytes", "memory", "first", "align", "size", "tile", "es", "rows",
//    "cols",
//               "requests": [{"w": index of its warp, "m": lanes, "o": offsets, "c": [cost]}]}],
//    "map": {"partitions", "width", "lines": [...]}}
//
// Offsets are bytes from the start of the memory: an array with null for inactive lanes, or {"s":
// lane 0's, "d": stride between lanes}. Each device has one cost: "t", the request as text, and for
// shared memory "k": lane, bank and row of each word.
#pragma once

#include <string>

#include "grader/report/pictures.h"

namespace warpgrade::grader::html {

/// Safe to embed in a script element.
std::string picture_data(const report::Pictures& pictures);

}  // namespace warpgrade::grader::html
