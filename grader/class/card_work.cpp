// SPDX-License-Identifier: Apache-2.0
#include "grader/class/card_work.h"

#include <algorithm>

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

}  // namespace warpgrade::grader::class_book
