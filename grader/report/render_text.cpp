// SPDX-License-Identifier: Apache-2.0
#include "grader/report/render_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/base/diagnostic.h"
#include "common/base/finding_text.h"
#include "common/base/text.h"
#include "grader/report/pictures.h"
#include "grader/report/render_gates.h"
#include "grader/report/render_measurements.h"
#include "grader/report/report.h"
#include "grader/text/messages.h"

namespace warpgrade::grader::report {

// The place is bold; kind and caret are red.
std::string render_diagnostic(const base::Diagnostic& diagnostic, std::string_view source,
                              const text::Style& style) {
  const auto parts = base::rendered(diagnostic, source);
  auto out = style(text::Colour::kBold, parts.place) + style(text::Colour::kRed, parts.kind) +
             ": " + parts.message + "\n";
  if (!parts.excerpt.empty()) out += parts.excerpt + "\n";
  if (!parts.caret.empty()) out += style(text::Colour::kRed, parts.caret) + "\n";
  if (!parts.thread.empty()) out += parts.thread + "\n";
  return out;
}

namespace {

constexpr std::size_t kMostRows = 8;  // For sectors and for wavefronts.
constexpr std::uint64_t kSectorSide = 32;
constexpr std::uint64_t kMapSide = 64;

std::string more_rows(std::size_t all, const char* what) {
  if (all <= kMostRows) return {};
  return fmt::format("    and {} more {}\n", all - kMostRows, what);
}

// "0 to 7", "3".
std::string lanes_text(std::uint32_t lanes) {
  const auto first = std::countr_zero(lanes);
  const auto last = 31 - std::countl_zero(lanes);
  if (first == last) return fmt::format("{}", first);
  if (std::popcount(lanes) == last - first + 1) return fmt::format("{} to {}", first, last);
  return fmt::format("{} of {} to {}", std::popcount(lanes), first, last);
}

std::string sector_rows(const PicturedLine& line, const memory::TracedRequest& request) {
  struct Sector {
    std::string used = std::string(kSectorSide / 4, '.');
    std::uint32_t lanes = 0;
  };
  std::map<std::uint64_t, Sector> sectors;
  for (std::uint32_t left = request.mask; left != 0; left &= left - 1) {
    const auto lane = static_cast<std::size_t>(std::countr_zero(left));
    for (std::uint64_t byte = 0; byte < line.line.bytes; ++byte) {
      const auto at = request.address.at(lane) + byte;
      auto& sector = sectors[at / kSectorSide];
      sector.used[at % kSectorSide / 4] = '#';
      sector.lanes |= 1U << lane;
    }
  }
  std::vector<std::array<std::string, 3>> rows;
  std::size_t widest = 0;
  for (const auto& [index, sector] : sectors) {
    if (rows.size() == kMostRows) break;
    const auto address = index * kSectorSide;
    const auto first = line.line.memory.first;
    auto place = address < first ? std::string() : place_text(line, address - first);
    widest = std::max(widest, place.size());
    rows.push_back({std::move(place), sector.used, lanes_text(sector.lanes)});
  }
  std::string out;
  for (const auto& [place, used, lanes] : rows) {
    out += fmt::format("    {:<{}}  {}  lane {}\n", place, widest, used, lanes);
  }
  return out + more_rows(sectors.size(), "sectors");
}

std::string bank_rows(const PicturedDevice& device, const RequestCost& cost) {
  constexpr std::string_view kSigns = "0123456789abcdefghijklmnopqrstuv";
  std::size_t all = 0;
  for (const auto& word : cost.words) all = std::max<std::size_t>(all, word.row + 1);
  std::vector<std::string> rows(std::min(all, kMostRows), std::string(device.banks, '.'));
  for (const auto& word : cost.words) {
    if (word.row >= rows.size()) continue;
    auto& sign = rows[word.row].at(word.bank);
    if (sign == '.') sign = kSigns.at(word.lane);
  }
  std::string out;
  for (std::size_t i = 0; i < rows.size(); ++i)
    out += fmt::format("    {:>2}  {}\n", i + 1, rows[i]);
  return out + more_rows(all, "wavefronts");
}

std::string line_picture(const ExerciseReport& item, const PicturedLine& line) {
  const auto& device = item.pictures->devices.front();
  const auto& request = line.requests.front();
  const auto& cost = request.costs.front();
  const bool is_shared = line.line.operation.space == run::Space::kShared;
  const auto& where = line.line.where;
  const auto place = where.file == item.file ? fmt::format("line {}", where.line)
                                             : fmt::format("{}:{}", where.file, where.line);
  const auto value = is_shared ? cost.wavefronts : cost.sectors;
  const auto least = is_shared ? cost.wavefronts - cost.conflicts : least_sectors(cost);
  auto out = fmt::format(
      "  {}, {}{}{}: {} {}{}{} ({})\n", base::escape_controls(place),
      memory::name(line.line.operation), line.line.memory.name.empty() ? "" : " of ",
      base::escape_controls(line.line.memory.name), value, is_shared ? "wavefront" : "sector",
      value == 1 ? "" : "s", value > least ? fmt::format(", {} would do", least) : "", device.name);
  return out + (is_shared ? bank_rows(device, cost) : sector_rows(line, request.traced));
}

std::string map_picture(const WrongMap& map) {
  const auto across = (map.columns + map.cell_columns - 1) / map.cell_columns;
  std::string out = text::wrapped(base::escape_controls(map.text), 2);
  // Two rows are one of text, since a character is twice as high as wide.
  const auto down = map.cells.size() / std::max<std::uint64_t>(across, 1);
  for (std::uint64_t y = 0; y < down; y += 2) {
    out += "    ";
    for (std::uint64_t x = 0; x < std::min(across, kMapSide); ++x) {
      WrongMap::Cell sum;
      for (auto row = y; row < std::min(y + 2, down); ++row) {
        const auto& cell = map.cells[row * across + x];
        sum = {sum.wrong + cell.wrong, sum.unwritten + cell.unwritten};
      }
      out += sum.wrong == 0 ? '.' : sum.wrong == sum.unwritten ? '-' : 'x';
    }
    out += '\n';
  }
  return out + "    . right   x wrong   - never written\n";
}

std::string partition_picture(const PartitionMap& map) {
  constexpr std::size_t kBar = 40;
  std::string out;
  for (const auto& line : map.lines) {
    std::vector<std::size_t> blocks(map.partitions);
    for (const auto& place : line.places) ++blocks.at(place.partition);
    const auto most = std::max<std::size_t>(*std::max_element(blocks.begin(), blocks.end()), 1);
    out += fmt::format("  line {}, {} of {}: the first {} blocks, by partition ({})\n", line.line,
                       memory::name(line.operation), base::escape_controls(line.memory), map.blocks,
                       map.device);
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      out += fmt::format("    {:>2}  {:<{}}  {}\n", i, std::string(blocks[i] * kBar / most, '#'),
                         kBar, blocks[i]);
    }
  }
  return out;
}

}  // namespace

std::string render_pictures(const ExerciseReport& item) {
  if (!item.pictures) return {};
  const auto& pictures = *item.pictures;
  std::string out;
  if (pictures.wrong) out += map_picture(*pictures.wrong);
  for (const auto& line : pictures.lines) out += line_picture(item, line);
  if (pictures.partitions) out += partition_picture(*pictures.partitions);
  if (out.empty()) return out;
  return fmt::format("{}/{}: what the first warp asks memory for, in case {}\n", item.lab,
                     item.exercise, pictures.case_name) +
         out;
}

namespace {

std::string heading(const ExerciseReport& item, const text::Style& style) {
  return fmt::format("{}: {}\n{}  {} of {} points  {}\n",
                     style(text::Colour::kBold, item.lab + "/" + item.exercise), item.title,
                     style(colour_of(item.verdict), word_of(item.verdict)), item.points,
                     item.max_points, base::escape_controls(item.file));
}

// Results on a card and in its simulation may differ, so the text names one of the two.
std::string place(const Case& run) {
  return run.backend == run::Backend::kGpu ? run.device + " on the GPU" : run.device;
}

std::string devices(const ExerciseReport& item) {
  std::vector<std::string> seen;
  for (const auto& run : item.cases) {
    const auto name = place(run);
    if (std::find(seen.begin(), seen.end(), name) == seen.end()) seen.push_back(name);
  }
  std::string out;
  for (const auto& name : seen) out += (out.empty() ? "" : ", ") + name;
  return out;
}

// The first wrong case with its variables; only the names of the others, since shapes reveal the
// cause.
std::string results(const ExerciseReport& item, const text::Style& style) {
  if (item.cases.empty()) return {};
  const auto count = [&](Case::State state) {
    return std::count_if(item.cases.begin(), item.cases.end(),
                         [state](const Case& run) { return run.state == state; });
  };
  const auto right = count(Case::State::kPassed);
  const auto not_run = count(Case::State::kNotRun);
  const auto total = static_cast<std::ptrdiff_t>(item.cases.size());
  std::string out =
      fmt::format("  result  {}\n",
                  style(right == total ? text::Colour::kGreen : text::Colour::kRed,
                        fmt::format("right in {} of {} runs ({}){}", right, total, devices(item),
                                    not_run == 0 ? "" : fmt::format(", {} not run", not_run))));
  const Case* first = nullptr;
  std::vector<std::string> others;
  std::vector<std::string> right_cases;
  const auto note = [](std::vector<std::string>& names, const std::string& name) {
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  };
  for (const auto& run : item.cases) {
    if (run.state == Case::State::kPassed) note(right_cases, run.name);
    if (run.state == Case::State::kDiagnostic) {
      out += fmt::format("  stopped in case {} ({}) on {}\n", run.name,
                         text::in_words(run.variables), place(run));
    }
    if (run.state != Case::State::kIncorrect) continue;
    if (first == nullptr) {
      first = &run;
      out += fmt::format("  wrong in case {} ({}) on {}\n", run.name, text::in_words(run.variables),
                         place(run));
    } else if (run.name != first->name) {
      note(others, run.name);
    }
  }
  if (!others.empty())
    out += text::wrapped("also wrong: " + text::joined(std::span<const std::string>(others)), 2,
                         false, style.width());
  if (first != nullptr && !right_cases.empty()) {
    out += text::wrapped("right: " + text::joined(std::span<const std::string>(right_cases)), 2,
                         false, style.width());
  }
  return out;
}

std::string source_line(const ExerciseReport& item, std::uint32_t line) {
  const auto text = base::escape_controls(base::line_of(item.source, line), false, true);
  return fmt::format("  {:>5} | {}\n", line, base::excerpt(text).text);
}

// A label and its text, which hangs below it.
std::string labelled(std::string_view label, const std::string& text, const text::Style& style) {
  return fmt::format("  {}{}{}", style(text::Colour::kBold, std::string(label)),
                     std::string(6 - label.size(), ' '),
                     text::wrapped(text, 8, /*hang=*/true, style.width()));
}

// The next step, and the hint that the student may read.
std::string next_step(const ExerciseReport& item, const text::Style& style) {
  std::string out;
  if (!item.next.empty()) out += labelled("next", item.next, style);
  if (!item.hint.empty()) {
    out += text::wrapped(item.hint, 8, false, style.width());
    out += fmt::format("        More: {} hint {}/{} --next\n", base::program_call(), item.lab,
                       item.exercise);
  }
  return out;
}

// The first few of the first questions: the pattern in them teaches, not their number.
std::string wrong_answers(const ExerciseReport& item, const text::Style& style) {
  constexpr std::size_t kMostShown = 2;
  constexpr std::size_t kMostOfAll = 6;
  std::string out;
  std::vector<std::string> others;
  std::size_t shown_so_far = 0;
  for (const auto& gate : item.gates) {
    std::vector<const WrongAnswer*> wrong;
    for (const auto& answer : item.wrong_answers) {
      if (answer.question == gate.definition.id) wrong.push_back(&answer);
    }
    if (wrong.empty()) continue;
    if (shown_so_far >= kMostOfAll) {
      others.push_back(gate.definition.id);
      continue;
    }
    shown_so_far += std::min(wrong.size(), kMostShown);
    out += text::wrapped(fmt::format("{}: {}", gate.definition.id, gate.definition.meaning), 2,
                         false, style.width());
    for (std::size_t i = 0; i < std::min(wrong.size(), kMostShown); ++i) {
      const auto& answer = *wrong[i];
      out += text::wrapped(
          fmt::format("{}{}{} is wrong. {}", answer.subject, answer.subject.empty() ? "" : ": ",
                      answer.text(), answer.reasoning),
          4, false, style.width());
    }
    if (wrong.size() > kMostShown) {
      out += fmt::format("    and {} more\n", wrong.size() - kMostShown);
    }
  }
  if (!others.empty()) {
    out += text::wrapped("also wrong: " + text::joined(std::span<const std::string>(others)), 2,
                         false, style.width());
  }
  return out;
}

// Each line after a bar, so that a kernel's output cannot look like a line of the report.
std::string printed_lines(std::string_view rest) {
  constexpr std::uint32_t kMostLines = 20;
  constexpr std::size_t kMostColumns = 500;
  std::string out;
  std::uint32_t lines = 0;
  while (!rest.empty()) {
    const auto line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    if (++lines > kMostLines) continue;
    const auto shown = base::excerpt(base::escape_controls(line), 0, kMostColumns);
    out += fmt::format("    | {}\n", shown.text);
  }
  if (lines > kMostLines) out += fmt::format("    and {} more lines\n", lines - kMostLines);
  return out;
}

std::string printed(const ExerciseReport& item, const text::Style& style) {
  std::string out;
  if (!item.printed_first.empty()) {
    out += text::wrapped(
        fmt::format("output of case {} by {}:", item.printed_case, item.printed_thread), 2, false,
        style.width());
    out += printed_lines(item.printed_first);
  }
  if (item.printed.empty()) return out;
  out += fmt::format("  output of case {}{}:\n", item.printed_case,
                     item.printed_first.empty() ? "" : " by the other threads");
  return out + printed_lines(item.printed);
}

// The card's counters of each case; prints a reason for missing ones once for all cases.
std::string gpu_counters(const ExerciseReport& item, const text::Style& style) {
  std::string out;
  std::vector<std::string> reasons;
  for (const auto& one : item.cases) {
    if (!one.counted) continue;
    const auto& reason = one.counted->reason;
    if (reason.empty()) {
      out += fmt::format("  counted by the card in case {} ({}), no part of the grade:\n{}",
                         one.name, text::in_words(one.variables),
                         render_counters(one.counted->metrics, one.simulated, 4));
      continue;
    }
    if (std::find(reasons.begin(), reasons.end(), reason) != reasons.end()) continue;
    reasons.push_back(reason);
    std::vector<std::string> names;
    for (const auto& other : item.cases) {
      if (other.counted && other.counted->reason == reason) names.push_back(other.name);
    }
    out += text::wrapped(fmt::format("no counters of the card for {}: {}",
                                     text::joined(std::span<const std::string>(names)),
                                     base::escape_controls(reason)),
                         2, false, style.width());
  }
  return out;
}

std::string render_exercise(const ExerciseReport& item, const text::Style& style) {
  auto out = heading(item, style);
  if (const auto text = failure_text(item); !text.empty()) out += labelled("why", text, style);
  for (const auto* all : {&item.diagnostics, &item.race_warnings}) {
    for (const auto& diagnostic : *all) {
      // A place in a header is not in the submission's text.
      const bool own = diagnostic.where.file == item.file;
      out += render_diagnostic(diagnostic, own ? item.source : "", style);
    }
  }
  out += next_step(item, style);
  if (!item.result_lines.empty()) {
    out += "  results are stored in:\n";
    for (const auto line : item.result_lines) out += source_line(item, line);
  }
  out += results(item, style) + printed(item, style);
  out += render_gates(item, style);
  out += item.wrong_answers.empty() ? render_failed_gates(item, style) : wrong_answers(item, style);
  out += gpu_counters(item, style);
  for (const auto& warning : item.warnings) out += text::wrapped(warning, 2, false, style.width());
  if (!item.left_out.empty()) out += text::wrapped(item.left_out, 2, false, style.width());
  return out;
}

}  // namespace

std::string render_text(const Report& report, const text::Style& style) {
  std::string out = fmt::format("warpgrade grade: {} on {}, seed {}\n",
                                report.backend == run::Backend::kGpu ? "GPU" : "simulated",
                                report.device, report.seed);
  for (const auto& note : report.notes) out += text::wrapped(note, 0, false, style.width());
  for (const auto& item : report.exercises) {
    out += '\n';
    out += render_exercise(item, style);
  }
  out += '\n' + render_summary(report, style);
  return out;
}

}  // namespace warpgrade::grader::report
