// SPDX-License-Identifier: Apache-2.0
// A picture of accesses: which thread of a kernel touches which word of a memory.
//
// In: the accesses of a kernel's warps, from an observer. Out: cells with their labels, as a
// panel of a figure, or as a grid on a terminal.
// A cell shows the first access that touches it, so a word that is read twice shows its first
// reader.
#include "grader/study/access_picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "common/base/error.h"
#include "common/base/text.h"
#include "common/device/profile.h"
#include "common/memory/shared_banks.h"
#include "common/run/observer.h"
#include "grader/study/canvas.h"
#include "grader/study/study.h"
#include "grader/study/study_reader.h"

namespace warpgrade::grader::study {
namespace {

void touch(AccessResult& out, const device::Profile& profile, const RecordedAccess& access,
           bool framed) {
  const auto& picture = *out.picture;
  for (std::uint32_t left = access.mask; left != 0; left &= left - 1) {
    const auto lane = static_cast<std::uint32_t>(std::countr_zero(left));
    const auto first = access.address.at(lane) / picture.element_bytes;
    const auto last = (access.address.at(lane) + access.bytes - 1) / picture.element_bytes;
    for (auto cell = first; cell <= last && cell < out.cells.size(); ++cell) {
      auto& known = out.cells[cell];
      if (!known) {
        const auto rule = profile.rules.shared_banks;
        const auto word = cell * picture.element_bytes / memory::bank_bytes(rule);
        const auto bank = word % memory::bank_count(rule);
        known = {access.block, access.warp * run::kWarpSize + lane, access.step,
                 static_cast<std::uint32_t>(bank), false};
      }
      known->framed |= framed;
    }
  }
}

}  // namespace

std::uint64_t Touch::value(AccessKey key) const {
  switch (key) {
    case AccessKey::kThread:
      return thread;
    case AccessKey::kBlock:
      return block;
    case AccessKey::kStep:
      return step + 1;
    case AccessKey::kBank:
      return bank;
  }
  return 0;
}

std::unique_ptr<run::Observer> AccessRecorder::fork() const {
  return std::make_unique<AccessRecorder>(picture_);
}

void AccessRecorder::join(run::Observer& other) {
  const auto& more = static_cast<AccessRecorder&>(other).accesses_;
  accesses_.insert(accesses_.end(), more.begin(), more.end());
}

void AccessRecorder::on_launch(const run::LaunchContext& context) {
  steps_.resize(context.warps_per_block);
  first_ = 0;
  end_ = context.shared_bytes;
  const auto& buffers = *context.buffers;
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    if (picture_.memory.empty() || buffers[i].name != picture_.memory) continue;
    first_ = (*context.buffer_addresses)[i];
    end_ = first_ + buffers[i].bytes.size();
  }
}

void AccessRecorder::on_block_begin(std::uint64_t linear_block) {
  block_ = linear_block;
  steps_.assign(steps_.size(), 0);
}

void AccessRecorder::on_memory(const run::MemoryEvent& event) {
  const auto space = picture_.memory.empty() ? run::Space::kShared : run::Space::kGlobal;
  const auto operation = picture_.of_stores ? run::Operation::kStore : run::Operation::kLoad;
  if (event.space != space || event.operation != operation) return;
  const auto leader = event.address[std::countr_zero(event.mask)];
  if (leader < first_ || leader >= end_) return;
  RecordedAccess access{block_, event.warp, steps_.at(event.warp)++, event.mask, event.bytes, {}};
  for (std::uint32_t left = event.mask; left != 0; left &= left - 1) {
    const auto lane = static_cast<std::size_t>(std::countr_zero(left));
    access.address.at(lane) = event.address[lane] - first_;
  }
  accesses_.push_back(access);
}

AccessResult cells_of(const AccessPicture& picture, const device::Profile& profile,
                      const std::vector<RecordedAccess>& accesses) {
  AccessResult out;
  out.picture = &picture;
  out.cells.resize(std::size_t{picture.rows} * picture.columns);
  for (std::size_t i = 0; i < accesses.size(); ++i) {
    touch(out, profile, accesses[i], picture.framed == i);
  }
  if (!picture.framed) return out;
  if (*picture.framed >= accesses.size()) {
    throw base::UsageError(
        fmt::format("access `{}`: cannot frame access {}: the kernel "
                    "makes {}",
                    base::escape_controls(picture.title), *picture.framed, accesses.size()));
  }
  const auto& access = accesses[*picture.framed];
  if (picture.memory.empty()) {
    const auto use = picture.of_stores ? memory::SharedUse::kStore : memory::SharedUse::kLoad;
    const memory::Request request{access.address.data(), access.mask, access.bytes};
    out.framed_wavefronts =
        memory::shared_access(profile.rules.shared_banks, request, use).wavefronts;
  }
  return out;
}

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
