// SPDX-License-Identifier: Apache-2.0
#include "grader/grade/own_card.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "common/device/profile.h"
#include "common/timing/occupancy.h"

namespace warpgrade::grader {
namespace {

bool asks_the_same(const Question& a, const Question& b) {
  const auto asked = [](const Question& q) {
    return std::tie(q.rule, q.word_bytes, q.strides, q.level, q.threads, q.registers,
                    q.shared_bytes, q.asked);
  };
  return asked(a) == asked(b);
}

std::string factor_there(const Question& there) {
  const auto best = static_cast<std::uint32_t>(right_answers(there).front());
  const bool of_threads = there.level == CoarseningLevel::kThread;
  const auto threads = of_threads ? there.threads / best : there.threads;
  const auto shared = of_threads ? there.shared_bytes : there.shared_bytes * best;
  const auto fit = timing::occupancy(device::find(there.device), threads, there.registers, shared);
  return fmt::format(
      "On {} the best factor at {} level is {}: {} blocks of {} threads and {} bytes fit on a "
      "multiprocessor, {} active threads.",
      there.device, of_threads ? "thread" : "block", best, fit.blocks_per_sm, threads, shared,
      fit.blocks_per_sm * threads);
}

std::string wavefronts_there(const Question& there) {
  if (!explains_wavefronts(there)) return {};
  std::string list;
  for (const auto answer : right_answers(there)) {
    list += fmt::format("{}{}", list.empty() ? "" : ", ", answer);
  }
  return fmt::format("On {} words of {} bytes at strides 1 to {} take {} wavefronts.", there.device,
                     there.word_bytes, there.strides, list);
}

// Only occupancy: the latency in the question is another card's.
std::string warps_there(const Question& there) {
  const auto warps = resident_warps(there);
  if (there.asked != InFlight::kWarps || warps == 0) return {};
  return fmt::format("On {} {} warps of such blocks are resident on a multiprocessor.",
                     there.device, warps);
}

std::string answer_there(const Question& there) {
  switch (there.rule) {
    case QuestionRule::kSharedWavefronts:
      return wavefronts_there(there);
    case QuestionRule::kCoarseningFactor:
      return factor_there(there);
    case QuestionRule::kLittlesLaw:
      break;
  }
  return warps_there(there);
}

}  // namespace

std::vector<std::string> answers_on(const std::vector<Question>& questions,
                                    const std::string& device) {
  std::vector<std::string> out;
  for (auto one = questions.begin(); one != questions.end(); ++one) {
    const bool is_asked_of_it =
        std::any_of(questions.begin(), questions.end(), [&](const Question& other) {
          return other.device == device && asks_the_same(*one, other);
        });
    const bool is_said = std::any_of(
        questions.begin(), one, [&](const Question& other) { return asks_the_same(*one, other); });
    if (is_asked_of_it || is_said) continue;
    Question there = *one;
    there.device = device;
    auto text = answer_there(there);
    if (!text.empty()) out.push_back(std::move(text));
  }
  return out;
}

}  // namespace warpgrade::grader
