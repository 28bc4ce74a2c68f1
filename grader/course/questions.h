// SPDX-License-Identifier: Apache-2.0
// The questions that an exercise asks before anything runs, with numbers for answers.
//
// The expected answers come from the rules that the simulator itself counts by, so a handout cannot
// say one thing and the grader another:
// - "shared_wavefronts": in how many wavefronts shared memory serves a load of a warp, where lane i
// takes
//   the word of `word_bytes` at i * stride words; one answer for each stride from 1 to `strides`.
// - "coarsening_factor": the largest of the factors 1, 2, 4, 8, 16 at which as many threads are
//   active on a multiprocessor as without coarsening. At level "thread" a block of `threads` keeps
//   its shared memory and has threads / factor threads; at level "block" it keeps its threads and
//   needs `shared_bytes` * factor. One answer. (Stawinoga and Field, ACM TACO 2018.)
// - "littles_law": a multiprocessor's share of the bytes that DRAM moves in `latency_ns` ("bytes"),
//   the warps that are resident if a block has `threads`, `registers` and `shared_bytes` ("warps"),
//   and the independent loads of 4 bytes per thread with which these warps keep those bytes in
//   flight ("loads"). One answer, rounded up. (Little's law; bandwidth and multiprocessors are the
//   data sheet's.)
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace warpgrade::grader {

enum class QuestionRule { kSharedWavefronts, kCoarseningFactor, kLittlesLaw };
enum class CoarseningLevel { kThread, kBlock };
enum class InFlight { kBytes, kWarps, kLoads };

struct Question {
  std::string id;
  QuestionRule rule{};
  std::string device;  ///< Profile name.
  std::uint32_t points = 0;
  std::string meaning;
  // kSharedWavefronts:
  std::uint32_t word_bytes = 0;  ///< A lane: 4, 8 or 16.
  std::uint32_t strides = 0;     ///< Answers: strides 1 to this.
  // kCoarseningFactor:
  CoarseningLevel level{};
  // kCoarseningFactor, of the block without coarsening, and kLittlesLaw:
  std::uint32_t threads = 0;       ///< A block's.
  std::uint32_t registers = 0;     ///< A thread's.
  std::uint32_t shared_bytes = 0;  ///< A block's.
  // kLittlesLaw:
  InFlight asked{};
  std::uint32_t latency_ns = 0;  ///< Latency of a load from DRAM.
};

/// Whether the wavefronts of shared memory on the question's device can be asked for and explained:
/// where 32 banks serve a warp.
bool explains_wavefronts(const Question& question);

/// Resident warps per multiprocessor of a block as `question` describes it.
std::uint32_t resident_warps(const Question& question);

/// How many numbers answer `question`.
std::size_t answer_count(const Question& question);

/// The right answers.
std::vector<std::int64_t> right_answers(const Question& question);

/// The subject of the answer with this index: "stride 3"; empty if there is only one.
std::string subject(const Question& question, std::size_t index);

/// Why `given` is not the answer with this index, in steps that lead to the right one.
std::string reasoning(const Question& question, std::size_t index, std::int64_t given);

}  // namespace warpgrade::grader
