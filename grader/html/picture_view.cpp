// SPDX-License-Identifier: Apache-2.0
#include "grader/html/picture_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string_view>

#include "common/base/facts.h"
#include "common/base/text.h"
#include "grader/html/html_text.h"
#include "grader/report/picture_text.h"
#include "grader/report/render_lines.h"
#include "grader/report/skew_text.h"
#include "grader/text/terminal.h"

namespace warpgrade::grader::html {
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
const report::GateReport* speed_gate(const report::ExerciseReport& item,
                                     const std::string& device) {
  for (const auto& gate : item.gates) {
    if (gate.gate.is_performance() && gate.gate.device == device) return &gate;
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

std::string time_view(const report::ExerciseReport& item) {
  const auto& times = item.pictures->times;
  if (times.empty()) return {};
  std::string out = "<h3>Speed and busy resources</h3>\n";
  for (std::size_t i = 0; i < times.size(); ++i) {
    const auto& timed = times[i];
    const auto* gate = speed_gate(item, timed.device);
    const double bound = gate != nullptr ? gate->bounds.min.value_or(0) : 0;
    const auto fraction = timed.fraction_of_roof.value_or(0);
    const bool is_slow = fraction < bound && !(gate != nullptr && gate->is_spared());
    std::string bars;
    if (timed.fraction_of_roof) {
      bars = fmt::format("<span>fraction of {}</span>{}<span>{}{}</span>\n",
                         item.rooflines.empty() ? "copy" : "roofline",
                         bar_svg(fraction, is_slow ? "bad" : "good", bound > 0 ? bound : -1),
                         text::number(fraction),
                         bound > 0 ? fmt::format(" (mark: {})", text::number(bound)) : "");
    }
    for (const auto& share : timed.shares) {
      if (!(share.seconds > kLeastShare * timed.seconds)) continue;
      bars += fmt::format("<span>{}</span>{}<span>{}</span>\n",
                          escaped(report::bound_in_words(share.resource)),
                          bar_svg(timed.seconds > 0 ? share.seconds / timed.seconds : 0, ""),
                          text::seconds(share.seconds));
    }
    out += fmt::format(
        "<figure><figcaption><h4>{}{}: {}, limited by {}</h4>{}</figcaption>\n<div "
        "class=\"bars\">{}</div>\n{}</figure>\n",
        escaped(timed.device), timed.name.empty() ? "" : " in case " + escaped(timed.name),
        text::seconds(timed.seconds), escaped(report::bound_in_words(timed.bound_by)),
        paragraph(text::in_words(timed.variables), "quiet"), bars,
        paragraph(report::skew_text(timed.skew)) + (i == 0 ? paragraph(kTimeTerm, "quiet") : ""));
  }
  return out;
}

}  // namespace warpgrade::grader::html
