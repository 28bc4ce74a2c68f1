// SPDX-License-Identifier: Apache-2.0
// The cards of a class that is graded on GPUs: which submissions need one, and the facts of each.
//
// A process of its own (`class-card`) measures the facts before the first submission.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "grader/class/outcome.h"
#include "grader/class/progress.h"
#include "grader/course/course.h"
#include "grader/grade/time/course_on_card.h"

namespace warpgrade::grader::class_book {

// Decides which submissions of a class that is graded on GPUs need a card. Each one is simulated
// first; only right ones get a card.

/// Whether a simulated outcome is the grade on a card, too: it does not compile, a check has found
/// something, or the result is wrong. Answers to questions never need a card.
bool needs_no_card(const Outcome& simulated, const std::vector<course::Selected>& exercises,
                   const std::string& lab, const std::string& exercise);

/// The first place of a worker, numbered from 0, that is not in `busy`; `places` if none is free.
/// With cards, a place is the number of a card.
std::size_t free_place(const std::vector<std::size_t>& busy, std::size_t places);

// Measures the cards of a class before it grades: grade/time/course_on_card.h. A process of its own
// (`class-card`) opens each card, outside of the sandbox, and ends before the first submission.

/// The command of the process, for the command line's model.
inline constexpr const char* kCardCommand = "class-card";

/// Prints the facts of WARPGRADE_GPU as JSON. Throws base::ToolError without a card.
int run_card_survey(const course::Course& course);

/// The facts of this machine's cards with these numbers; of equal cards only the first one's.
/// Throws base::ToolError if a card cannot be opened.
std::vector<grade::CardFacts> survey_cards(const std::vector<std::string>& cards);

/// The facts of a card that Slurm lends; empty if it lends none.
std::vector<grade::CardFacts> survey_slurm_card();

/// Prints the measured exercises, and those whose gates on speed will be waived.
void report_survey(const std::vector<grade::CardFacts>& cards, const Say& say);

/// Names the facts in the key of a grade; empty if no grade depends on them.
std::string digest_of(const std::vector<grade::CardFacts>& cards);

/// The facts of this card among `cards`; without any if it was not measured.
grade::CardFacts facts_of(const std::vector<grade::CardFacts>& cards, const std::string& device,
                          const std::string& driver);

}  // namespace warpgrade::grader::class_book
