// SPDX-License-Identifier: Apache-2.0
#include "grader/report/pictures.h"

#include <fmt/format.h>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>

#include "common/base/place.h"
#include "common/memory/lines.h"
#include "common/memory/shared_banks.h"
#include "grader/text/messages.h"
#include "grader/text/numbers.h"

namespace warpgrade::grader::report {
namespace {

constexpr std::uint64_t kTileRows = 32;
using memory::kSectorBytes;

const char* does(run::Operation operation) {
  switch (operation) {
    case run::Operation::kLoad:
      return "read";
    case run::Operation::kStore:
      return "write";
    case run::Operation::kAtomic:
    case run::Operation::kReduction:
      break;
  }
  return "update";
}

std::string plural(std::uint64_t count, const char* what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

std::string sectors_text(const PicturedDevice& device, const RequestCost& cost) {
  const auto moved = cost.sectors * kSectorBytes;
  auto out = fmt::format("On {} they move {} of 32 bytes and use {} of the {} bytes ({} %)",
                         device.product, plural(cost.sectors, "sector"), cost.used_bytes, moved,
                         text::number(moved == 0 ? 0 : 100.0 * cost.used_bytes / moved));
  const auto least = least_sectors(cost);
  if (cost.sectors > least) {
    return out + fmt::format(": {} would be enough if the lanes used neighbouring words.",
                             plural(least, "sector"));
  }
  return out + ": the minimum.";
}

std::string wavefronts_text(const PicturedDevice& device, const RequestCost& cost,
                            run::Operation operation) {
  if (cost.conflicts == 0) {
    return fmt::format("On {} the banks serve it in {}: no conflict.", device.product,
                       plural(cost.wavefronts, "wavefront"));
  }
  std::set<std::uint32_t> rows;
  const memory::BankWord* busiest = nullptr;
  for (const auto& word : cost.words) {
    if (busiest == nullptr || word.row > busiest->row) busiest = &word;
  }
  for (const auto& word : cost.words) {
    if (busiest != nullptr && word.bank == busiest->bank) rows.insert(word.row);
  }
  const auto work = is_atomic(operation)
                        ? fmt::format("make {}", plural(rows.size(), "update"))
                        : fmt::format("deliver {}", plural(rows.size(), "different word"));
  return fmt::format("On {} it needs {} instead of {}: bank {} must {}, one at a time.",
                     device.product, plural(cost.wavefronts, "wavefront"),
                     cost.wavefronts - cost.conflicts, busiest == nullptr ? 0 : busiest->bank,
                     work);
}

}  // namespace

std::string warp_text(const PicturedRequest& request) {
  return fmt::format("warp {} of block {}", request.traced.warp, base::text(request.block));
}

std::string place_text(const PicturedLine& line, std::uint64_t offset) {
  const auto& name = line.line.memory.name;
  if (name.empty()) return fmt::format("address {:#x}", offset);
  const auto element = offset / line.element_bytes;
  if (line.rows > 1) {
    return fmt::format("{}[{}][{}]", name, element / line.columns, element % line.columns);
  }
  if (line.columns != 0) return fmt::format("{}[{}]", name, element);
  const auto row = tile_row_bytes(line.line.memory.bytes);
  if (row != 0 && offset % line.element_bytes == 0) {
    return fmt::format("{}[{}][{}]", name, offset / row, offset % row / line.element_bytes);
  }
  return fmt::format("{}, byte {}", name, offset);
}

std::string request_text(const PicturedLine& line, const PicturedRequest& request,
                         const PicturedDevice& device, const RequestCost& cost) {
  const auto& traced = request.traced;
  const auto first = static_cast<std::size_t>(std::countr_zero(traced.mask));
  const auto last = static_cast<std::size_t>(31 - std::countl_zero(traced.mask));
  const auto place = [&](std::size_t lane) {
    return place_text(line, traced.address.at(lane) - line.line.memory.first);
  };
  const auto lanes = static_cast<std::uint64_t>(std::popcount(traced.mask));
  auto out = fmt::format(
      "{}, iteration {}: {} {}{} {} bytes{} of {}, ", warp_text(request), traced.pass + 1,
      plural(lanes, "lane"), does(line.line.operation.operation), lanes == 1 ? "s" : "",
      line.line.bytes, lanes == 1 ? "" : " each",
      line.line.memory.name.empty() ? "memory outside every buffer" : line.line.memory.name);
  out.front() = 'W';
  out += lanes == 1 ? "at " + place(first) + ". "
                    : fmt::format("lane {} at {}, lane {} at {}. ", first, place(first), last,
                                  place(last));
  const auto& [space, operation] = line.line.operation;
  return out + (space == run::Space::kShared ? wavefronts_text(device, cost, operation)
                                             : sectors_text(device, cost));
}

bool is_costly(const PicturedLine& line, const RequestCost& cost) {
  if (line.line.operation.space == run::Space::kShared) return cost.conflicts > 0;
  // An unaligned row costs one sector more than the least.
  return cost.sectors > least_sectors(cost) + 1;
}

std::uint32_t least_sectors(const RequestCost& cost) {
  return (cost.used_bytes + kSectorBytes - 1) / kSectorBytes;
}

std::uint64_t tile_row_bytes(std::uint64_t bytes) {
  const auto row = bytes / kTileRows;
  // From 32 words of 4 bytes on, to 36 of 8.
  const bool is_tile = bytes % kTileRows == 0 && row % 4 == 0 && row >= 128 && row <= 288;
  return is_tile ? row : 0;
}

}  // namespace warpgrade::grader::report
