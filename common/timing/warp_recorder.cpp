// SPDX-License-Identifier: Apache-2.0
#include "common/timing/warp_recorder.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <numeric>
#include <string_view>
#include <utility>
#include <vector>

#include "common/timing/schedule.h"
#include "common/timing/trace.h"

namespace warpgrade::timing {
namespace {

struct StateNames {
  std::string_view name;
  std::string_view in_words;
};

constexpr std::array<StateNames, kWarpStates> kNames = {{
    {"selected", "issuing"},
    {"not_selected", "waiting for a turn to issue"},
    {"wait", "waiting for results of arithmetic"},
    {"math_pipe_throttle", "waiting for a pipe"},
    {"long_scoreboard", "waiting for global memory"},
    {"short_scoreboard", "waiting for shared memory"},
    {"lg_throttle", "waiting to load or store"},
    {"mio_throttle", "waiting to access shared memory"},
    {"barrier", "waiting at barriers"},
    {"membar", "waiting at fences"},
    {"sleeping", "sleeping"},
}};

// The part's share of the time that a step's warp spends in `state`, not yet divided by their sum.
double weight(const StepPart& part, WarpState state) {
  switch (state) {
    case WarpState::kWait:
      return std::max(0.0, part.clocks - part.slots);
    case WarpState::kMathPipeThrottle:
      return part.pipes;
    default:
      return part.slots;
  }
}

// Divides `clocks` among the parts.
void divide(const StepParts& parts, WarpState state, double clocks,
            std::vector<LineActivity>& lines) {
  const auto sum_of = [&](const auto& weight_of) {
    double sum = 0;
    for (const StepPart& part : parts) sum += weight_of(part);
    return sum;
  };
  const auto add = [&](const auto& weight_of, double sum) {
    for (const StepPart& part : parts) {
      lines[part.line].clocks.at(static_cast<std::size_t>(state)) += clocks * weight_of(part) / sum;
    }
  };
  const auto own = [&](const StepPart& part) { return weight(part, state); };
  const auto slots = [](const StepPart& part) { return part.slots; };
  const auto equal = [](const StepPart& /*part*/) { return 1.0; };
  if (const double sum = sum_of(own); sum > 0) return add(own, sum);
  if (const double sum = sum_of(slots); sum > 0) return add(slots, sum);
  add(equal, sum_of(equal));
}

auto place(const LineActivity& line) {
  return std::pair(std::string_view(line.where.file), line.where.line);
}

bool is_before(const LineActivity& a, const LineActivity& b) { return place(a) < place(b); }

}  // namespace

std::string_view name(WarpState state) { return kNames.at(static_cast<std::size_t>(state)).name; }

std::string_view in_words(WarpState state) {
  return kNames.at(static_cast<std::size_t>(state)).in_words;
}

double LineActivity::total() const { return std::accumulate(clocks.begin(), clocks.end(), 0.0); }

void add_activity(const std::vector<LineActivity>& more, std::vector<LineActivity>& all) {
  for (const LineActivity& line : more) {
    const auto at = std::ranges::lower_bound(all, line, is_before);
    if (at == all.end() || place(*at) != place(line)) {
      all.insert(at, line);
      continue;
    }
    for (std::size_t i = 0; i < kWarpStates; ++i) at->clocks[i] += line.clocks[i];
  }
}

WarpRecorder::WarpRecorder(const Trace& trace) : trace_(trace) {
  std::size_t steps = 0;
  for (const WarpProgram& program : trace.programs) {
    begin_.push_back(steps);
    steps += program.size();
  }
  clocks_.resize(steps);
}

std::vector<LineActivity> WarpRecorder::lines(double times) const {
  const StepLines& known = *trace_.lines;
  std::vector<LineActivity> out;
  for (const auto& where : known.places()) out.push_back({where, {}});
  for (std::size_t p = 0; p < trace_.programs.size(); ++p) {
    for (std::size_t s = 0; s < trace_.programs[p].size(); ++s) {
      const StepParts& parts = known.parts(trace_.programs[p][s].parts);
      const StateClocks& clocks = clocks_[begin_[p] + s];
      for (std::size_t i = 0; i < kWarpStates; ++i) {
        if (clocks[i] != 0) divide(parts, static_cast<WarpState>(i), times * clocks[i], out);
      }
    }
  }
  std::erase_if(out, [](const LineActivity& line) { return line.total() == 0; });
  std::ranges::sort(out, is_before);
  return out;
}

}  // namespace warpgrade::timing
