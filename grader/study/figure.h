// SPDX-License-Identifier: Apache-2.0
// A study's result as a gnuplot script that draws one SVG.
//
// In: a result. Out: a panel for each table, then the pictures of accesses and of partitions.
// A picture of partitions colours a matrix by the memory partition of each element, with the IDs
// of the blocks on their tiles. It does not run a kernel.
// The script contains no date and no path, so the same result gives the same file.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "grader/study/canvas.h"
#include "grader/study/study.h"
#include "grader/study/study_result.h"

namespace warpgrade::grader::study {

// Partition camping to look at: a matrix coloured by the memory partition of each element, with the
// IDs of the blocks on the tiles that they work on.
//
// Partitions are interleaved by address: element e of a matrix that begins at address 0 is in
// partition (e * element bytes / partition width) mod partitions. If the row's length is a multiple
// of the width, a tile has one colour; if not, the colours shift from row to row, as they do on the
// card. Blocks run in the order of their IDs, so blocks with neighbouring IDs run together. If
// these have one colour, they queue at one partition.

/// Elements [first, last) of a row, all in `partition`.
struct Stretch {
  std::uint32_t row = 0;
  std::uint32_t first = 0;
  std::uint32_t last = 0;
  std::uint32_t partition = 0;

  friend bool operator==(const Stretch&, const Stretch&) = default;
};

/// The matrix of `picture`, row by row.
std::vector<Stretch> partition_stretches(const Picture& picture);

/// The tile that a block works on.
struct BlockTile {
  std::uint64_t block = 0;  ///< blockIdx.x + gridDim.x * blockIdx.y.
  std::uint64_t row = 0;    ///< Row of tiles.
  std::uint64_t column = 0;

  friend bool operator==(const BlockTile&, const BlockTile&) = default;
};

/// One tile for each block, by ID; throws base::UsageError if a block's tile is outside the matrix.
std::vector<BlockTile> block_tiles(const Picture& picture);

/// One picture to draw; `name` is for its data blocks.
Panel picture_panel(const Picture& picture, const std::string& name);

std::string figure_script(const Result& result);

}  // namespace warpgrade::grader::study
