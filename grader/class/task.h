// SPDX-License-Identifier: Apache-2.0
// A worker's input and output: messages of common/base/wire.h.
#pragma once

#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

#include "grader/class/hand_in.h"

namespace warpgrade::grader {

struct ClassTask {
  std::string key;  ///< The grade's: content, manifest, program, backend.
  std::string lab;
  std::string exercise;
  std::vector<HandedFile> files;  ///< The exercise's first.
  std::string cards;              ///< JSON of CardFacts; empty unless it is graded on a card.
};

inline auto wire_fields(ClassTask& task) {
  return std::tie(task.key, task.lab, task.exercise, task.files, task.cards);
}

/// A grade, or the reason for its absence.
struct Outcome {
  std::string key;
  std::string trouble;  ///< Why it could not be judged; empty if it was.
  double points = 0;
  double max_points = 0;
  std::string verdict;
  std::string reason;
  std::string backend;
  std::string device;
  std::string card;  ///< The GPU's name; empty if it was simulated.
  std::string version;
  std::string commit;
  std::string toolkit;
  std::string graded_at;
  double seconds = 0;
  std::string worker;
  std::string report;  ///< JSON, warpgrade.grade/1.
  std::string text;    ///< For the student (student_view.h).
  std::string page;    ///< HTML for the student, packed (packed_text.h).
  std::string waived;  ///< Gates that everybody passes on this card: "speed, speed_2".
};

inline auto wire_fields(Outcome& outcome) {
  return std::tie(outcome.key, outcome.trouble, outcome.points, outcome.max_points, outcome.verdict,
                  outcome.reason, outcome.backend, outcome.device, outcome.card, outcome.version,
                  outcome.commit, outcome.toolkit, outcome.graded_at, outcome.seconds,
                  outcome.worker, outcome.report, outcome.text, outcome.page, outcome.waived);
}

}  // namespace warpgrade::grader
