// SPDX-License-Identifier: Apache-2.0
#include "grader/grade/own_card.h"

#include <fmt/format.h>

#include <algorithm>
#include <variant>

namespace warpgrade::grader::grade {
namespace {

// The question without its device and its latency, which belongs to the device.
course::QuestionRule of_any_card(const course::Question& question) {
  auto out = question.rule;
  if (auto* law = std::get_if<course::LittlesLaw>(&out)) law->latency_ns = 0;
  return out;
}

bool asks_the_same(const course::Question& a, const course::Question& b) {
  return of_any_card(a) == of_any_card(b);
}

// The remark on a question about another device, answered for the device of `there`.
struct AnswerThere {
  const course::Question& there;

  std::string operator()(const course::SharedWavefronts& rule) const {
    if (!course::explains_wavefronts(there.device)) return {};
    std::string list;
    for (const auto answer : right_answers(there)) {
      list += fmt::format("{}{}", list.empty() ? "" : ", ", answer);
    }
    return fmt::format("On {} words of {} bytes at strides 1 to {} take {} wavefronts.",
                       there.device, rule.word_bytes, rule.strides, list);
  }
  std::string operator()(const course::CoarseningFactor& rule) const {
    const auto best = static_cast<std::uint32_t>(right_answers(there).front());
    const auto made = coarsened(device::find(there.device), rule, best);
    return fmt::format(
        "On {} the best factor at {} level is {}: {} blocks of {} threads and {} bytes fit on a "
        "multiprocessor, {} active threads.",
        there.device, rule.level == course::CoarseningLevel::kThread ? "thread" : "block", best,
        made.occupancy.blocks_per_sm, made.block.threads, made.block.shared_bytes,
        made.active_threads());
  }
  // Only occupancy: the latency in the question belongs to another card.
  std::string operator()(const course::LittlesLaw& law) const {
    const auto warps = resident_warps(there.device, law.block);
    if (law.asked != course::InFlight::kWarps || warps == 0) return {};
    return fmt::format("On {} {} warps of such blocks are resident on a multiprocessor.",
                       there.device, warps);
  }
};

}  // namespace

std::vector<std::string> answers_on(const std::vector<course::Question>& questions,
                                    const std::string& device) {
  std::vector<std::string> out;
  for (auto one = questions.begin(); one != questions.end(); ++one) {
    const bool is_asked_of_it =
        std::any_of(questions.begin(), questions.end(), [&](const course::Question& other) {
          return other.device == device && asks_the_same(*one, other);
        });
    const bool is_said = std::any_of(questions.begin(), one, [&](const course::Question& other) {
      return asks_the_same(*one, other);
    });
    if (is_asked_of_it || is_said) continue;
    course::Question there = *one;
    there.device = device;
    auto text = std::visit(AnswerThere{there}, there.rule);
    if (!text.empty()) out.push_back(std::move(text));
  }
  return out;
}

}  // namespace warpgrade::grader::grade
