// SPDX-License-Identifier: Apache-2.0
// The numbers that the page's script draws, as JSON:
//
//   {"devices": [{"product", "banks", "bankBytes"}], "warps": ["warp 0 of block (0, 0, 0)"],
//    "lines": [{"shared", "bytes", "memory", "first", "align", "size", "tile", "es", "rows",
//    "cols",
//               "requests": [{"w": index of its warp, "m": lanes, "o": offsets, "c": [cost]}]}],
//    "map": {"partitions", "width", "lines": [...]}}
//
// Offsets are bytes from the memory's first one: an array with null for lanes that take no part, or
// {"s": lane 0's, "d": from lane to lane}. A cost is one a device: "t", the request in words, and
// of shared memory "k", lane, bank and row of each word.
#pragma once

#include <string>

#include "grader/report/pictures.h"

namespace warpgrade::grader {

/// Safe to stand in a script element.
std::string picture_data(const Pictures& pictures);

}  // namespace warpgrade::grader
