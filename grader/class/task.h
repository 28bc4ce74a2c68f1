// SPDX-License-Identifier: Apache-2.0
// A worker's input, a message of common/base/wire.h. Its output is an Outcome (outcome.h).
#pragma once

#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

#include "grader/class/hand_in.h"

namespace warpgrade::grader::class_book {

struct Task {
  std::string key;  ///< The grade's: content, manifest, program, backend.
  std::string lab;
  std::string exercise;
  std::vector<HandedFile> files;  ///< The exercise's first.
  std::string cards;              ///< JSON of CardFacts; empty unless it is graded on a card.
};

inline auto wire_fields(Task& task) {
  return std::tie(task.key, task.lab, task.exercise, task.files, task.cards);
}

}  // namespace warpgrade::grader::class_book
