// SPDX-License-Identifier: Apache-2.0
// Rooflines as pictures: both axes logarithmic, operations per byte to the right, operations per
// second upwards.
// In: the measured cases of an exercise, or profiled launches. Out: SVG with its text. A case has
// one roof, by the copy and the peak that were measured. A profile has the roofs of the card: one
// per level of memory and per kind of operation.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "grader/html/page.h"
#include "grader/html/render_html.h"
#include "grader/report/profile_roofline.h"
#include "grader/report/render_measurements.h"
#include "grader/report/report.h"
#include "grader/text/messages.h"

namespace warpgrade::grader::html {
namespace {

constexpr const char* kRooflineTerm =
    "The line is the roof: no kernel that needs these bytes and operations is faster. To the left "
    "of the ridge, memory is the limit and the roof rises with the operations per byte. To the "
    "right, arithmetic is the limit. The dot is your kernel; its distance from the roof is the "
    "time that it wastes.";

// The drawing area within the picture, in its units.
constexpr double kLeft = 116;  // "1,000 TFLOP/s" on a phone
constexpr double kRight = 500;
constexpr double kTop = 20;
constexpr double kBottom = 250;

// A logarithmic axis over whole powers of ten.
struct LogAxis {
  double from;  // exponents
  double to;
  double at_from;  // coordinates
  double at_to;

  double at(double value) const {
    return at_from + (std::log10(value) - from) / (to - from) * (at_to - at_from);
  }
};

LogAxis axis_over(double least, double most, double at_from, double at_to) {
  const double from = std::floor(std::log10(least));
  return {from, std::max(std::ceil(std::log10(most)), from + 1), at_from, at_to};
}

// Grid lines with their labels at the powers of ten.
std::string grid_of(const LogAxis& x, const LogAxis& y) {
  std::string out;
  for (double power = x.from; power <= x.to; ++power) {
    const double value = std::pow(10, power);
    out += fmt::format(
        "<path class=\"off\" d=\"M{0:.1f} {1}V{2}\"/><text class=\"tick\" x=\"{0:.1f}\" "
        "y=\"{3}\">{4}</text>",
        x.at(value), kTop, kBottom, kBottom + 16, text::number(value));
  }
  for (double power = y.from; power <= y.to; ++power) {
    const double value = std::pow(10, power);
    out += fmt::format(
        "<path class=\"off\" d=\"M{0} {2:.1f}H{1}\"/><text class=\"end\" x=\"{3}\" "
        "y=\"{4:.1f}\">{5}</text>",
        kLeft, kRight, y.at(value), kLeft - 6, y.at(value) + 4,
        escaped(text::with_prefix(value, "FLOP/s")));
  }
  return out;
}

std::string picture_of_case(const report::Case& item) {
  const auto& roof = *item.roofline;
  const double peak = roof.peak_operations_per_second();
  const double bandwidth = roof.copy_bytes_per_second();
  const double ridge = peak / bandwidth;
  const double rate = roof.operations_per_second();
  const auto x = axis_over(std::min(ridge, roof.intensity()) / 10,
                           std::max(ridge, roof.intensity()) * 2, kLeft, kRight);
  const double least_intensity = std::pow(10, x.from);
  const auto y = axis_over(std::min(rate, least_intensity * bandwidth), std::max(peak, rate) * 1.5,
                           kBottom, kTop);
  const double dot_x = x.at(roof.intensity());
  const double dot_y = y.at(rate);
  const double roof_y = y.at(roof.operations / roof.roof_seconds());
  const bool is_far_right = dot_x > (kLeft + kRight) / 2;
  return fmt::format(
      "<svg class=\"roofline\" role=\"img\" aria-label=\"{0}\" viewBox=\"0 0 520 300\">{1}"
      "<path class=\"roof\" d=\"M{2:.1f} {3:.1f}L{4:.1f} {5:.1f}H{6}\"/>"
      "<path class=\"gap\" d=\"M{7:.1f} {8:.1f}V{9:.1f}\"/>"
      "<circle class=\"dot\" cx=\"{7:.1f}\" cy=\"{9:.1f}\" r=\"5\"/>"
      "<text class=\"strong{10}\" x=\"{11:.1f}\" y=\"{12:.1f}\">your kernel</text>"
      "<text class=\"tick\" x=\"308\" y=\"292\">FLOP per byte</text></svg>",
      escaped(roofline_text(item)), grid_of(x, y), x.at(least_intensity),
      y.at(least_intensity * bandwidth), x.at(ridge), y.at(peak), kRight, dot_x, roof_y, dot_y,
      is_far_right ? " end" : "", dot_x + (is_far_right ? -9 : 9), dot_y + 4);
}

}  // namespace

std::string roofline_view(const report::ExerciseReport& item) {
  std::string out;
  for (const auto& one : item.cases) {
    if (!one.roofline) continue;
    const bool is_first = out.empty();
    if (is_first) out = "<h3>Roofline</h3>\n";
    out += fmt::format(
        "<figure><figcaption><h4>{} in case {}</h4><p class=\"quiet\">{}</p></figcaption>\n{}\n"
        "<p>{}</p>\n{}</figure>\n",
        escaped(one.device), escaped(one.name), escaped(text::in_words(one.timed_variables)),
        picture_of_case(one), escaped(roofline_text(one)),
        is_first ? paragraph(kRooflineTerm, "quiet") : "");
  }
  return out;
}

namespace {

using report::ProfileRoofline;
using Level = ProfileRoofline::Level;

constexpr const char* kProfileRooflineTerm =
    "Each line is a limit of the card: the slopes are DRAM and L2, and the level lines are pipes. "
    "A "
    "full dot is the launch by its bytes of DRAM, and a ring by its bytes of L2. No dot is above "
    "its own lines. The distance to the lowest of them is what the launch wastes. Raise the dot by "
    "keeping more loads in flight; move it to the right by moving fewer bytes per operation.";

// The range of a value over the points of a picture.
struct Extremes {
  double least = HUGE_VAL;
  double most = 0;

  void add(double value) {
    if (value <= 0) return;
    least = std::min(least, value);
    most = std::max(most, value);
  }
};

// Kinds with a peak and a byte of DRAM or L2: only they have a place in the picture.
bool is_drawn(const ProfileRoofline& roofline, const ProfileRoofline::Operations& one) {
  return one.peak && (roofline.dram.bytes > 0 || roofline.l2.bytes > 0);
}

// One launch, and its letter if it is compared with another.
struct DrawnLaunch {
  std::string letter;
  const ProfileRoofline* roofline;
};

class RooflinePicture {
 public:
  explicit RooflinePicture(std::vector<DrawnLaunch> launches) : launches_(std::move(launches)) {
    Extremes intensities;
    Extremes rates;
    for (const auto& [letter, roofline] : launches_) {
      for (const auto& one : roofline->operations) {
        if (!is_drawn(*roofline, one)) continue;
        is_empty_ = false;
        rates.add(*one.peak);
        rates.add(roofline->rate(one));
        for (const auto* level : {&roofline->dram, &roofline->l2}) {
          if (const auto x = ProfileRoofline::intensity(one, *level)) intensities.add(*x);
          if (level->peak) intensities.add(*one.peak / *level->peak);
        }
      }
    }
    if (is_empty_) return;
    x_ = axis_over(intensities.least / 3, intensities.most * 3, kLeft, kRight);
    y_ = axis_over(rates.least / 2, rates.most * 1.5, kBottom, kTop);
  }

  bool is_empty() const { return is_empty_; }

  std::string svg(const std::string& label) const {
    auto out = fmt::format(
        "<svg class=\"roofline\" role=\"img\" aria-label=\"{}\" viewBox=\"0 0 520 300\">{}",
        escaped(label), grid_of(x_, y_));
    std::set<std::string> drawn;  // Two launches on one card have the same roofs.
    for (const auto& launch : launches_) out += roofs(*launch.roofline, drawn);
    for (const auto& launch : launches_) out += dots(launch);
    return out + "<text class=\"tick\" x=\"308\" y=\"292\">operations per byte</text></svg>";
  }

 private:
  // The part of a slope within the picture, up to the highest pipe.
  std::string slope(const char* name, const Level& level, double highest) const {
    if (!level.peak || level.bytes <= 0) return {};
    const double from = std::max(std::pow(10, x_.from), std::pow(10, y_.from) / *level.peak);
    const double to = std::min(std::pow(10, x_.to), highest / *level.peak);
    if (to <= from) return {};
    const auto at = [&](double x) { return std::pair(x_.at(x), y_.at(x * *level.peak)); };
    const auto [x1, y1] = at(from);
    const auto [x2, y2] = at(to);
    // The label is along the slope.
    const double share = 0.3;
    const double x = x1 + share * (x2 - x1);
    const double y = y1 + share * (y2 - y1);
    const double angle = std::atan2(y2 - y1, x2 - x1) * 180 / 3.14159265;
    return fmt::format(
        "<path class=\"roof\" d=\"M{:.1f} {:.1f}L{:.1f} {:.1f}\"/><text class=\"tick\" "
        "transform=\"translate({:.1f} {:.1f}) rotate({:.1f})\" y=\"-5\">{} {}</text>",
        x1, y1, x2, y2, x, y, angle, name, text::bytes_per_second(*level.peak));
  }

  std::string pipe(const ProfileRoofline& roofline, const ProfileRoofline::Operations& one) const {
    double from = std::pow(10, x_.to);
    for (const auto* level : {&roofline.dram, &roofline.l2}) {
      if (level->peak && level->bytes > 0) from = std::min(from, *one.peak / *level->peak);
    }
    return fmt::format(
        "<path class=\"roof\" d=\"M{0:.1f} {1:.1f}H{2}\"/><text class=\"end\" x=\"{2}\" "
        "y=\"{3:.1f}\">{4} {5}</text>",
        x_.at(std::max(from, std::pow(10, x_.from))), y_.at(*one.peak), kRight,
        y_.at(*one.peak) - 5, escaped(one.kind), escaped(report::rate_text(one.kind, *one.peak)));
  }

  std::string roofs(const ProfileRoofline& roofline, std::set<std::string>& drawn) const {
    std::string out;
    const auto add = [&](const std::string& shape) {
      if (drawn.insert(shape).second) out += shape;
    };
    double highest = 0;
    for (const auto& one : roofline.operations) {
      if (!is_drawn(roofline, one)) continue;
      highest = std::max(highest, *one.peak);
      add(pipe(roofline, one));
    }
    add(slope("DRAM", roofline.dram, highest));
    add(slope("L2", roofline.l2, highest));
    return out;
  }

  std::string dots(const DrawnLaunch& launch) const {
    const auto& [letter, roofline] = launch;
    std::string out;
    for (const auto& one : roofline->operations) {
      if (!is_drawn(*roofline, one)) continue;
      const double y = y_.at(roofline->rate(one));
      const auto add = [&](const Level& level, const char* css) {
        const auto x = ProfileRoofline::intensity(one, level);
        if (!x) return;
        out += fmt::format("<circle class=\"{}\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"5\"/>", css,
                           x_.at(*x), y);
      };
      add(roofline->l2, "ring");
      add(roofline->dram, "dot");
      const auto& shown = roofline->dram.bytes > 0 ? roofline->dram : roofline->l2;
      const double x = x_.at(*ProfileRoofline::intensity(one, shown));
      const bool is_far_right = x > (kLeft + kRight) / 2;
      out += fmt::format("<text class=\"strong{}\" x=\"{:.1f}\" y=\"{:.1f}\">{}{}</text>",
                         is_far_right ? " end" : "", x + (is_far_right ? -9 : 9), y + 15,
                         letter.empty() ? "" : letter + ": ", escaped(one.kind));
    }
    return out;
  }

  std::vector<DrawnLaunch> launches_;
  bool is_empty_ = true;
  LogAxis x_{};
  LogAxis y_{};
};

std::string rows_view(const ProfileRoofline& roofline) {
  const auto rows = report::roofline_rows(roofline);
  std::string out;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    out += "<tr>";
    for (std::size_t k = 0; k < rows[i].size(); ++k) {
      const auto* css = k > 0 && k != 7 ? " class=\"number\"" : "";
      const auto* tag = i == 0 || k == 0 ? "th" : "td";
      const auto* scope = i == 0 ? " scope=\"col\"" : k == 0 ? " scope=\"row\"" : "";
      out += fmt::format("<{0}{1}{2}>{3}</{0}>", tag, scope, css, escaped(rows[i][k]));
    }
    out += "</tr>\n";
  }
  return fmt::format(
      "<div class=\"wide beside-each-other\" tabindex=\"0\" role=\"region\" "
      "aria-label=\"Operations\"><table>{}"
      "</table></div>\n",
      out);
}

std::string picture_label(const DrawnLaunch& launch) {
  std::string out;
  for (const auto& one : launch.roofline->operations) {
    const auto roof = launch.roofline->roof(one);
    if (!roof) continue;
    out += fmt::format("{}{}{}: {}, {} of the roof {} by {}", out.empty() ? "" : "; ",
                       launch.letter.empty() ? "" : launch.letter + " ", one.kind,
                       report::rate_text(one.kind, launch.roofline->rate(one)),
                       report::ratio_text(*launch.roofline->share(one)),
                       report::rate_text(one.kind, roof->rate), roof->limited_by);
  }
  return out;
}

}  // namespace

std::string roofline_view(const ProfileRoofline& roofline) {
  const DrawnLaunch launch{"", &roofline};
  const RooflinePicture picture({launch});
  std::string out = "<h3>Roofline</h3>\n";
  if (const auto traffic = report::traffic_text(roofline); !traffic.empty()) {
    out += paragraph(traffic + '.');
  }
  if (!picture.is_empty()) {
    out += "<figure>" + picture.svg(picture_label(launch)) +
           paragraph(kProfileRooflineTerm, "quiet") + "</figure>\n";
  }
  return out + rows_view(roofline) + paragraph(report::not_counted_text(roofline), "quiet");
}

std::string roofline_view(const ProfileRoofline& a, const ProfileRoofline& b) {
  const DrawnLaunch first{"A", &a};
  const DrawnLaunch second{"B", &b};
  const RooflinePicture picture({first, second});
  if (picture.is_empty()) return {};
  return "<h3>Roofline</h3>\n<figure>" +
         picture.svg(picture_label(first) + "; " + picture_label(second)) +
         paragraph(kProfileRooflineTerm, "quiet") + "</figure>\n";
}

}  // namespace warpgrade::grader::html
