// SPDX-License-Identifier: Apache-2.0
// Makes the measured cases of an exercise fit the memory of a GPU.
//
// A comparison holds the inputs of all cases at once and the buffers of the largest. Where a card
// has not so much, the variables by which the measured size differs from the simulated one are
// divided by 2, 4, ..., all alike, so that a square stays one, and rounded down to what all sizes
// of the case are multiples of, so that whole tiles stay whole. A size stays at least so large that
// caches do not matter. Where no division does, the cases are run at their simulated sizes, which
// says whether a kernel is right there, but nothing of its speed.
#pragma once

#include <cstdint>

#include "common/measure/gpu_bench.h"
#include "grader/course/exercise.h"

namespace warpgrade::grader {

struct CardFit {
  std::uint32_t divisor = 1;  ///< 0: the card cannot measure the exercise.
};

CardFit fit_to_card(const Exercise& exercise, const measure::CardRoom& room);

/// Variables of the size at which `item` is timed on a card with that fit.
Variables card_variables(const Case& item, std::uint32_t draw, const CardFit& fit);

}  // namespace warpgrade::grader
