// SPDX-License-Identifier: Apache-2.0
// The cards of a class that is graded on GPUs: which submissions need one, and what each can do.
//
// In: the course, the cards of this machine or of Slurm, and outcomes of the simulator. Out: the
// facts of each card (grade/time/course_on_card.h), and for each submission whether it gets a card.
// Each submission is simulated first; only right ones get a card. A process of its own
// (`class-card`) measures each card outside of the sandbox, and ends before the first submission.
#include "grader/class/cards.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include "common/base/error.h"
#include "common/base/text.h"
#include "common/compile/child.h"
#include "common/gpu/platform.h"
#include "grader/cases/submission.h"
#include "grader/class/outcome.h"
#include "grader/class/progress.h"
#include "grader/course/course.h"
#include "grader/grade/grading_session.h"
#include "grader/grade/time/course_on_card.h"
#include "grader/text/messages.h"

namespace warpgrade::grader::class_book {

bool needs_no_card(const Outcome& simulated, const std::vector<course::Selected>& exercises,
                   const std::string& lab, const std::string& exercise) {
  const auto* grade = simulated.grade();
  if (grade == nullptr) return false;
  const bool asks_questions = std::ranges::any_of(exercises, [&](const course::Selected& one) {
    return one.lab->id == lab && one.exercise->id == exercise && one.exercise->kernel() == nullptr;
  });
  if (asks_questions) return true;
  return grade->verdict == report::Verdict::kFail &&
         (grade->reason == report::Reason::kCompile ||
          grade->reason == report::Reason::kDiagnostic ||
          grade->reason == report::Reason::kIncorrect);
}

std::size_t free_place(const std::vector<std::size_t>& busy, std::size_t places) {
  std::size_t place = 0;
  while (place < places && std::ranges::find(busy, place) != busy.end()) ++place;
  return place;
}

namespace {

constexpr std::chrono::minutes kSurveyPatience{30};  // for all exercises of a course on a slow card

std::vector<grade::CardFacts> survey(const compile::Command& command, const std::string& card) {
  const auto child = compile::run_child(command, {}, kSurveyPatience);
  auto out = grade::card_facts_from_json(child.output);
  if (child.timed_out || child.signal != 0 || child.exit_code != 0 || out.empty()) {
    throw base::ToolError(
        fmt::format("the course's solutions could not be measured on {}: see above", card));
  }
  return out;
}

bool is_same_card(const grade::CardFacts& a, const grade::CardFacts& b) {
  return a.device == b.device && a.driver == b.driver;
}

std::string own_program() { return std::filesystem::read_symlink("/proc/self/exe").string(); }

}  // namespace

int run_card_survey(const course::Course& course) {
  grade::GradingSession session(run::Backend::kGpu, "", cases::kDefaultSeed);
  const auto text = to_json(std::vector<grade::CardFacts>{session.card_facts(course)});
  return std::fwrite(text.data(), 1, text.size(), stdout) == text.size() ? 0 : 3;
}

std::vector<grade::CardFacts> survey_cards(const std::vector<std::string>& cards) {
  std::vector<grade::CardFacts> out;
  for (const auto& card : cards) {
    const compile::Command command{
        "/usr/bin/env",
        {fmt::format("{}={}", gpu::kGpuVariable, card), own_program(), kCardCommand},
        true};
    for (auto& one : survey(command, "card " + card)) {
      const bool is_known = std::ranges::any_of(
          out, [&](const grade::CardFacts& other) { return is_same_card(one, other); });
      if (!is_known) out.push_back(std::move(one));
    }
  }
  return out;
}

std::vector<grade::CardFacts> survey_slurm_card() {
  const compile::Command command{
      "/usr/bin/srun", {"--gres=gpu:1", "--quiet", own_program(), kCardCommand}, true};
  try {
    return survey(command, "a card of Slurm");
  } catch (const base::ToolError&) {  // Its gates are waived, and reported as such.
    return {};
  }
}

void report_survey(const std::vector<grade::CardFacts>& cards, const Say& say) {
  for (const auto& card : cards) {
    std::vector<std::string> measured;
    for (const auto& [exercise, values] : card.course) {
      if (values.trouble.empty()) {
        measured.push_back(exercise);
        continue;
      }
      say(fmt::format("{}: the solution of {} has no speed, so its gate is waived: {}",
                      base::escape_controls(card.device), exercise,
                      base::escape_controls(values.trouble)),
          false);
    }
    if (measured.empty()) continue;
    say(fmt::format("{}: bounds on speed are shares of the solution's speed for {}",
                    base::escape_controls(card.device), text::joined(measured)),
        false);
  }
}

std::string digest_of(const std::vector<grade::CardFacts>& cards) {
  const bool is_none = std::ranges::all_of(cards, [](const grade::CardFacts& card) {
    return card.calibration.empty() && card.course.empty();
  });
  return is_none ? std::string() : base::sha256_hex(to_json(cards)).substr(0, 16);
}

grade::CardFacts facts_of(const std::vector<grade::CardFacts>& cards, const std::string& device,
                          const std::string& driver) {
  grade::CardFacts here{device, driver, {}, {}};
  const auto found = std::ranges::find_if(
      cards, [&](const grade::CardFacts& one) { return is_same_card(one, here); });
  return found == cards.end() ? here : *found;
}

}  // namespace warpgrade::grader::class_book
