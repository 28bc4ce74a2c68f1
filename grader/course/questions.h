// SPDX-License-Identifier: Apache-2.0
// The questions that an exercise asks before anything runs, with numbers for answers.
//
// The expected answers come from the rules by which the simulator itself counts, so handouts and
// grader cannot disagree:
// - "shared_wavefronts": in how many wavefronts shared memory serves a load of a warp, where lane i
//   loads the word of `word_bytes` at i * stride words; one answer for each stride from 1 to
//   `strides`.
// - "coarsening_factor": the largest of the factors 1, 2, 4, 8, 16 at which as many threads are
//   active on a multiprocessor as without coarsening. At level "thread" a block of `threads` keeps
//   its shared memory and has threads / factor threads; at level "block" it keeps its threads and
//   needs `shared_bytes` * factor. One answer. (Stawinoga and Field, ACM TACO 2018.)
// - "littles_law": a multiprocessor's share of the bytes that DRAM moves in `latency_ns` ("bytes"),
//   the warps that are resident if a block has `threads`, `registers` and `shared_bytes` ("warps"),
//   and the independent loads of 4 bytes per thread with which these warps keep those bytes in
//   flight ("loads"). One answer, rounded up. (Little's law; bandwidth and multiprocessors are the
//   data sheet's.)
// - "profile": what a simulated launch of a kernel shows: its bottleneck, a word ("limit"); its
//   achieved occupancy in percent ("occupancy"); or the bytes of loads that a multiprocessor has in
//   flight on average ("bytes"). One answer. Numbers are right within a tolerance, so that
//   arithmetic by hand is enough. The facts are entered once the launch has run.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "common/device/profile.h"
#include "common/measure/bottleneck.h"
#include "common/timing/bound.h"

namespace warpgrade::grader::course {

/// A block whose occupancy matters.
struct BlockNeeds {
  std::uint32_t threads = 0;
  std::uint32_t registers = 0;  ///< Per thread.
  std::uint32_t shared_bytes = 0;

  friend bool operator==(const BlockNeeds&, const BlockNeeds&) = default;
};

struct SharedWavefronts {
  std::uint32_t word_bytes = 4;  ///< Per lane: 4, 8 or 16.
  std::uint32_t strides = 1;     ///< Answers: strides 1 to this.

  friend bool operator==(const SharedWavefronts&, const SharedWavefronts&) = default;
};

enum class CoarseningLevel { kThread, kBlock };

struct CoarseningFactor {
  CoarseningLevel level{};
  BlockNeeds block;  ///< Without coarsening.

  friend bool operator==(const CoarseningFactor&, const CoarseningFactor&) = default;
};

enum class InFlight { kBytes, kWarps, kLoads };

struct LittlesLaw {
  InFlight asked{};
  BlockNeeds block;
  std::uint32_t latency_ns = 0;  ///< Latency of a load from DRAM.

  friend bool operator==(const LittlesLaw&, const LittlesLaw&) = default;
};

/// The facts that the profile of a launch shows.
struct LaunchFacts {
  measure::Bottleneck bottleneck{};
  timing::Occupancy occupancy;  ///< The warps that fit.
  double resident_warps = 0;    ///< Those that are there, on average.
  double bytes_in_flight = 0;   ///< Bytes of loads per multiprocessor.
  std::uint64_t blocks = 0;
  /// Throughputs of DRAM, L2, L1 and the multiprocessors' pipes, in percent of the peak.
  double dram = 0, l2 = 0, l1 = 0, sm = 0;
  std::string command;  ///< Profiles the launch.
};

enum class ProfileAsked { kLimit, kOccupancy, kBytes };

/// The achieved occupancy may be this many points off, and bytes this share.
constexpr double kOccupancyTolerance = 10;
constexpr double kBytesTolerance = 0.25;

struct LaunchProfile {
  ProfileAsked asked{};
  std::string kernel;  ///< One of the exercise's launches.
  LaunchFacts facts;   ///< Known once the launch has run.

  friend bool operator==(const LaunchProfile& a, const LaunchProfile& b) {
    return a.asked == b.asked && a.kernel == b.kernel;
  }
};

using QuestionRule = std::variant<SharedWavefronts, CoarseningFactor, LittlesLaw, LaunchProfile>;

struct Question {
  std::string id;
  std::string device;  ///< Profile name.
  std::uint32_t points = 0;
  std::string meaning;
  QuestionRule rule;
};

struct Coarsened {
  BlockNeeds block;
  timing::Occupancy occupancy;

  /// On a multiprocessor. Threads, not warps: half a warp occupies a whole warp's slot.
  std::uint32_t active_threads() const { return occupancy.blocks_per_sm * block.threads; }
};

/// The block of `rule` with that factor, on a device.
Coarsened coarsened(const device::Profile& card, const CoarseningFactor& rule,
                    std::uint32_t factor);

/// Whether a question about `device` can ask for wavefronts of shared memory and explain them: only
/// if 32 banks serve a warp.
bool explains_wavefronts(const std::string& device);

/// Resident warps of such blocks on a multiprocessor of the device.
std::uint32_t resident_warps(const std::string& device, const BlockNeeds& block);

/// The number of answers to `question`.
std::size_t answer_count(const Question& question);

/// The words to choose from, the first one empty; an answer is the index of one of them. Empty if
/// answers are numbers.
std::span<const std::string_view> answer_words(const Question& question);

/// The right answers.
std::vector<std::int64_t> right_answers(const Question& question);

/// Whether `given` is right where `right` is: equal to it, or close enough.
bool is_right(const Question& question, std::int64_t given, std::int64_t right);

/// The text of a question about a profile, whose `kernel` and card it names.
std::string default_meaning(const LaunchProfile& rule, const std::string& device);

/// The subject of the answer with this index: "stride 3"; empty if there is only one.
std::string subject(const Question& question, std::size_t index);

/// Why `given` is not the answer with this index, in steps that lead to the right one.
std::string reasoning(const Question& question, std::size_t index, std::int64_t given);

}  // namespace warpgrade::grader::course
