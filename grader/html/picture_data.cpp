// SPDX-License-Identifier: Apache-2.0
#include "grader/html/picture_data.h"

#include <algorithm>
#include <bit>
#include <nlohmann/json.hpp>

#include "common/base/text.h"
#include "grader/html/html_text.h"
#include "grader/report/picture_text.h"

namespace warpgrade::grader::html {
namespace {

using PictureJson = nlohmann::ordered_json;

PictureJson offsets(const report::PicturedLine& line, const memory::TracedRequest& request) {
  const auto offset = [&](std::size_t lane) {
    return static_cast<std::int64_t>(request.address.at(lane) - line.line.memory.first);
  };
  if (request.mask == run::kFullMask) {
    const auto step = offset(1) - offset(0);
    bool is_regular = true;
    for (std::size_t lane = 1; lane < run::kWarpSize; ++lane) {
      is_regular = is_regular && offset(lane) - offset(lane - 1) == step;
    }
    if (is_regular) return {{"s", offset(0)}, {"d", step}};
  }
  auto out = PictureJson::array();
  for (std::size_t lane = 0; lane < run::kWarpSize; ++lane) {
    const bool takes_part = (request.mask >> lane & 1U) != 0;
    out.push_back(takes_part ? PictureJson(offset(lane)) : PictureJson(nullptr));
  }
  return out;
}

PictureJson cost_json(const report::PicturedLine& line, const report::PicturedRequest& request,
                      const report::PicturedDevice& device, const report::RequestCost& cost) {
  PictureJson out = {{"t", base::escape_controls(request_text(line, request, device, cost))}};
  if (line.line.operation.space != run::Space::kShared) return out;
  auto& words = out["k"] = PictureJson::array();
  for (const auto& word : cost.words) {
    for (const auto number : {word.lane, word.bank, word.row}) words.push_back(number);
  }
  return out;
}

PictureJson line_json(const report::PicturedLine& line,
                      const std::vector<report::PicturedDevice>& devices,
                      std::vector<std::string>& warps) {
  const auto& memory = line.line.memory;
  const bool is_shared = line.line.operation.space == run::Space::kShared;
  auto requests = PictureJson::array();
  for (const auto& request : line.requests) {
    const auto warp = warp_text(request);
    auto known = std::find(warps.begin(), warps.end(), warp);
    if (known == warps.end()) known = warps.insert(warps.end(), warp);
    auto costs = PictureJson::array();
    // A request touches the same sectors on every device, so the first one is enough.
    const auto shown = is_shared ? devices.size() : std::min<std::size_t>(devices.size(), 1);
    for (std::size_t i = 0; i < shown; ++i) {
      costs.push_back(cost_json(line, request, devices[i], request.costs.at(i)));
    }
    requests.push_back({{"w", known - warps.begin()},
                        {"m", request.traced.mask},
                        {"o", offsets(line, request.traced)},
                        {"c", std::move(costs)}});
  }
  return {{"shared", is_shared},
          {"bytes", line.line.bytes},
          {"memory", base::escape_controls(memory.name)},
          {"first", is_shared ? memory.first : 0},
          {"align", memory.first % 128},
          {"size", memory.bytes},
          {"tile", is_shared ? report::tile_row_bytes(memory.bytes) : 0},
          {"es", line.element_bytes},
          {"rows", line.rows},
          {"cols", line.columns},
          {"requests", std::move(requests)}};
}

PictureJson map_json(const report::PartitionMap& map) {
  auto lines = PictureJson::array();
  for (const auto& line : map.lines) {
    auto places = PictureJson::array();
    for (const auto& place : line.places) {
      places.push_back(place.row);
      places.push_back(place.column);
    }
    lines.push_back({{"rows", line.rows},
                     {"cols", line.columns},
                     {"es", line.element_bytes},
                     {"first", line.first},
                     {"places", std::move(places)}});
  }
  return {{"partitions", map.partitions}, {"width", map.width}, {"lines", std::move(lines)}};
}

}  // namespace

std::string picture_data(const report::Pictures& pictures) {
  auto devices = PictureJson::array();
  for (const auto& device : pictures.devices) {
    devices.push_back(
        {{"product", device.product}, {"banks", device.banks}, {"bankBytes", device.bank_bytes}});
  }
  std::vector<std::string> warps;
  auto lines = PictureJson::array();
  for (const auto& line : pictures.lines) lines.push_back(line_json(line, pictures.devices, warps));
  PictureJson out = {
      {"devices", std::move(devices)}, {"warps", warps}, {"lines", std::move(lines)}};
  if (pictures.partitions) out["map"] = map_json(*pictures.partitions);
  return json_for_script(out.dump(-1, ' ', false, PictureJson::error_handler_t::replace));
}

}  // namespace warpgrade::grader::html
