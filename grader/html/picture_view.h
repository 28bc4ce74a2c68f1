// SPDX-License-Identifier: Apache-2.0
// The figures of an exercise: requests of warps, wrong elements, partitions, the resources that
// fill the time, and the roofline.
// The page's script reads their numbers as JSON. Each figure has its text. The page's script
// draws requests and partitions; the HTML contains the others.
#pragma once

#include <string>

#include "grader/report/pictures.h"
#include "grader/report/report.h"

namespace warpgrade::grader::html {

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

/// Safe to embed in a script element.
std::string picture_data(const report::Pictures& pictures);

/// One figure per source line that touches memory, with controls for its warps and passes.
std::string access_view(const report::ExerciseReport& item);

/// The wrong elements as a map.
std::string wrong_view(const report::WrongMap& map);

/// The matrix in the colours of its partitions, with the blocks that begin together.
std::string partition_view(const report::PartitionMap& map);

/// The time of each measured case, and the resources that work in it.
std::string time_view(const report::ExerciseReport& item);

// The roofline of each measured case as a picture: both axes logarithmic, operations per byte to
// the right, operations per second upwards.

/// Empty for an exercise without operations.
std::string roofline_view(const report::ExerciseReport& item);

}  // namespace warpgrade::grader::html
