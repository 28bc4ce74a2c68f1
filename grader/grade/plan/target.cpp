// SPDX-License-Identifier: Apache-2.0
// Where the cases of an exercise run, and at which sizes.
// In: the gates and cases of an exercise, a simulator for each device, and this machine's GPU.
// Out: targets. Measured cases are made to fit the memory of a GPU.
#include "grader/grade/plan/target.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <string>
#include <variant>
#include <vector>

#include "common/measure/card_profile.h"
#include "common/measure/gpu_bench.h"
#include "common/run/runner.h"
#include "common/verify/element.h"
#include "grader/course/exercise.h"

namespace warpgrade::grader::grade {
namespace {

constexpr std::uint32_t kMostDivisor = 1U << 16;
// The draws whose sizes are likely to be least and largest.
constexpr std::array<std::uint32_t, 4> kLikelyDraws = {0, 15, 240, course::Case::kDraws - 1};

struct Bytes {
  double inputs = 0;
  double all = 0;
};

Bytes bytes_of(const course::KernelExercise& exercise, const text::Variables& variables) {
  Bytes out;
  for (const auto* parameter : buffers_of(exercise.parameters)) {
    const double bytes = evaluate(parameter->rows, variables) *
                         evaluate(parameter->columns, variables) * verify::size_of(parameter->type);
    out.all += bytes;
    if (parameter->is_input()) out.inputs += bytes;
  }
  return out;
}

bool is_whole(double value) {
  return value == static_cast<double>(static_cast<std::int64_t>(value));
}

// The largest unit of which all timed values of a variable, and its simulated value, are multiples.
std::int64_t unit_of(const course::Case& item, const std::string& name) {
  std::int64_t out = 0;
  const auto take = [&](double value) {
    out = is_whole(value) ? std::gcd(out, static_cast<std::int64_t>(value)) : 1;
  };
  take(item.variables.at(name));
  for (std::uint32_t draw = 0; draw < course::Case::kDraws && out != 1; ++draw) {
    take(evaluate(item.timed_variables->at(name), {{"draw", static_cast<double>(draw)}}));
  }
  return std::max<std::int64_t>(out, 1);
}

struct Extremes {
  double most = 0;   // Bytes that a comparison of all cases needs.
  double least = 0;  // Bytes of the buffers of the smallest case.
};

Extremes extremes(const course::KernelExercise& exercise, const CardFit& fit) {
  Extremes out;
  for (const auto draw : kLikelyDraws) {
    double inputs = 0;
    double largest = 0;
    for (const auto& item : exercise.cases) {
      if (!item.measured) continue;
      const auto bytes = bytes_of(exercise, card_variables(item, draw, fit));
      inputs += bytes.inputs;
      largest = std::max(largest, bytes.all);
      out.least = out.least == 0 ? bytes.all : std::min(out.least, bytes.all);
    }
    out.most = std::max(out.most, inputs + largest);
  }
  return out;
}

}  // namespace

text::Variables card_variables(const course::Case& item, std::uint32_t draw, const CardFit& fit) {
  auto out = item.speed_variables(draw);
  if (!item.timed_variables || fit.divisor == 1) return out;
  if (fit.divisor == 0) return item.variables;
  for (auto& [name, value] : out) {
    const double simulated = item.variables.at(name);
    if (value <= simulated || !is_whole(value)) continue;
    const auto unit = unit_of(item, name);
    const auto divided = static_cast<std::int64_t>(value) / fit.divisor / unit * unit;
    value = std::max(static_cast<double>(divided), simulated);
  }
  return out;
}

double most_card_bytes(const course::KernelExercise& exercise) {
  return extremes(exercise, {}).most;
}

CardFit fit_to_card(const course::KernelExercise& exercise, const measure::CardRoom& room) {
  const auto most = static_cast<double>(room.most_bytes);
  const auto least = static_cast<double>(room.least_bytes);
  for (CardFit fit; fit.divisor <= kMostDivisor; fit.divisor *= 2) {
    const auto bytes = extremes(exercise, fit);
    if (fit.divisor > 1 && bytes.least < least) break;
    if (bytes.most <= most) return fit;
  }
  return {0};
}

run::Backend Target::backend() const {
  return std::holds_alternative<measure::GpuBench*>(bench) ? run::Backend::kGpu
                                                           : run::Backend::kSim;
}

const device::Profile& Target::profile() const {
  return std::visit([](const auto* one) -> const device::Profile& { return one->profile(); },
                    bench);
}

text::Variables Target::variables_of(const course::Case& item, std::uint32_t draw) const {
  return is_gpu() ? card_variables(item, draw, fit) : item.variables;
}

std::vector<Target> targets_of(const course::KernelExercise& exercise,
                               const std::string& only_device, const SimBenches& sim,
                               measure::GpuBench* gpu, bool is_counted) {
  std::vector<Target> out;
  auto devices = exercise.devices();
  if (only_device == measure::kUnknownCard) {
    devices.clear();
  } else if (!only_device.empty()) {
    devices = {only_device};
  }
  if (is_counted && only_device.empty() && gpu != nullptr) {
    const std::string own(gpu->profile().name);
    const bool is_new = std::find(devices.begin(), devices.end(), own) == devices.end();
    if (is_new && own != measure::kUnknownCard) devices.push_back(own);
  }
  // The simulator also finds faults that a GPU cannot report: races, reads of uninitialized memory.
  for (const auto& device : devices) out.push_back({device, &sim(device)});
  if (gpu == nullptr) return out;
  const auto& profile = gpu->profile();
  const auto own = std::find_if(out.begin(), out.end(),
                                [&](const Target& one) { return one.device == profile.name; });
  if (own == out.end() && !only_device.empty() && only_device != measure::kUnknownCard) return out;
  Target card{std::string(profile.name),
              gpu,
              {profile.compute.major, profile.compute.minor},
              fit_to_card(exercise, gpu->room())};
  out.insert(own == out.end() ? out.begin() : own, std::move(card));
  return out;
}

}  // namespace warpgrade::grader::grade
