// SPDX-License-Identifier: Apache-2.0
#include "grader/class/coordinator.h"

#include <fmt/format.h>

#include <filesystem>
#include <system_error>
#include <thread>

#include "grader/class/card_work.h"
#include "grader/class/progress.h"

namespace warpgrade::grader::class_book {
namespace {

namespace fs = std::filesystem;

constexpr double kSecondsALine = 2;   // between two lines of progress
constexpr std::size_t kMostLost = 3;  // lost workers at which the task is at fault

}  // namespace

void Coordinator::keep_leftovers() {
  spool_.make();
  take_results();
  spool_.clear();
}

void Coordinator::simulate_first(Engine& engine) {
  run(engine, /*leaves_right_ones=*/true);
  say_(fmt::format("simulated; {} compile and are right: they get a card", open_.size()), false);
  for_card_.clear();
  spool_.clear();
}

void Coordinator::run(Engine& engine, bool leaves_right_ones) {
  leaves_right_ones_ = leaves_right_ones;
  std::size_t number = 0;
  for (const auto& one : wanted_) {
    if (!open_.contains(one.key)) continue;
    auto task = book_.task_of(one);
    if (on_card_ && !leaves_right_ones) task.cards = cards_;
    spool_.put(number++, task);
  }
  spool_.end_announcement();
  begin_ = std::chrono::steady_clock::now();
  while (open_.size() > for_card_.size()) {
    take_results();
    for (const auto& worker : engine.ended()) lose(worker);
    if (open_.size() > for_card_.size() && (spool_.has_tasks() || !engine.is_busy()))
      engine.keep_working();
    tell(false);
    std::this_thread::sleep_for(Spool::kGlance);
  }
  tell(true);
}

void Coordinator::take_results() {
  std::vector<Outcome> outcomes;
  std::vector<WantedGrade> of;
  std::vector<fs::path> files;
  for (auto& result : spool_.results()) {
    files.push_back(result.file);
    const auto found = open_.find(result.outcome.key);
    if (found == open_.end()) continue;
    if (!is_final(result.outcome, *found->second)) {
      if (leaves_right_ones_) for_card_.insert(found->first);
      continue;
    }
    troubled_ += result.outcome.trouble() == nullptr ? 0 : 1;
    outcomes.push_back(std::move(result.outcome));
    of.push_back(*found->second);
    open_.erase(found);
    ++done_;
  }
  if (!outcomes.empty()) book_.keep(outcomes, of);
  // Only now, since the book has the outcome.
  std::error_code ignored;
  for (const auto& file : files) fs::remove(file, ignored);
}

bool Coordinator::is_final(const Outcome& outcome, const WantedGrade& wanted) const {
  return !on_card_ || outcome.backend == run::Backend::kGpu ||
         needs_no_card(outcome, exercises_, wanted.lab, wanted.exercise);
}

void Coordinator::lose(const std::string& worker) {
  for (const auto& key : spool_.give_back(worker)) {
    const auto found = open_.find(key);
    if (found == open_.end() || ++lost_[key] < kMostLost) continue;
    Outcome outcome;
    outcome.key = key;
    outcome.result = Trouble{Trouble::Kind::kNoGrade,
                             fmt::format("{} workers ended while they graded it", kMostLost)};
    book_.keep({outcome}, {*found->second});
    open_.erase(found);
    ++done_;
    ++troubled_;
    spool_.drop(key);
  }
}

void Coordinator::tell(bool last) {
  const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - begin_;
  if (!last && passed.count() - told_ < kSecondsALine) return;
  told_ = passed.count();
  say_(progress_line(done_, wanted_.size(), troubled_, passed.count()), !last);
}

}  // namespace warpgrade::grader::class_book
