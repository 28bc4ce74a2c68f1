// SPDX-License-Identifier: Apache-2.0
// Where the cases of an exercise run, at which sizes, and within which limits on work.
// In: the gates and cases of an exercise, a simulator for each device, and this machine's GPU.
// Out: targets, and places: a case on a target, with its kernels and sizes.
// Measured cases are made to fit the memory of a GPU. Work is counted (common/sim/micro_op.h), not
// timed, so that a busy machine changes no verdict.
#include "grader/grade/plan/target.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <numeric>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "common/base/place.h"
#include "common/measure/card_profile.h"
#include "common/measure/gpu_bench.h"
#include "common/run/launch.h"
#include "common/run/runner.h"
#include "common/verify/element.h"
#include "grader/cases/sized_case.h"
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

Place PlaceMaker::make(const Target& target, const course::Case& item) {
  Place out{&target, &item};
  out.timed = size(item.name, card_variables(item, draw_, target.fit));
  out.sized = size(item.name, target.variables_of(item, draw_));
  return out;
}

std::shared_ptr<const cases::SizedCase> PlaceMaker::size(const std::string& name,
                                                         text::Variables variables) {
  auto& out = sizes_[{name, variables}];
  if (!out) {
    out = std::make_shared<const cases::SizedCase>(
        cases::size_case(exercise_, name, std::move(variables)));
  }
  return out;
}

run::Sequence launches_of(const Place& place, const cases::SizedCase& sized) {
  std::vector<std::string> names;
  for (const auto* kernel : place.kernels) names.push_back(kernel->name);
  return sized.launches.of(names);
}

std::set<std::uint64_t> timed_bytes(const course::KernelExercise& exercise,
                                    const course::Case& item) {
  std::set<std::uint64_t> out;
  const auto draws = item.timed_variables ? course::Case::kDraws : 1;
  for (std::uint32_t draw = 0; draw < draws; ++draw) {
    out.insert(cases::required_work(exercise, item.speed_variables(draw)).bytes);
  }
  return out;
}

namespace {

constexpr std::uint64_t kMostCaseWork = kSmallWork / 2;

std::uint64_t threads_of(const Place& place) {
  std::uint64_t threads = 0;
  for (const auto& launch : place.sized->launches.sequence.launches) {
    threads += base::volume(launch.grid) * base::volume(launch.block);
  }
  return threads;
}

double traffic_of(const Place& place) {
  return static_cast<double>(least_traffic(place.sized->buffers));
}

// Less than a second of one core, and so many times the instructions of the whole reference.
constexpr std::uint64_t kLeastBlockWork = std::uint64_t{1} << 25;
constexpr std::uint64_t kTimesReference = 1024;

}  // namespace

std::uint64_t block_limit(std::uint64_t work, std::uint64_t reference_instructions) {
  const auto share = work / kBlocksInACase;
  if (reference_instructions == 0) return share;
  return std::min(share, kLeastBlockWork + kTimesReference * reference_instructions);
}

std::uint64_t small_limit(const Place& place, std::uint64_t reference_instructions) {
  if (place.item->sampled) return kLeastCaseWork;
  // A warp of a plain kernel executes about 32 instructions.
  const auto instructions = std::max(threads_of(place), reference_instructions);
  return std::min(kMostCaseWork, kLeastCaseWork + kBlocksInACase * kTimesReference * instructions);
}

std::vector<std::uint64_t> work_limits(const std::vector<Place>& places) {
  double all_bytes = 0;
  for (const auto& place : places) all_bytes += traffic_of(place);
  std::vector<std::uint64_t> out;
  for (const auto& place : places) {
    out.push_back(place.item->measured
                      ? static_cast<std::uint64_t>(traffic_of(place) / all_bytes *
                                                   static_cast<double>(kMeasuredWork))
                      : small_limit(place, 0));
  }
  return out;
}

}  // namespace warpgrade::grader::grade
