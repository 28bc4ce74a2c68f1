// SPDX-License-Identifier: Apache-2.0
// The figures of an exercise: requests of warps, wrong elements, partitions, and the resources that
// fill the time.
// In: the report of an exercise with its pictures. Out: HTML and SVG, and the JSON that the
// page's script draws.
// Each figure has its text. The script draws requests and partitions; the HTML contains the
// others.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <string_view>

#include "common/base/diagnostic.h"
#include "common/base/text.h"
#include "grader/html/page.h"
#include "grader/html/render_html.h"
#include "grader/report/pictures.h"
#include "grader/report/render_measurements.h"
#include "grader/report/report.h"
#include "grader/text/messages.h"

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

namespace {

constexpr std::size_t kOpenFigures = 8;  // Further ones are behind a summary.
constexpr std::uint64_t kTileSide = 32;
constexpr double kLeastShare = 0.05;  // Smallest share of the time that a bar shows.

constexpr const char* kSectorTerm =
    "The 32 threads of a warp, its lanes, make one request together. Memory moves whole sectors of "
    "32 bytes, even if a lane uses only 4 of them. Lanes that use neighbouring words share "
    "sectors: the access is coalesced. A line leads from each lane to its bytes, in the same "
    "colour. Grey bytes are moved but not used.";
constexpr const char* kBankTerm =
    "Consecutive words of shared memory are in consecutive banks. A bank delivers one word at a "
    "time, so different words of one request in the same bank conflict: each needs a wavefront of "
    "its own. Lanes that access the same word share it. Left: a column per bank, a row per "
    "wavefront. Right: the array in the colours of its banks, with the words of this request "
    "outlined.";
constexpr const char* kPartitionTerm =
    "Addresses decide the partition of a word, and each partition has its own path to the chip. "
    "If all concurrent blocks use the same partition, the others are idle: partition camping. "
    "Each square is a tile of 32 x 32 elements in the colour of its partition. Each dot is a "
    "block at the first tile that it accesses.";
constexpr const char* kTimeTerm =
    "Each bar is the time for which the launch keeps one resource busy. Resources work at the same "
    "time, so the bars do not add up. A bar about as long as the whole time is the limit: only "
    "less work for that resource makes the kernel faster. Resources that are busy for less than "
    "5 % of the time are not shown.";

std::string_view source_text(const report::ExerciseReport& item,
                             const base::SourceLocation& where) {
  if (where.file != item.file) return {};
  auto text = base::line_of(item.source, where.line);
  const auto begin = text.find_first_not_of(" \t");
  return begin == std::string_view::npos ? std::string_view{} : text.substr(begin);
}

std::string costs_view(const report::PicturedLine& line,
                       const std::vector<report::PicturedDevice>& devices) {
  const auto& request = line.requests.front();
  const bool is_shared = line.line.operation.space == run::Space::kShared;
  std::string out = "<div class=\"cost\">";
  for (std::size_t i = 0; i < devices.size(); ++i) {
    const auto& cost = request.costs.at(i);
    const auto value = is_shared ? cost.wavefronts : cost.sectors;
    const auto least = is_shared ? cost.wavefronts - cost.conflicts : least_sectors(cost);
    out += fmt::format("<span><b class=\"{}\">{}</b> {}{} (least {}) on {}</span>",
                       is_costly(line, cost) ? "bad" : "good", value,
                       is_shared ? "wavefront" : "sector", value == 1 ? "" : "s", least,
                       escaped(devices[i].product));
  }
  return out + "</div>\n";
}

// Whether a traced request of that line costs more than it must on some device.
bool costs_too_much(const report::PicturedLine& line) {
  return std::any_of(line.requests.begin(), line.requests.end(), [&](const auto& request) {
    return std::any_of(request.costs.begin(), request.costs.end(),
                       [&](const auto& cost) { return is_costly(line, cost); });
  });
}

// "line 28: global load of in".
std::string line_title(const report::ExerciseReport& item, const report::PicturedLine& line) {
  const auto& where = line.line.where;
  const auto& name = line.line.memory.name;
  return fmt::format("{}: {}{}{}",
                     where.file == item.file ? fmt::format("line {}", where.line)
                                             : fmt::format("{}:{}", where.file, where.line),
                     memory::name(line.line.operation), name.empty() ? "" : " of ", name);
}

std::string access_figure(const report::ExerciseReport& item, std::size_t index, bool explains) {
  const auto& pictures = *item.pictures;
  const auto& line = pictures.lines[index];
  const auto& request = line.requests.front();
  const bool is_shared = line.line.operation.space == run::Space::kShared;
  const auto text =
      escaped(request_text(line, request, pictures.devices.front(), request.costs.front()));
  const auto& where = line.line.where;
  auto stage = fmt::format("<div class=\"stage\" role=\"img\" aria-label=\"{}\"></div>", text);
  if (is_shared) {
    stage = fmt::format(
        "<div class=\"pair\"><div><h5>Lanes by bank</h5>{}</div><div><h5>The array by "
        "bank</h5><div "
        "class=\"stage\" role=\"img\" aria-label=\"The array row by row; each word in the colour "
        "of "
        "its bank, those of the request outlined.\"></div></div></div>",
        stage);
  }
  const auto source = base::excerpt(base::escape_controls(source_text(item, where), false, true));
  return fmt::format(
      "<figure data-line=\"{}\"><figcaption><h4>{}</h4>{}{}</figcaption>\n<div "
      "class=\"controls\"></div>\n{}\n<output aria-live=\"polite\">{}</output>\n{}</figure>\n",
      index, escaped(line_title(item, line)),
      source.text.empty() ? "" : "<pre>" + escaped(source.text) + "</pre>",
      costs_view(line, pictures.devices), stage, text,
      explains ? paragraph(is_shared ? kBankTerm : kSectorTerm, "quiet") : "");
}

std::string bar_svg(double share, std::string_view css_class, double mark = -1) {
  return fmt::format(
      "<svg viewBox=\"0 0 100 10\" preserveAspectRatio=\"none\" aria-hidden=\"true\"><rect "
      "class=\"track\" width=\"100\" height=\"10\"/><rect class=\"fill {}\" width=\"{:.2f}\" "
      "height=\"10\"/>{}</svg>",
      css_class, 100 * std::clamp(share, 0.0, 1.0),
      mark < 0 ? ""
               : fmt::format("<line class=\"mark\" x1=\"{0:.2f}\" x2=\"{0:.2f}\" y1=\"0\" "
                             "y2=\"10\" vector-effect=\"non-scaling-stroke\"/>",
                             100 * std::clamp(mark, 0.0, 1.0)));
}

// The speed gate of that device; nullptr if none exists.
const report::Gate* speed_gate(const report::ExerciseReport& item, const std::string& device) {
  for (const auto& gate : item.gates) {
    if (gate.definition.is_performance() && gate.definition.device == device) return &gate;
  }
  return nullptr;
}

std::string key(std::string_view css_class, const std::string& text) {
  return fmt::format(
      "<span><svg viewBox=\"0 0 10 10\" aria-hidden=\"true\"><rect class=\"{}\" width=\"10\" "
      "height=\"10\"/></svg> {}</span>",
      css_class, text);
}

}  // namespace

std::string access_view(const report::ExerciseReport& item) {
  const auto& pictures = *item.pictures;
  if (pictures.lines.empty()) return {};
  const auto where = pictures.case_name.empty()
                         ? std::string("Recorded with")
                         : fmt::format("Recorded in case {} ({}),", escaped(pictures.case_name),
                                       escaped(text::in_words(pictures.variables)));
  auto out = fmt::format(
      "<h3>Memory requests of each warp</h3>\n<p class=\"quiet\">{} grid {}, block {}. An "
      "iteration is one execution of a loop's body, unrolled or not.</p>\n"
      "<noscript><p>A script of this page draws the pictures. The sentences contain the "
      "same facts.</p></noscript>\n",
      where, base::extent_text(pictures.grid), base::extent_text(pictures.block));
  const bool any_costly = std::any_of(pictures.lines.begin(), pictures.lines.end(), costs_too_much);
  std::set<run::Space> explained;
  std::size_t open = 0;
  for (std::size_t i = 0; i < pictures.lines.size(); ++i) {
    const auto& line = pictures.lines[i];
    const bool matters = costs_too_much(line) || !any_costly;
    if (matters && open++ < kOpenFigures) {
      out += access_figure(item, i, explained.insert(line.line.operation.space).second);
    } else {
      out += fmt::format("<details><summary>{}{}</summary>\n{}</details>\n",
                         escaped(line_title(item, line)), matters ? "" : ": no waste",
                         access_figure(item, i, false));
    }
  }
  return out;
}

std::string wrong_view(const report::WrongMap& map) {
  const auto across = (map.columns + map.cell_columns - 1) / map.cell_columns;
  const auto down = (map.rows + map.cell_rows - 1) / map.cell_rows;
  std::string cells;
  for (std::uint64_t y = 0; y < down; ++y) {
    for (std::uint64_t x = 0; x < across;) {
      const auto kind = [&](std::uint64_t column) {
        const auto& cell = map.cells.at(y * across + column);
        return cell.wrong == 0 ? 0 : cell.unwritten == cell.wrong ? 1 : 2;
      };
      auto end = x + 1;
      while (end < across && kind(end) == kind(x)) ++end;
      if (kind(x) != 0) {
        cells += fmt::format("<rect class=\"{}\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"1\"/>",
                             kind(x) == 1 ? "unwritten" : "wrong", x, y, end - x);
      }
      x = end;
    }
  }
  // A vector is drawn as a band.
  const auto height = std::max<std::uint64_t>(down, across / 16 + 1);
  const auto each = map.cell_rows * map.cell_columns;
  std::string grid;
  const auto tile = [](std::uint64_t cell) {
    return static_cast<double>(kTileSide) / static_cast<double>(cell);
  };
  for (double x = tile(map.cell_columns); x < static_cast<double>(across);
       x += tile(map.cell_columns)) {
    grid += fmt::format("<path class=\"grid\" d=\"M{:.3f} 0V{}\"/>", x, down);
  }
  for (double y = tile(map.cell_rows); y < static_cast<double>(down); y += tile(map.cell_rows)) {
    grid += fmt::format("<path class=\"grid\" d=\"M0 {:.3f}H{}\"/>", y, across);
  }
  auto keys = key("right", "right");
  if (map.wrong != map.unwritten) keys += key("wrong", "wrong value");
  if (map.unwritten != 0) keys += key("unwritten", "never written");
  const auto scale = each == 1
                         ? std::string()
                         : fmt::format(
                               " Each cell is {} x {} elements, and has a colour if any of them is "
                               "wrong.",
                               map.cell_rows, map.cell_columns);
  return fmt::format(
      "<figure><figcaption><h4>Wrong elements of {0}</h4></figcaption>\n<div class=\"beside\"><svg "
      "role=\"img\" aria-label=\"{1}\" viewBox=\"0 0 {2} {3}\" preserveAspectRatio=\"none\" "
      "width=\"{4}\" height=\"{5}\" style=\"max-width:100%\"><g "
      "shape-rendering=\"crispEdges\"><rect class=\"right\" width=\"{2}\" "
      "height=\"{3}\"/>{6}</g>{7}</svg>\n<div><p>{1}.</p>\n<p class=\"key\">{8}</p>\n<p "
      "class=\"quiet\">{9} rows from top to bottom, {10} columns from left to right; lines "
      "separate tiles of 32.{11}</p></div></div></figure>\n",
      escaped(map.output), escaped(map.text), across, down,
      std::min<std::uint64_t>(across * 10, 420), std::min<std::uint64_t>(height * 10, 420), cells,
      down > 1 ? grid : std::string(), keys, map.rows, map.columns, scale);
}

std::string partition_view(const report::PartitionMap& map) {
  std::string out = "<h3>Partitions of the first blocks</h3>\n";
  for (std::size_t i = 0; i < map.lines.size(); ++i) {
    const auto& line = map.lines[i];
    std::vector<std::uint64_t> blocks(map.partitions);
    for (const auto& place : line.places) ++blocks.at(place.partition);
    const auto used = map.partitions - std::count(blocks.begin(), blocks.end(), 0U);
    const auto most = *std::max_element(blocks.begin(), blocks.end());
    const auto text = fmt::format(
        "The first {} blocks on {} start their {}s of {} (line {}) in {} of {} partitions, {} of "
        "them in the busiest.",
        map.blocks, map.product, memory::name(line.operation), line.memory, line.line, used,
        map.partitions, most);
    std::string bars;
    for (std::uint32_t p = 0; p < map.partitions; ++p) {
      const auto share = most == 0 ? 0 : static_cast<double>(blocks[p]) / static_cast<double>(most);
      bars += fmt::format("<span>partition {}</span>{}<span>{} blocks</span>\n", p,
                          bar_svg(share, ""), blocks[p]);
    }
    out += fmt::format(
        "<figure data-map=\"{}\"><figcaption><h4>line {}: {} of {}</h4></figcaption>\n<div "
        "class=\"pair\"><div class=\"stage\" role=\"img\" aria-label=\"{}\"></div>\n<div "
        "class=\"bars\">{}</div></div>\n<p>{}</p>\n{}</figure>\n",
        i, line.line, memory::name(line.operation), escaped(line.memory), escaped(text), bars,
        escaped(text), i == 0 ? paragraph(kPartitionTerm, "quiet") : "");
  }
  return out;
}

std::string time_view(const report::ExerciseReport& item, Words& words) {
  const auto& times = item.pictures->times;
  if (times.empty()) return {};
  std::string out = "<h3>Speed and busy resources</h3>\n";
  for (std::size_t i = 0; i < times.size(); ++i) {
    const auto& timed = times[i];
    const auto* gate = speed_gate(item, timed.device);
    const double bound = gate != nullptr ? gate->deciding_bounds().min.value_or(0) : 0;
    const auto fraction = timed.fraction_of_roof.value_or(0);
    const bool is_slow = fraction < bound && !(gate != nullptr && gate->is_spared());
    std::string bars;
    if (timed.fraction_of_roof) {
      bars = fmt::format("<span>fraction of {}</span>{}<span>{}{}</span>\n",
                         item.has_roofline() ? "roofline" : "copy",
                         bar_svg(fraction, is_slow ? "bad" : "good", bound > 0 ? bound : -1),
                         text::number(fraction),
                         bound > 0 ? fmt::format(" (mark: {})", text::number(bound)) : "");
    }
    for (const auto& share : timed.shares) {
      if (!(share.seconds > kLeastShare * timed.seconds)) continue;
      bars += fmt::format("<span>{}</span>{}<span>{}</span>\n",
                          word_link(report::bound_in_words(share.resource), words),
                          bar_svg(timed.seconds > 0 ? share.seconds / timed.seconds : 0, ""),
                          text::seconds(share.seconds));
    }
    out += fmt::format(
        "<figure><figcaption><h4>{}{}: {}, limited by {}</h4>{}</figcaption>\n<div "
        "class=\"bars\">{}</div>\n{}</figure>\n",
        escaped(timed.device), timed.name.empty() ? "" : " in case " + escaped(timed.name),
        text::seconds(timed.seconds), word_link(report::bound_in_words(timed.bound_by), words),
        paragraph(text::in_words(timed.variables), "quiet"), bars,
        paragraph(report::skew_text(timed.skew)) + (i == 0 ? paragraph(kTimeTerm, "quiet") : ""));
  }
  return out;
}

}  // namespace warpgrade::grader::html
