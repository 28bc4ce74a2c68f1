// SPDX-License-Identifier: Apache-2.0
// Makes the measured cases of an exercise fit the memory of a GPU.
//
// A comparison holds the inputs of all cases at once and the buffers of the largest. If a card has
// too little memory, the variables in which the measured size differs from the simulated one are
// divided by 2, 4, ... All use the same divisor, so a square stays a square. Sizes are rounded down
// to a multiple that all sizes of the case share, so whole tiles stay whole. A size stays large
// enough that caches do not matter. If no divisor fits, the cases run at their simulated sizes;
// this checks the results there, but not the speed.
#pragma once

#include <cstdint>

#include "common/measure/gpu_bench.h"
#include "grader/course/exercise.h"

namespace warpgrade::grader::grade {

struct CardFit {
  std::uint32_t divisor = 1;  ///< 0: the card cannot measure the exercise.
};

CardFit fit_to_card(const course::KernelExercise& exercise, const measure::CardRoom& room);

/// Variables of the size at which `item` is timed on a card with that fit.
text::Variables card_variables(const course::Case& item, std::uint32_t draw, const CardFit& fit);

}  // namespace warpgrade::grader::grade
