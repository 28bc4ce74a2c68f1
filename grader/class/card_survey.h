// SPDX-License-Identifier: Apache-2.0
// Measures the cards of a class before it grades: grade/card_facts.h. A process of its own
// (`class-card`) opens each card, outside of the sandbox, and ends before the first submission.
#pragma once

#include <string>
#include <vector>

#include "grader/class/say.h"
#include "grader/course/course.h"
#include "grader/grade/time/card_facts.h"

namespace warpgrade::grader::class_book {

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
