// SPDX-License-Identifier: Apache-2.0
// Pictures as text: the sentence beside each, for readers who do not see the picture.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "grader/report/pictures.h"

namespace warpgrade::grader::report {

/// "warp 0 of block (0, 0, 0)".
std::string warp_text(const PicturedRequest& request);

/// "in[3][5]": the element at `offset` bytes of the line's memory; "tile, byte 132" without a
/// shape.
std::string place_text(const PicturedLine& line, std::uint64_t offset);

/// Describes the request and its cost on that device: "32 lanes read 4 bytes each of in, from
/// in[0][0] to in[31][0]. They touch 32 sectors and use 128 of the 1024 bytes moved; 4 sectors
/// would do."
std::string request_text(const PicturedLine& line, const PicturedRequest& request,
                         const PicturedDevice& device, const RequestCost& cost);

/// Whether the request costs more than it must: sectors that could be spared, or conflicts.
bool is_costly(const PicturedLine& line, const RequestCost& cost);

/// Sectors that the used bytes fill at least.
std::uint32_t least_sectors(const RequestCost& cost);

/// Bytes of a row of an array of `bytes` in shared memory, if it is a tile of 32 rows; 0
/// otherwise.
std::uint64_t tile_row_bytes(std::uint64_t bytes);

}  // namespace warpgrade::grader::report
