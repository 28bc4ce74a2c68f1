// SPDX-License-Identifier: Apache-2.0
#include "grader/class/figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace warpgrade::grader::class_book {
namespace {

constexpr std::int64_t kHour = 3600;
constexpr std::int64_t kMostBins = 60;
// Lengths of a bin in hours, each a divisor of the next.
constexpr std::array<std::int64_t, 8> kBinHours = {1, 6, 24, 72, 216, 648, 1944, 5832};

std::string rect(const char* css_class, double x, double y, double width, double height,
                 const std::string& title) {
  return fmt::format(
      "<rect class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\"><title>{}"
      "</title></rect>\n",
      css_class, x, y, width, height, title);
}

std::string words_of(std::int64_t count, const char* one, const char* many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

}  // namespace

std::vector<std::int64_t> points_histogram(const std::vector<double>& points, double most) {
  std::vector<std::int64_t> out(12);
  for (const double value : points) {
    const auto tenth = most > 0 ? static_cast<std::size_t>(std::ceil(10 * value / most - 1e-9)) : 0;
    const auto place = value <= 0 ? 0 : value >= most ? 11 : std::clamp<std::size_t>(tenth, 1, 10);
    ++out[place];
  }
  return out;
}

std::string points_figure(const std::vector<double>& points, double most) {
  constexpr double kHeight = 26;
  const auto counts = points_histogram(points, most);
  const auto highest = std::max<std::int64_t>(1, *std::max_element(counts.begin(), counts.end()));
  auto out = fmt::format(
      "<svg class=\"histogram\" role=\"img\" viewBox=\"0 0 132 28\" aria-label=\"{} with no "
      "points, {} with all {:g} points, {} between\">\n",
      counts.front(), counts.back(), most,
      static_cast<std::int64_t>(points.size()) - counts.front() - counts.back());
  for (std::size_t i = 0; i < counts.size(); ++i) {
    // One student among many must be visible.
    const auto share = static_cast<double>(counts[i]) / static_cast<double>(highest);
    const auto height = counts[i] == 0 ? 0 : std::max(1.5, kHeight * share);
    const auto x = 11 * static_cast<double>(i);
    const auto tenth = most / 10;
    const auto lower = tenth * (static_cast<double>(i) - 1);
    const auto where = i == 0    ? std::string("no points")
                       : i == 11 ? fmt::format("all {:g} points", most)
                                 : fmt::format("above {:g} to {:g} points", lower, lower + tenth);
    const auto* css_class = i == 0 ? "fill bad" : i == 11 ? "fill good" : "fill";
    out += rect("track", x, kHeight, 10, 1, where);
    if (counts[i] > 0) {
      out += rect(css_class, x, kHeight - height, 10, height,
                  words_of(counts[i], "student", "students") + ", " + where);
    }
  }
  return out + "</svg>\n";
}

std::vector<TimeBin> attempt_bins(const std::vector<AttemptTime>& attempts,
                                  std::int64_t ahead_of_utc) {
  std::vector<TimeBin> out;
  if (attempts.empty()) return out;
  const auto first = attempts.front().at + ahead_of_utc;
  const auto last = attempts.back().at + ahead_of_utc;
  auto length = kBinHours.back() * kHour;
  for (const auto hours : kBinHours) {
    if (last / (hours * kHour) - first / (hours * kHour) >= kMostBins) continue;
    length = hours * kHour;
    break;
  }
  // The first bin also counts all earlier times, which come from a wrong clock.
  const auto begin = std::max(first / length, last / length - kMostBins + 1);
  for (auto i = begin; i <= last / length; ++i) out.push_back({i * length - ahead_of_utc, 0, 0});
  for (const auto& one : attempts) {
    const auto place = (one.at + ahead_of_utc) / length - begin;
    auto& bin = out[static_cast<std::size_t>(std::max<std::int64_t>(0, place))];
    (one.late ? bin.late : bin.on_time) += 1;
  }
  return out;
}

std::string attempts_figure(const std::vector<AttemptTime>& attempts, const TimeZone& zone) {
  constexpr double kWidth = 900;
  constexpr double kHeight = 120;
  if (attempts.empty()) return {};
  // Days are those of the clock that the last attempt saw.
  const auto last = attempts.back().at;
  const auto bins = attempt_bins(attempts, TimeZone().utc_of(zone.local_of(last)) - last);
  std::int64_t highest = 1;
  std::int64_t late = 0;
  for (const auto& bin : bins) {
    highest = std::max(highest, bin.on_time + bin.late);
    late += bin.late;
  }
  const auto minute = [&](std::int64_t at) { return local_text(at, zone); };
  auto out = fmt::format(
      "<svg role=\"img\" viewBox=\"0 0 {} 160\" aria-label=\"{} from {} to {}, {} of them "
      "late\">\n",
      kWidth, words_of(static_cast<std::int64_t>(attempts.size()), "attempt", "attempts"),
      minute(attempts.front().at), minute(attempts.back().at), late);
  const double step = std::min(60.0, kWidth / static_cast<double>(bins.size()));
  const double unit = kHeight / static_cast<double>(highest);
  for (std::size_t i = 0; i < bins.size(); ++i) {
    const auto x = step * static_cast<double>(i);
    const auto on_time = unit * static_cast<double>(bins[i].on_time);
    const auto too_late = unit * static_cast<double>(bins[i].late);
    const auto from = "from " + minute(bins[i].begin);
    out += rect("track", x, 14 + kHeight, step - 1, 1, from);
    if (on_time > 0) {
      out += rect("fill", x, 14 + kHeight - on_time, step - 1, on_time,
                  words_of(bins[i].on_time, "attempt ", "attempts ") + from);
    }
    if (too_late > 0) {
      out += rect("fill bad", x, 14 + kHeight - on_time - too_late, step - 1, too_late,
                  fmt::format("{} late {}", bins[i].late, from));
    }
  }
  out += fmt::format("<text x=\"0\" y=\"10\">{} at most in a bar</text>\n", highest);
  out += fmt::format("<text x=\"0\" y=\"152\">{}</text>\n", minute(bins.front().begin));
  if (bins.size() > 8) {
    out += fmt::format("<text class=\"end\" x=\"{:.0f}\" y=\"152\">{}</text>\n",
                       step * static_cast<double>(bins.size()), minute(bins.back().begin));
  }
  return out + "</svg>\n";
}

}  // namespace warpgrade::grader::class_book
