// SPDX-License-Identifier: Apache-2.0
// Measurements of a launch as text, for reports of grades and of profiles.
// In: counters per source line, modelled times, the roofline, and a card's counters. Out: tables
// and sentences about what bounds the launch.
// A warp that accesses one 4-byte word per lane needs 4 sectors or one wavefront; more is red.
#include "grader/report/render_measurements.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "common/base/text.h"
#include "common/memory/metrics.h"
#include "common/timing/bound.h"
#include "common/timing/model.h"
#include "grader/report/report.h"
#include "grader/text/messages.h"

namespace warpgrade::grader::report {
namespace {

std::string whole(double value) {
  return base::grouped(static_cast<std::uint64_t>(std::llround(value)));
}

std::string text_of(const timing::Contention& found) {
  return fmt::format(
      "Contention: {:.0f} of the {:.0f} lanes of an atomic on {} memory use the same word on "
      "average, one after another. Add up equal values first, or give lanes copies of the word.",
      found.on_one_word, found.lanes, found.space == run::Space::kShared ? "shared" : "global");
}

std::string text_of(const timing::Imbalance& found) {
  return fmt::format(
      "Imbalance: the longest warp issues {} instructions, the mean warp {}. One warp runs for {}. "
      "Divide its work among more warps.",
      whole(found.longest), whole(found.mean), text::seconds(found.longest_seconds));
}

std::string text_of(std::monostate /*none*/) { return {}; }

std::string_view name_of(timing::Unmodelled part) {
  switch (part) {
    case timing::Unmodelled::kWaitsBetweenBlocks:
      return "how long these blocks wait for each other";
    case timing::Unmodelled::kBlocksNotBegun:
      return "waits for blocks that begin later, which may last forever on a GPU";
    case timing::Unmodelled::kLateBlocks:
      return "how long blocks wait at barriers for the block with the most work";
    case timing::Unmodelled::kLockAttempts:
      return "failed attempts to get a lock, which slow down its owner";
    case timing::Unmodelled::kMemoryDuringWaits:
      return "the load of memory while blocks wait for each other";
    case timing::Unmodelled::kOtherBlocksMemory:
      return "the network to the shared memory of other blocks";
    case timing::Unmodelled::kFences:
      return "fences that follow each other without an access in between";
    case timing::Unmodelled::kColdConstants:
      return "constants that are not in their cache";
    case timing::Unmodelled::kSleepsOfWaits:
      return "a loop that sleeps, or tests a barrier object, until another thread is done";
    case timing::Unmodelled::kBulkCopies:
      return "bulk copies beside accesses that the load and store units limit";
    case timing::Unmodelled::kRequestsOfManyUnits:
      return "requests of several multiprocessors for the same line";
    case timing::Unmodelled::kFullSize:
      return "the size whose speed is graded, since its blocks take too long to be simulated";
    case timing::Unmodelled::kLongBlock:
      return "a block with several times the work of others, after which the launch ends";
    case timing::Unmodelled::kCount:
      break;
  }
  return {};
}

}  // namespace

std::string inexact_time_text(const timing::UnmodelledSet& parts) {
  std::vector<std::string_view> names;
  for (unsigned i = 0; i < static_cast<unsigned>(timing::Unmodelled::kCount); ++i) {
    const auto part = static_cast<timing::Unmodelled>(i);
    if (parts.has(part)) names.push_back(name_of(part));
  }
  if (names.empty()) return {};
  const bool is_bounded = parts.longer() < timing::UnmodelledSet::kUnknown;
  const auto* how = !is_bounded          ? "is slower"
                    : parts.longer() > 0 ? "can be slower"
                                         : "can be faster";
  return fmt::format("The time model does not time {}{}, so the kernel {} than its simulated time.",
                     fmt::join(names, ", or "), is_bounded ? " exactly" : "", how);
}

std::string unmodelled_text(const timing::UnmodelledSet& parts) {
  if (parts.empty()) return {};
  return inexact_time_text(parts) + " Only a GPU decides its speed: grade it with --backend gpu.";
}

std::string skew_text(const timing::Skew& skew) {
  return std::visit([](const auto& found) { return text_of(found); }, skew);
}

namespace {

// "+1.3 %" of the card's value; "-" if one of the two is missing.
std::string difference_text(const memory::Metrics& gpu, const memory::Metrics& simulated,
                            const std::string& name) {
  const auto real = gpu.find(name);
  const auto model = simulated.find(name);
  if (real == gpu.end() || model == simulated.end()) return "-";
  const double by = model->second - real->second;
  if (real->second == 0) return by == 0 ? "+0.0 %" : fmt::format("+{}", text::number(by));
  return fmt::format("{:+.1f} %", by / real->second * 100);
}

std::string cell(const memory::Metrics& metrics, const std::string& name) {
  const auto found = metrics.find(name);
  return found == metrics.end() ? "-" : text::number(found->second);
}

}  // namespace

std::string render_counters(const memory::Metrics& gpu, const memory::Metrics& simulated,
                            std::size_t indent) {
  std::set<std::string> names;
  for (const auto& [name, value] : gpu) names.insert(name);
  for (const auto& [name, value] : simulated) names.insert(name);
  text::Columns table({true, false});
  table.add({"metric", "card", "simulated", "difference"});
  for (const auto& name : names) {
    table.add(
        {name, cell(gpu, name), cell(simulated, name), difference_text(gpu, simulated, name)});
  }
  return table.text(indent, text::Style());
}

namespace {

// The sectors of a request with one 4-byte word per lane, and one wavefront per request.
constexpr double kGoodSectors = 4;
constexpr double kGoodWavefronts = 1;
constexpr std::size_t kLeastSource = 24;

// Sectors per request, or wavefronts of shared memory.
double each_request(const memory::LineCounters& line) {
  const auto sum = line.operation.space == run::Space::kShared ? line.wavefronts : line.sectors;
  return line.requests == 0 ? 0 : static_cast<double>(sum) / static_cast<double>(line.requests);
}

// "12" in the submission, "tile.cuh:12" elsewhere.
std::string line_name(const std::string& at_file, std::uint32_t line, const std::string& file) {
  return at_file == file ? fmt::format("{}", line)
                         : fmt::format("{}:{}", base::escape_controls(at_file), line);
}

std::vector<std::string> counted(const memory::LineCounters& line, const std::string& file) {
  const auto each = each_request(line);
  const bool is_shared = line.operation.space == run::Space::kShared;
  return {line_name(line.file, line.line, file), memory::name(line.operation),
          base::grouped(line.requests),
          fmt::format("{} {}{}", text::number(each), is_shared ? "wavefront" : "sector",
                      each == 1 ? "" : "s")};
}

}  // namespace

std::string source_text(const std::string& at_file, std::uint32_t number, const std::string& file,
                        const std::string& source) {
  const auto text = at_file == file ? base::line_of(source, number) : std::string_view{};
  const auto begin = std::min(text.find_first_not_of(" \t"), text.size());
  return base::escape_controls(text.substr(begin), false, true);
}

namespace {

text::Columns count_table(const std::vector<memory::LineCounters>& lines, const std::string& file) {
  const std::vector<std::string> heads = {"line", "operation", "requests", "per request"};
  text::Columns table({true, true, false, false});
  table.add(heads);
  for (std::size_t column = 0; column < heads.size(); ++column) {
    table.colour(0, column, text::Colour::kDim);
  }
  for (const auto& line : lines) {
    const bool is_shared = line.operation.space == run::Space::kShared;
    if (each_request(line) > (is_shared ? kGoodWavefronts : kGoodSectors)) {
      table.colour(table.size(), heads.size() - 1, text::Colour::kRed);
    }
    table.add(counted(line, file));
  }
  return table;
}

// The table with one of `texts` beside each row below the head, or below the row if it is too wide.
// Prints a repeated text once.
std::string with_source(const text::Columns& table, const std::vector<std::string>& texts,
                        std::size_t indent, const text::Style& style) {
  constexpr std::string_view kBar = "  | ";
  const auto beside = indent + table.width() + kBar.size();
  const bool all_fit = std::ranges::all_of(
      texts, [&](const auto& text) { return beside + base::columns_of(text) <= style.width(); });
  const auto below = indent + kBar.size();
  const auto rows = table.text(indent, style);
  std::string out = rows.substr(0, rows.find('\n') + 1);
  auto rest = std::string_view(rows).substr(out.size());
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const auto row = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(row.size() + 1);
    out += row;
    const auto& text = texts[i];
    if (all_fit && !text.empty()) out += fmt::format("{}{}", kBar, text);
    out += '\n';
    const bool next_has_it = i + 1 < texts.size() && texts[i + 1] == text;
    if (all_fit || next_has_it || text.empty()) continue;
    const auto room = std::max(style.width(), below + kLeastSource) - below;
    out +=
        fmt::format("{}{}{}\n", std::string(indent, ' '), kBar, base::excerpt(text, 0, room).text);
  }
  return out;
}

}  // namespace

std::string render_lines(const std::vector<memory::LineCounters>& lines, const std::string& file,
                         const std::string& source, std::size_t indent, const text::Style& style) {
  std::vector<std::string> texts;
  for (const auto& line : lines) texts.push_back(source_text(line.file, line.line, file, source));
  return with_source(count_table(lines, file), texts, indent, style);
}

std::string render_instructions(std::vector<memory::LineInstructions> lines,
                                const std::string& file, const std::string& source,
                                std::size_t indent, const text::Style& style) {
  constexpr std::size_t kMostLines = 5;
  std::stable_sort(lines.begin(), lines.end(),
                   [](const auto& a, const auto& b) { return a.warps > b.warps; });
  std::uint64_t all = 0;
  for (const auto& line : lines) all += line.warps;
  auto others = all;
  text::Columns table({true, false, false});
  const auto add = [&](std::string name, std::uint64_t warps) {
    const auto share = all == 0 ? 0 : static_cast<double>(warps) / static_cast<double>(all);
    table.add({std::move(name), base::grouped(warps), fmt::format("{:.0f} %", 100 * share)});
  };
  table.add({"line", "instructions", "of all"});
  for (std::size_t column = 0; column < 3; ++column) table.colour(0, column, text::Colour::kDim);
  std::vector<std::string> texts;
  for (const auto& line : lines) {
    if (texts.size() == kMostLines || line.line == 0) continue;
    add(line_name(line.file, line.line, file), line.warps);
    texts.push_back(source_text(line.file, line.line, file, source));
    others -= line.warps;
  }
  if (others != 0) {
    add("other lines", others);
    texts.emplace_back();
  }
  return with_source(table, texts, indent, style);
}

double total_of(const std::vector<timing::LineActivity>& lines) {
  double sum = 0;
  for (const auto& line : lines) sum += line.total();
  return sum;
}

std::string waiting_text(const timing::LineActivity& line, double all) {
  constexpr double kLeast = 0.01;
  constexpr std::string_view kWaiting = "waiting ";
  std::vector<std::pair<double, std::string>> parts;
  for (std::size_t i = 1; i < timing::kWarpStates; ++i) {
    const double share = all > 0 ? line.clocks[i] / all : 0;
    if (share < kLeast) continue;
    auto words = timing::in_words(static_cast<timing::WarpState>(i));
    if (words.starts_with(kWaiting)) words.remove_prefix(kWaiting.size());
    parts.emplace_back(share, fmt::format("{} {:.0f} %", words, 100 * share));
  }
  std::ranges::sort(parts, std::greater());
  std::string out;
  for (const auto& [share, text] : parts) out += (out.empty() ? "" : ", ") + text;
  return out;
}

std::string render_activity(std::vector<timing::LineActivity> lines, const std::string& file,
                            const std::string& source, std::size_t indent,
                            const text::Style& style) {
  constexpr std::size_t kMostLines = 8;
  constexpr double kLeast = 0.01;
  const double all = total_of(lines);
  if (all <= 0) return {};
  std::ranges::stable_sort(lines, std::greater(), &timing::LineActivity::total);
  text::Columns table({true, false, false, true});
  const std::vector<std::string> heads = {"line", "warp time", "issuing", "waiting"};
  table.add(heads);
  for (std::size_t i = 0; i < heads.size(); ++i) table.colour(0, i, text::Colour::kDim);
  std::vector<std::string> texts;
  timing::LineActivity others;
  const auto percent = [&](double clocks) { return fmt::format("{:.0f} %", 100 * clocks / all); };
  const auto add = [&](std::string name, const timing::LineActivity& line) {
    table.add(
        {std::move(name), percent(line.total()), percent(line.clocks[0]), waiting_text(line, all)});
  };
  for (const auto& line : lines) {
    if (texts.size() < kMostLines && line.total() >= kLeast * all && line.where.line != 0) {
      add(line_name(line.where.file, line.where.line, file), line);
      texts.push_back(source_text(line.where.file, line.where.line, file, source));
      continue;
    }
    for (std::size_t i = 0; i < timing::kWarpStates; ++i) others.clocks[i] += line.clocks[i];
  }
  if (others.total() >= kLeast * all) {
    add("other lines", others);
    texts.emplace_back();
  }
  return with_source(table, texts, indent, style);
}

std::string_view bound_in_words(timing::Bound bound) {
  if (bound == timing::Bound::kBlocksNotFollowed) return "blocks outside the timed sample";
  return timing::name(bound);
}

std::string ratio_text(double ratio) {
  return ratio > 0 && ratio < 0.01 ? fmt::format("{:.2g}", ratio) : fmt::format("{:.2f}", ratio);
}

std::string render_shares(const std::vector<timing::Share>& shares) {
  std::string out;
  for (const auto& share : shares) {
    if (!(share.seconds > 0)) continue;
    out += fmt::format("{}{} {}", out.empty() ? "" : ", ", bound_in_words(share.resource),
                       text::seconds(share.seconds));
  }
  return out;
}

std::string roofline_text(const Case& item) {
  const auto& roof = item.roofline.value();
  const auto limit =
      roof.is_limited_by_operations()
          ? "arithmetic is the limit, at " +
                text::with_prefix(roof.peak_operations_per_second(), "FLOP/s")
          : "memory is the limit, at " + text::bytes_per_second(roof.copy_bytes_per_second());
  return fmt::format(
      "On {}, {} over {} is {:.3g} FLOP per byte: {}. The kernel reaches {}, {} of the roof.",
      item.device, text::with_prefix(roof.operations, "FLOP"), text::with_prefix(roof.bytes, "B"),
      roof.intensity(), limit, text::with_prefix(roof.operations_per_second(), "FLOP/s"),
      ratio_text(roof.roof_seconds() / roof.seconds));
}

}  // namespace warpgrade::grader::report
