// SPDX-License-Identifier: Apache-2.0
// The content of a report's pictures as plain structs, and the sentence beside each picture.
// In: the recorded requests of a few warps, wrong elements, the first partitions of blocks, and
// the resources that fill the time. Out: sentences for readers who do not see the picture.
// Every number here comes from a run. The renderers (HTML, text) choose how to show it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "common/base/place.h"
#include "common/memory/access_trace.h"
#include "common/memory/metrics.h"
#include "common/memory/shared_banks.h"
#include "common/timing/model.h"
#include "grader/text/numbers.h"

namespace warpgrade::grader::report {

/// A device whose rules are applied to the requests.
struct PicturedDevice {
  std::string name;
  std::string product;
  std::uint32_t banks = 32;
  std::uint32_t bank_bytes = 4;
};

/// The cost of one request on one device.
struct RequestCost {
  std::uint32_t sectors = 0;            ///< Global memory: of 32 bytes.
  std::uint32_t used_bytes = 0;         ///< Global memory: requested bytes; shared ones count once.
  std::uint32_t wavefronts = 0;         ///< Shared memory.
  std::uint32_t conflicts = 0;          ///< Shared memory: wavefronts beyond the least.
  std::vector<memory::BankWord> words;  ///< Shared memory.
};

struct PicturedRequest {
  memory::TracedRequest traced;
  base::Dim3 block;
  std::vector<RequestCost> costs;  ///< One per device.
};

/// The traced requests of one source line to one memory.
struct PicturedLine {
  memory::TracedLine line;          ///< Without its requests.
  std::uint32_t element_bytes = 4;  ///< Bytes of the memory's element.
  std::uint64_t rows = 0;           ///< Rows of a matrix parameter; 0: no shape is known.
  std::uint64_t columns = 0;
  std::vector<PicturedRequest> requests;  ///< At least one.
};

/// An output's wrong elements, in cells of several elements if the output is large.
struct WrongMap {
  std::string output;
  std::uint64_t rows = 0;
  std::uint64_t columns = 0;
  std::uint64_t wrong = 0;      ///< Elements, those never written among them.
  std::uint64_t unwritten = 0;  ///< Elements with their value from before the launch.
  std::string text;             ///< "rows 8 to 31 of out were never written".
  std::uint64_t cell_rows = 1;  ///< Elements per cell.
  std::uint64_t cell_columns = 1;
  struct Cell {
    std::uint32_t wrong = 0;
    std::uint32_t unwritten = 0;
  };
  std::vector<Cell> cells;  ///< Row by row: ceil(rows / cell_rows) x ceil(columns / cell_columns).
};

/// The partitions that the blocks of the first wave touch first.
struct PartitionMap {
  std::string device;
  std::string product;
  std::uint32_t partitions = 0;
  std::uint32_t width = 0;   ///< Bytes of one partition in a row.
  std::uint64_t blocks = 0;  ///< Blocks that begin together.
  struct Place {
    std::uint64_t row = 0;  ///< The element's row.
    std::uint64_t column = 0;
    std::uint32_t partition = 0;
  };
  struct Line {
    std::uint32_t line = 0;
    memory::MemoryOperation operation;
    std::string memory;
    std::uint64_t rows = 0;
    std::uint64_t columns = 0;
    std::uint32_t element_bytes = 4;
    std::uint64_t first = 0;    ///< Address of the memory, modulo a round of the partitions.
    std::vector<Place> places;  ///< One per block.
  };
  std::vector<Line> lines;
};

/// The time of a measured case and its parts.
struct TimedCase {
  std::string name;
  text::Variables variables;
  std::string device;
  double seconds = 0;
  std::optional<double> fraction_of_roof;
  timing::Bound bound_by{};
  std::vector<timing::Share> shares;
  timing::Skew skew = {};
};

struct Pictures {
  std::string case_name;  ///< The case that was traced.
  text::Variables variables;
  base::Dim3 grid;
  base::Dim3 block;
  std::vector<PicturedDevice> devices;        ///< The first one is the trace's.
  std::vector<PicturedLine> lines;            ///< In the order of the source.
  std::vector<memory::LineCounters> counted;  ///< All blocks of that case, on the first device.
  std::vector<TimedCase> times;
  std::optional<WrongMap> wrong;
  std::optional<PartitionMap> partitions;
};

// Pictures as text: the sentence beside each, for readers who do not see the picture.

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
