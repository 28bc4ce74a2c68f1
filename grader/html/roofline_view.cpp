// SPDX-License-Identifier: Apache-2.0
#include "grader/html/roofline_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "grader/html/html_text.h"
#include "grader/report/roofline_text.h"
#include "grader/text/terminal.h"

namespace warpgrade::grader::html {
namespace {

constexpr const char* kRooflineTerm =
    "The line is the roof: no kernel that needs these bytes and operations is faster. To the left "
    "of the ridge, memory is the limit and the roof rises with the operations per byte. To the "
    "right, arithmetic is the limit. The dot is your kernel; its distance from the roof is the "
    "time that it wastes.";

// The drawing area within the picture, in its units.
constexpr double kLeft = 70;
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

std::string picture(const report::CaseRoofline& item) {
  const auto& roof = item.roofline;
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
      "<text class=\"tick\" x=\"285\" y=\"290\">FLOP per byte</text></svg>",
      escaped(roofline_text(item)), grid_of(x, y), x.at(least_intensity),
      y.at(least_intensity * bandwidth), x.at(ridge), y.at(peak), kRight, dot_x, roof_y, dot_y,
      is_far_right ? " end" : "", dot_x + (is_far_right ? -9 : 9), dot_y + 4);
}

}  // namespace

std::string roofline_view(const report::ExerciseReport& item) {
  if (item.rooflines.empty()) return {};
  std::string out = "<h3>Roofline</h3>\n";
  for (std::size_t i = 0; i < item.rooflines.size(); ++i) {
    const auto& one = item.rooflines[i];
    out += fmt::format(
        "<figure><figcaption><h4>{} in case {}</h4><p class=\"quiet\">{}</p></figcaption>\n{}\n"
        "<p>{}</p>\n{}</figure>\n",
        escaped(one.device), escaped(one.name), escaped(text::in_words(one.variables)),
        picture(one), escaped(roofline_text(one)), i == 0 ? paragraph(kRooflineTerm, "quiet") : "");
  }
  return out;
}

}  // namespace warpgrade::grader::html
