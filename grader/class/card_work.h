// SPDX-License-Identifier: Apache-2.0
// Decides which submissions of a class that is graded on GPUs need a card. Each one is simulated
// first; only right ones get a card.
#pragma once

#include <cstddef>
#include <vector>

#include "grader/class/outcome.h"
#include "grader/course/course.h"

namespace warpgrade::grader::class_book {

/// Whether a simulated outcome is the grade on a card, too: it does not compile, a check has found
/// something, or the result is wrong. Answers to questions never need a card.
bool needs_no_card(const Outcome& simulated, const std::vector<course::Selected>& exercises,
                   const std::string& lab, const std::string& exercise);

/// The first place of a worker, numbered from 0, that is not in `busy`; `places` if none is free.
/// With cards, a place is the number of a card.
std::size_t free_place(const std::vector<std::size_t>& busy, std::size_t places);

}  // namespace warpgrade::grader::class_book
