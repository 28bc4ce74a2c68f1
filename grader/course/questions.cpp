// SPDX-License-Identifier: Apache-2.0
#include "grader/course/questions.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <span>

#include "common/base/counted.h"
#include "common/device/profile.h"
#include "common/memory/shared_banks.h"
#include "common/run/observer.h"
#include "common/timing/occupancy.h"
#include "grader/text/suggestions.h"

namespace warpgrade::grader {
namespace {

constexpr std::array<std::uint32_t, 5> kFactors = {1, 2, 4, 8, 16};
constexpr std::uint32_t kLanes = 32;
constexpr std::uint32_t kBanks = 32;

std::array<std::uint64_t, kLanes> strided(const Question& question, std::uint64_t stride) {
  std::array<std::uint64_t, kLanes> out{};
  for (std::uint32_t lane = 0; lane < kLanes; ++lane) {
    out.at(lane) = lane * stride * question.word_bytes;
  }
  return out;
}

std::uint32_t wavefronts(const Question& question, std::uint64_t stride) {
  const auto addresses = strided(question, stride);
  memory::Request request;
  request.address = addresses.data();
  request.mask = run::kFullMask;
  request.bytes = question.word_bytes;
  return memory::shared_access(device::find(question.device).rules.shared_banks, request)
      .wavefronts;
}

// Names what the busiest bank must serve (on Kepler rows of 256 bytes, else words), and the lanes
// that need it.
std::string busiest_bank(const Question& question, std::uint64_t stride) {
  const bool kepler =
      device::find(question.device).rules.shared_banks == device::SharedBanks::kKepler32;
  const std::uint32_t at_once = kepler ? kLanes : kLanes * 4 / question.word_bytes;
  std::map<std::uint64_t, std::map<std::uint64_t, std::uint32_t>> wanted;  // bank: thing: lane
  const auto addresses = strided(question, stride);
  for (std::uint32_t lane = 0; lane < at_once; ++lane) {
    for (std::uint32_t byte = 0; byte < question.word_bytes; byte += 4) {
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
                       joined(std::span<const std::string>(all)));
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

struct Coarsened {
  std::uint32_t threads = 0;
  std::uint32_t shared_bytes = 0;
  timing::Occupancy occupancy;
};

Coarsened coarsened(const Question& question, std::uint32_t factor) {
  Coarsened out{question.threads, question.shared_bytes, {}};
  if (question.level == CoarseningLevel::kThread) {
    out.threads /= factor;
  } else {
    out.shared_bytes *= factor;
  }
  out.occupancy = timing::occupancy(device::find(question.device), out.threads, question.registers,
                                    out.shared_bytes);
  return out;
}

// Threads, not warps: half a warp occupies a whole warp's slot.
std::uint32_t active_threads(const Coarsened& block) {
  return block.occupancy.blocks_per_sm * block.threads;
}

std::uint32_t best_factor(const Question& question) {
  const auto most = active_threads(coarsened(question, 1));
  std::uint32_t best = 1;
  for (const auto factor : kFactors) {
    if (active_threads(coarsened(question, factor)) >= most) best = factor;
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

std::string what_fits(const Question& question, std::uint32_t factor) {
  const auto block = coarsened(question, factor);
  const auto blocks = block.occupancy.blocks_per_sm;
  return fmt::format(
      "With factor {}, a block has {} threads and {} bytes of shared memory. A multiprocessor of "
      "{} holds {} such block{} (limit: {}), so {} threads are active",
      factor, block.threads, base::grouped(block.shared_bytes), question.device, blocks,
      blocks == 1 ? "" : "s", limit_text(block.occupancy.limited_by),
      base::grouped(active_threads(block)));
}

std::string why_not_factor(const Question& question, std::int64_t given) {
  const auto* known = std::find(kFactors.begin(), kFactors.end(), given);
  if (known == kFactors.end()) return "The factors to choose from are 1, 2, 4, 8 and 16.";
  const auto most = active_threads(coarsened(question, 1));
  if (active_threads(coarsened(question, *known)) < most) {
    return fmt::format("{} instead of {} with factor 1: the factor is too large.",
                       what_fits(question, *known), base::grouped(most));
  }
  const auto* larger = std::find_if(known + 1, kFactors.end(), [&](std::uint32_t factor) {
    return active_threads(coarsened(question, factor)) >= most;
  });
  return fmt::format("{}, as many as with factor 1, so {} is too small.",
                     what_fits(question, *larger), given);
}

constexpr std::uint64_t kLoadBytes = 4;

std::uint64_t divided_up(std::uint64_t a, std::uint64_t b) { return (a + b - 1) / b; }

// Bytes that DRAM moves per nanosecond. Data sheets give whole numbers of GB/s.
std::uint64_t bytes_per_ns(const device::Profile& card) {
  return static_cast<std::uint64_t>(std::llround(card.dram.bytes_per_second / 1e9));
}

std::uint64_t bytes_in_flight(const Question& question) {
  const auto& card = device::find(question.device);
  return divided_up(bytes_per_ns(card) * question.latency_ns, card.sm.count);
}

std::uint64_t in_flight(const Question& question) {
  if (question.asked == InFlight::kBytes) return bytes_in_flight(question);
  const std::uint64_t warps = resident_warps(question);
  if (question.asked == InFlight::kWarps) return warps;
  return divided_up(bytes_in_flight(question), warps * kLanes * kLoadBytes);
}

std::string why_not_in_flight(const Question& question) {
  const auto& card = device::find(question.device);
  if (question.asked == InFlight::kBytes) {
    return fmt::format(
        "DRAM moves {} bytes per nanosecond. Multiply by the latency of {} ns, divide by {} "
        "multiprocessors, and round up.",
        bytes_per_ns(card), question.latency_ns, card.sm.count);
  }
  if (question.asked == InFlight::kWarps) {
    const auto fit =
        timing::occupancy(card, question.threads, question.registers, question.shared_bytes);
    return fmt::format(
        "A block has {} warps and {} bytes of shared memory. Count the blocks that fit on a "
        "multiprocessor; the limit is {}.",
        divided_up(question.threads, kLanes), base::grouped(question.shared_bytes),
        limit_text(fit.limited_by));
  }
  return fmt::format(
      "One load of 4 bytes by each lane keeps 128 bytes per resident warp in flight. Divide the "
      "bytes that a multiprocessor of {} needs in flight by those of one load of all its warps, "
      "and round up.",
      question.device);
}

}  // namespace

std::uint32_t resident_warps(const Question& question) {
  return timing::occupancy(device::find(question.device), question.threads, question.registers,
                           question.shared_bytes)
      .warps_per_sm;
}

bool explains_wavefronts(const Question& question) {
  const auto banks = device::find(question.device).rules.shared_banks;
  return banks == device::SharedBanks::kThirtyTwo || banks == device::SharedBanks::kKepler32;
}

std::size_t answer_count(const Question& question) {
  return question.rule == QuestionRule::kSharedWavefronts ? question.strides : 1;
}

std::vector<std::int64_t> right_answers(const Question& question) {
  if (question.rule == QuestionRule::kCoarseningFactor) return {best_factor(question)};
  if (question.rule == QuestionRule::kLittlesLaw) {
    return {static_cast<std::int64_t>(in_flight(question))};
  }
  std::vector<std::int64_t> out;
  for (std::uint32_t stride = 1; stride <= question.strides; ++stride) {
    out.push_back(wavefronts(question, stride));
  }
  return out;
}

std::string subject(const Question& question, std::size_t index) {
  return question.rule == QuestionRule::kSharedWavefronts ? fmt::format("stride {}", index + 1)
                                                          : "";
}

std::string reasoning(const Question& question, std::size_t index, std::int64_t given) {
  switch (question.rule) {
    case QuestionRule::kSharedWavefronts:
      return busiest_bank(question, index + 1);
    case QuestionRule::kCoarseningFactor:
      return why_not_factor(question, given);
    case QuestionRule::kLittlesLaw:
      break;
  }
  return why_not_in_flight(question);
}

}  // namespace warpgrade::grader
