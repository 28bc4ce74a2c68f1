// SPDX-License-Identifier: Apache-2.0
#include "grader/course/questions.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "common/base/text.h"
#include "common/device/profile.h"
#include "common/memory/shared_banks.h"
#include "common/run/observer.h"
#include "common/timing/bound.h"
#include "grader/text/messages.h"

namespace warpgrade::grader::course {
namespace {

constexpr std::array<std::uint32_t, 5> kFactors = {1, 2, 4, 8, 16};
constexpr std::uint32_t kLanes = 32;
constexpr std::uint32_t kBanks = 32;

std::array<std::uint64_t, kLanes> strided(std::uint32_t word_bytes, std::uint64_t stride) {
  std::array<std::uint64_t, kLanes> out{};
  for (std::uint32_t lane = 0; lane < kLanes; ++lane) out.at(lane) = lane * stride * word_bytes;
  return out;
}

std::uint32_t wavefronts(device::SharedBanks banks, std::uint32_t word_bytes,
                         std::uint64_t stride) {
  const auto addresses = strided(word_bytes, stride);
  memory::Request request;
  request.address = addresses.data();
  request.mask = run::kFullMask;
  request.bytes = word_bytes;
  return memory::shared_access(banks, request).wavefronts;
}

// Names what the busiest bank must serve (on Kepler rows of 256 bytes, else words), and the lanes
// that need it.
std::string busiest_bank(device::SharedBanks banks, std::uint32_t word_bytes,
                         std::uint64_t stride) {
  const bool kepler = banks == device::SharedBanks::kKepler32;
  const std::uint32_t at_once = kepler ? kLanes : kLanes * 4 / word_bytes;
  std::map<std::uint64_t, std::map<std::uint64_t, std::uint32_t>> wanted;  // bank: thing: lane
  const auto addresses = strided(word_bytes, stride);
  for (std::uint32_t lane = 0; lane < at_once; ++lane) {
    for (std::uint32_t byte = 0; byte < word_bytes; byte += 4) {
      const auto word = (addresses.at(lane) + byte) / 4;
      wanted[word % kBanks].emplace(kepler ? word / 64 : word, lane);
    }
  }
  const auto [bank, things] = *std::max_element(
      wanted.begin(), wanted.end(),
      [](const auto& a, const auto& b) { return a.second.size() < b.second.size(); });
  std::vector<std::string> keys;
  std::vector<std::string> lanes;
  for (const auto& [key, lane] : things) {
    keys.push_back(std::to_string(key));
    lanes.push_back(std::to_string(lane));
  }
  const auto list = [](std::string_view one, const std::vector<std::string>& all) {
    return fmt::format("{}{} {}", one, all.size() == 1 ? "" : "s",
                       text::joined(std::span<const std::string>(all)));
  };
  if (kepler) {
    return fmt::format(
        "All 32 lanes are served together, and a bank serves all its words in one row of 256 bytes "
        "in one wavefront. Bank {} must serve {}, first for {}.",
        bank, list("row", keys), list("lane", lanes));
  }
  const auto served =
      at_once == kLanes
          ? std::string("All 32 lanes are served together")
          : fmt::format("{} lanes are served at a time, and the wavefronts of the {} groups add up",
                        at_once, kLanes / at_once);
  return fmt::format(
      "{}; a bank serves one 4-byte word per wavefront. Bank {} must serve {}, for {}{}.", served,
      bank, list("word", keys), list("lane", lanes),
      at_once == kLanes ? "" : " of the first group");
}

timing::Occupancy occupancy_of(const device::Profile& card, const BlockNeeds& block) {
  return timing::occupancy(card, block.threads, block.registers, block.shared_bytes);
}

std::uint32_t best_factor(const device::Profile& card, const CoarseningFactor& rule) {
  const auto most = coarsened(card, rule, 1).active_threads();
  std::uint32_t best = 1;
  for (const auto factor : kFactors) {
    if (coarsened(card, rule, factor).active_threads() >= most) best = factor;
  }
  return best;
}

std::string_view limit_text(timing::Limit limit) {
  switch (limit) {
    case timing::Limit::kWarps:
      return "warps";
    case timing::Limit::kBlocks:
      return "blocks";
    case timing::Limit::kShared:
      return "shared memory";
    default:
      return "registers";
  }
}

std::string what_fits(const device::Profile& card, const CoarseningFactor& rule,
                      std::uint32_t factor) {
  const auto made = coarsened(card, rule, factor);
  const auto blocks = made.occupancy.blocks_per_sm;
  return fmt::format(
      "With factor {}, a block has {} threads and {} bytes of shared memory. A multiprocessor of "
      "{} holds {} such block{} (limit: {}), so {} threads are active",
      factor, made.block.threads, base::grouped(made.block.shared_bytes), card.name, blocks,
      blocks == 1 ? "" : "s", limit_text(made.occupancy.limited_by),
      base::grouped(made.active_threads()));
}

std::string why_not_factor(const device::Profile& card, const CoarseningFactor& rule,
                           std::int64_t given) {
  const auto* known = std::find(kFactors.begin(), kFactors.end(), given);
  if (known == kFactors.end()) return "The factors to choose from are 1, 2, 4, 8 and 16.";
  const auto most = coarsened(card, rule, 1).active_threads();
  if (coarsened(card, rule, *known).active_threads() < most) {
    return fmt::format("{} instead of {} with factor 1: the factor is too large.",
                       what_fits(card, rule, *known), base::grouped(most));
  }
  const auto* larger = std::find_if(known + 1, kFactors.end(), [&](std::uint32_t factor) {
    return coarsened(card, rule, factor).active_threads() >= most;
  });
  return fmt::format("{}, as many as with factor 1, so {} is too small.",
                     what_fits(card, rule, *larger), given);
}

constexpr std::uint64_t kLoadBytes = 4;

std::uint64_t divided_up(std::uint64_t a, std::uint64_t b) { return (a + b - 1) / b; }

// Bytes that DRAM moves per nanosecond. Data sheets give whole numbers of GB/s.
std::uint64_t bytes_per_ns(const device::Profile& card) {
  return static_cast<std::uint64_t>(std::llround(card.dram.bytes_per_second / 1e9));
}

std::uint64_t bytes_in_flight(const device::Profile& card, const LittlesLaw& law) {
  return divided_up(bytes_per_ns(card) * law.latency_ns, card.sm.count);
}

std::uint64_t in_flight(const device::Profile& card, const LittlesLaw& law) {
  if (law.asked == InFlight::kBytes) return bytes_in_flight(card, law);
  const std::uint64_t warps = occupancy_of(card, law.block).warps_per_sm;
  if (law.asked == InFlight::kWarps) return warps;
  return divided_up(bytes_in_flight(card, law), warps * kLanes * kLoadBytes);
}

std::string why_not_in_flight(const device::Profile& card, const LittlesLaw& law) {
  if (law.asked == InFlight::kBytes) {
    return fmt::format(
        "DRAM moves {} bytes per nanosecond. Multiply by the latency of {} ns, divide by {} "
        "multiprocessors, and round up.",
        bytes_per_ns(card), law.latency_ns, card.sm.count);
  }
  if (law.asked == InFlight::kWarps) {
    return fmt::format(
        "A block has {} warps and {} bytes of shared memory. Count the blocks that fit on a "
        "multiprocessor; the limit is {}.",
        divided_up(law.block.threads, kLanes), base::grouped(law.block.shared_bytes),
        limit_text(occupancy_of(card, law.block).limited_by));
  }
  return fmt::format(
      "One load of 4 bytes by each lane keeps 128 bytes per resident warp in flight. Divide the "
      "bytes that a multiprocessor of {} needs in flight by those of one load of all its warps, "
      "and round up.",
      card.name);
}

// A percentage of the Speed of Light, in whole percent.
std::string percent(double value) { return fmt::format("{:.0f} %", value); }

// How the facts of a launch lead to its bottleneck, without naming it.
std::string why_not_limit(const device::Profile& card, const LaunchFacts& facts) {
  return fmt::format(
      "DRAM reaches {} of its throughput, L2 {}, L1 {} and the SM {}. A multiprocessor has room "
      "for {} warps; {} of them fit, and {:.0f} are there on average. {} shows more.",
      percent(facts.dram), percent(facts.l2), percent(facts.l1), percent(facts.sm),
      card.sm.limits.warps, facts.occupancy.warps_per_sm, facts.resident_warps, facts.command);
}

std::string why_not_occupancy(const device::Profile& card, const LaunchFacts& facts) {
  const auto wave = std::uint64_t{facts.occupancy.blocks_per_sm} * card.sm.count;
  return fmt::format(
      "{} fit on a multiprocessor (limit: {}), a wave of {}, and the grid has {}. Find the mean of "
      "the resident warps in the time in which a multiprocessor has a block, in percent of {}. {} "
      "shows sm__warps_active.",
      base::counted(facts.occupancy.blocks_per_sm, "block"), limit_text(facts.occupancy.limited_by),
      base::grouped(wave), base::grouped(facts.blocks), card.sm.limits.warps, facts.command);
}

std::string why_not_bytes(const device::Profile& card, const LaunchFacts& facts) {
  return fmt::format(
      "By Little's law they are the bytes that a multiprocessor of {} loads per nanosecond times "
      "the latency of a load: {:.0f} ns from an idle DRAM and {:.0f} ns from a busy one. While "
      "warps wait, they are also the resident warps ({:.0f}) times the bytes that each has in "
      "flight. {} shows both.",
      card.name, card.dram.latency_seconds * 1e9, card.dram.loaded_latency_seconds * 1e9,
      facts.resident_warps, facts.command);
}

std::string why_not_profile(const device::Profile& card, const LaunchProfile& rule) {
  if (rule.asked == ProfileAsked::kLimit) return why_not_limit(card, rule.facts);
  if (rule.asked == ProfileAsked::kOccupancy) return why_not_occupancy(card, rule.facts);
  return why_not_bytes(card, rule.facts);
}

// Finds the right answers on a card.
struct RightAnswers {
  const device::Profile& card;

  std::vector<std::int64_t> operator()(const SharedWavefronts& rule) const {
    std::vector<std::int64_t> out;
    for (std::uint32_t stride = 1; stride <= rule.strides; ++stride) {
      out.push_back(wavefronts(card.rules.shared_banks, rule.word_bytes, stride));
    }
    return out;
  }
  std::vector<std::int64_t> operator()(const CoarseningFactor& rule) const {
    return {best_factor(card, rule)};
  }
  std::vector<std::int64_t> operator()(const LittlesLaw& law) const {
    return {static_cast<std::int64_t>(in_flight(card, law))};
  }
  std::vector<std::int64_t> operator()(const LaunchProfile& rule) const {
    const auto& facts = rule.facts;
    if (rule.asked == ProfileAsked::kLimit) return {static_cast<std::int64_t>(facts.bottleneck)};
    if (rule.asked == ProfileAsked::kBytes) return {std::llround(facts.bytes_in_flight)};
    return {std::llround(100 * facts.resident_warps / card.sm.limits.warps)};
  }
};

// Explains a wrong answer on a card.
struct WrongAnswerReasons {
  const device::Profile& card;
  std::size_t index;
  std::int64_t given;

  std::string operator()(const SharedWavefronts& rule) const {
    return busiest_bank(card.rules.shared_banks, rule.word_bytes, index + 1);
  }
  std::string operator()(const CoarseningFactor& rule) const {
    return why_not_factor(card, rule, given);
  }
  std::string operator()(const LittlesLaw& law) const { return why_not_in_flight(card, law); }
  std::string operator()(const LaunchProfile& rule) const { return why_not_profile(card, rule); }
};

}  // namespace

Coarsened coarsened(const device::Profile& card, const CoarseningFactor& rule,
                    std::uint32_t factor) {
  Coarsened out{rule.block, {}};
  if (rule.level == CoarseningLevel::kThread) {
    out.block.threads /= factor;
  } else {
    out.block.shared_bytes *= factor;
  }
  out.occupancy = occupancy_of(card, out.block);
  return out;
}

std::uint32_t resident_warps(const std::string& device, const BlockNeeds& block) {
  return occupancy_of(device::find(device), block).warps_per_sm;
}

bool explains_wavefronts(const std::string& device) {
  const auto banks = device::find(device).rules.shared_banks;
  return banks == device::SharedBanks::kThirtyTwo || banks == device::SharedBanks::kKepler32;
}

std::size_t answer_count(const Question& question) {
  const auto* wavefronts = std::get_if<SharedWavefronts>(&question.rule);
  return wavefronts == nullptr ? 1 : wavefronts->strides;
}

std::span<const std::string_view> answer_words(const Question& question) {
  const auto* profile = std::get_if<LaunchProfile>(&question.rule);
  if (profile == nullptr || profile->asked != ProfileAsked::kLimit) return {};
  return measure::kBottleneckNames;
}

bool is_right(const Question& question, std::int64_t given, std::int64_t right) {
  const auto* profile = std::get_if<LaunchProfile>(&question.rule);
  if (profile == nullptr || profile->asked == ProfileAsked::kLimit) return given == right;
  const auto off = std::abs(static_cast<double>(given) - static_cast<double>(right));
  return profile->asked == ProfileAsked::kOccupancy
             ? off <= kOccupancyTolerance
             : off <= kBytesTolerance * static_cast<double>(right);
}

std::string default_meaning(const LaunchProfile& rule, const std::string& device) {
  switch (rule.asked) {
    case ProfileAsked::kLimit:
      return fmt::format("What limits `{}` on {}.", rule.kernel, device);
    case ProfileAsked::kOccupancy:
      return fmt::format("Achieved occupancy of `{}` on {}, in percent, within {:.0f} points.",
                         rule.kernel, device, kOccupancyTolerance);
    case ProfileAsked::kBytes:
      break;
  }
  return fmt::format(
      "Bytes of loads that `{}` has in flight on a multiprocessor of {} on average, within {:.0f} "
      "%.",
      rule.kernel, device, 100 * kBytesTolerance);
}

std::vector<std::int64_t> right_answers(const Question& question) {
  return std::visit(RightAnswers{device::find(question.device)}, question.rule);
}

std::string subject(const Question& question, std::size_t index) {
  const bool has_strides = std::holds_alternative<SharedWavefronts>(question.rule);
  return has_strides ? fmt::format("stride {}", index + 1) : "";
}

std::string reasoning(const Question& question, std::size_t index, std::int64_t given) {
  return std::visit(WrongAnswerReasons{device::find(question.device), index, given}, question.rule);
}

}  // namespace warpgrade::grader::course
