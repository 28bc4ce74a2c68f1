// SPDX-License-Identifier: Apache-2.0
// Has the submissions of a run graded: puts tasks into the spool, keeps workers busy, and writes
// each outcome into the book. If a worker ends, another one gets its task; after three of them
// the task is at fault. On cards, every submission is simulated first, and only right ones get a
// card.
#pragma once

#include <chrono>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "common/run/backend.h"
#include "grader/class/book.h"
#include "grader/class/engine.h"
#include "grader/class/say.h"
#include "grader/class/spool.h"
#include "grader/course/course.h"

namespace warpgrade::grader::class_book {

class Coordinator {
 public:
  /// `book`, `spool`, `exercises` and `say` outlive the coordinator. `cards`: JSON of CardFacts for
  /// judges with a card.
  Coordinator(Book& book, Spool& spool, std::vector<WantedGrade> wanted,
              const std::vector<course::Selected>& exercises, run::Backend backend,
              std::string cards, const Say& say)
      : book_(book),
        spool_(spool),
        wanted_(std::move(wanted)),
        exercises_(exercises),
        on_card_(backend == run::Backend::kGpu),
        cards_(std::move(cards)),
        say_(say) {
    for (const auto& one : wanted_) open_[one.key] = &one;
  }

  /// Keeps the outcomes that an earlier run left in the spool, so that they are not graded again.
  void keep_leftovers();

  /// Simulates all attempts and keeps the grades that need no card; run() does the others.
  void simulate_first(Engine& engine);

  /// Runs until each attempt has a grade or a reason; with `leaves_right_ones` until only attempts
  /// that need a card remain.
  void run(Engine& engine, bool leaves_right_ones = false);

  bool is_done() const { return open_.empty(); }

 private:
  void take_results();

  // On cards, a simulated outcome is final only if it needs no card. A card repeats the others.
  bool is_final(const Outcome& outcome, const WantedGrade& wanted) const;

  // A worker has ended: requeues its task, unless the task has already ended several workers.
  void lose(const std::string& worker);

  void tell(bool last);

  Book& book_;
  Spool& spool_;
  std::vector<WantedGrade> wanted_;
  const std::vector<course::Selected>& exercises_;
  bool on_card_;
  std::string cards_;
  bool leaves_right_ones_ = false;  // The pass that simulates, before cards are given.
  const Say& say_;
  std::map<std::string, const WantedGrade*> open_;  // By key.
  std::set<std::string> for_card_;  // Simulated, and open until they were on a card.
  std::map<std::string, std::size_t> lost_;
  std::size_t done_ = 0;
  std::size_t troubled_ = 0;
  double told_ = 0;
  std::chrono::steady_clock::time_point begin_;
};

}  // namespace warpgrade::grader::class_book
