// SPDX-License-Identifier: Apache-2.0
#include "grader/study/access_figure.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "common/base/text.h"
#include "grader/study/access_reader.h"
#include "grader/study/colours.h"
#include "grader/study/gnuplot.h"

namespace warpgrade::grader::study {
namespace {

constexpr std::uint32_t kEmpty = 0xFFFFFF;

// In pixels.
constexpr int kWide = 960;  // of a wide picture
constexpr int kNarrow = 400;
constexpr int kMostCell = 62;
constexpr int kLine = 17;  // of text in a cell
constexpr int kTitleHeight = 36;
constexpr int kFootHeight = 18;
constexpr std::uint32_t kManyColumns = 8;  // more need a separate row

/// A pale hue. The circle has as many hues as there are banks.
std::uint32_t hue(std::uint64_t value) {
  constexpr double kHues = 32;
  const double place = static_cast<double>(value % 32) / kHues * 6;
  const auto channel = [&](double shift) {
    const double k = std::fmod(place + shift, 6.0);
    const double part = std::clamp(std::min(k, 4 - k), 0.0, 1.0);
    return static_cast<std::uint32_t>(std::lround(255 * (1 - 0.45 * part)));
  };
  return channel(5) << 16 | channel(3) << 8 | channel(1);
}

std::uint32_t fill(const AccessPicture& picture, const Touch& touch) {
  const auto value = touch.value(picture.colour);
  if (picture.colour == AccessKey::kBank) return hue(value);
  const auto from_zero = picture.colour == AccessKey::kStep ? value - 1 : value;
  return kFills.at(from_zero % kFills.size());
}

std::string_view word_for(AccessKey key, const AccessPicture& picture) {
  if (key == AccessKey::kStep) return picture.of_stores ? "store" : "load";
  return name(key);
}

// One line for each label, with its name if there are several.
std::vector<std::string> lines(const AccessPicture& picture, const Touch& touch) {
  std::vector<std::string> out;
  for (const auto key : picture.labels) {
    const auto value = fmt::format("{}", touch.value(key));
    const bool alone = picture.labels.size() == 1;
    out.push_back(alone ? value : fmt::format("{} {}", word_for(key, picture), value));
  }
  return out;
}

std::string frames(const AccessResult& result) {
  std::string out;
  const auto columns = result.picture->columns;
  for (std::size_t i = 0; i < result.cells.size(); ++i) {
    if (!result.cells[i] || !result.cells[i]->framed) continue;
    const auto x = i % columns;
    const auto y = i / columns;
    out += fmt::format(
        "set object rectangle from {},{} to {},{} front fs empty border lc rgb \"black\" lw 2.5\n",
        x, y, x + 1, y + 1);
  }
  return out;
}

// The cells and their lines of text as data rows; `line` is the height of a text line as a fraction
// of a cell's.
std::string data(const AccessResult& result, const std::string& name, double line) {
  const auto& picture = *result.picture;
  std::string cells;
  std::string texts;
  for (std::size_t i = 0; i < result.cells.size(); ++i) {
    const auto& cell = result.cells[i];
    const auto x = i % picture.columns;
    const auto y = i / picture.columns;
    cells += fmt::format("{} {} {}\n", x, y, cell ? fill(picture, *cell) : kEmpty);
    if (!cell) continue;
    const auto all = lines(picture, *cell);
    for (std::size_t k = 0; k < all.size(); ++k) {
      const double below = static_cast<double>(2 * k + 1) - static_cast<double>(all.size());
      texts += fmt::format("{} {:.4f} \"{}\"\n", x, static_cast<double>(y) + 0.5 + below / 2 * line,
                           all[k]);
    }
  }
  return fmt::format("${0} << EOD\n{1}EOD\n${0}_text << EOD\n{2}EOD\n", name, cells, texts);
}

}  // namespace

std::string access_title(const AccessResult& result) {
  const auto& picture = *result.picture;
  if (!picture.framed || !picture.memory.empty()) return picture.title;
  return fmt::format("{}: {} wavefront{} on {}", picture.title, result.framed_wavefronts,
                     result.framed_wavefronts == 1 ? "" : "s", picture.device.label());
}

Panel access_panel(const AccessResult& result, const std::string& name) {
  const auto& picture = *result.picture;
  const bool wide = picture.columns > kManyColumns;
  const auto columns = static_cast<int>(picture.columns);
  const int cell = std::min(kMostCell, (wide ? kWide : kNarrow) / columns);
  const int tall = std::max(cell * 2 / 3, kLine * static_cast<int>(picture.labels.size()) + 6);
  const int width = cell * columns;
  const int height = tall * static_cast<int>(picture.rows);
  const int letters = cell < 40 ? 11 : 12;
  const auto commands =
      data(result, name, static_cast<double>(kLine) / tall) +
      fmt::format(
          "reset\nset title {} offset 0,-0.5 font \",14\"\nset xrange [0:{}]\nset yrange [{}:0]\n"
          "unset key\nunset tics\nunset border\n{}",
          gnuplot_text(access_title(result)), picture.columns, picture.rows, frames(result));
  const auto plot = fmt::format(
      "plot ${0} using ($1+0.5):($2+0.5):1:($1+1):2:($2+1):3 with boxxyerror fc rgb variable fs "
      "solid 1 border lc rgb \"#888888\", \\\n     ${0}_text using ($1+0.5):2:3 with labels "
      "font \",{1}\"\n",
      name, letters);
  return {kTitleHeight + height + kFootHeight, wide, [=](const Frame& frame) {
            const auto side = (frame.width - width) / 2;
            return commands +
                   frame.edges(side, kTitleHeight, frame.width - width - side, kFootHeight) + plot;
          }};
}

std::string access_text(const AccessResult& result) {
  const auto& picture = *result.picture;
  std::string keys;
  for (const auto key : picture.labels) {
    keys += fmt::format("{}{}", keys.empty() ? "" : ".", word_for(key, picture));
  }
  std::vector<std::string> cells;
  std::size_t longest = 1;
  for (const auto& cell : result.cells) {
    std::string text;
    for (const auto key : picture.labels) {
      if (cell) text += fmt::format("{}{}", text.empty() ? "" : ".", cell->value(key));
    }
    if (cell && cell->framed) text = '[' + text + ']';
    longest = std::max(longest, text.size());
    cells.push_back(text.empty() ? "-" : text);
  }
  auto out = fmt::format("{}; each word's {}\n", base::escape_controls(access_title(result)), keys);
  for (std::size_t i = 0; i < cells.size(); ++i) {
    out +=
        fmt::format("{:>{}}{}", cells[i], longest + 2, (i + 1) % picture.columns == 0 ? "\n" : "");
  }
  return out;
}

}  // namespace warpgrade::grader::study
