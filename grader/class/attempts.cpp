// SPDX-License-Identifier: Apache-2.0
// Finds the latest of a student's attempts at an exercise.
//
// In: the attempts of all hand-ins. Out: the same in their order. If nothing says which one counts,
// the attempts become open files.
// The platform's number of an attempt counts first, then the time, then the number of an upload
// ("copy (2).cu"), then the name and its folder. Numbers in names that are otherwise equal compare
// as numbers: "Version 10" is later than "Version 2".
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "grader/class/hand_in.h"

namespace warpgrade::grader::class_book {
namespace {

// A path with "#" instead of each number, and the numbers.
struct NumberedPath {
  std::string form;
  std::vector<std::uint64_t> numbers;
};

NumberedPath numbered(const std::string& path) {
  constexpr std::uint64_t kMost = 1'000'000'000'000'000'000;
  NumberedPath out;
  bool is_inside = false;
  for (const char c : path) {
    const bool is_digit = c >= '0' && c <= '9';
    if (is_digit && !is_inside) {
      out.form += '#';
      out.numbers.push_back(0);
    }
    if (is_digit) {
      auto& number = out.numbers.back();
      number = std::min(number * 10 + static_cast<std::uint64_t>(c - '0'), kMost);
    } else {
      out.form += c;
    }
    is_inside = is_digit;
  }
  return out;
}

auto exercise_of(const HandIn& one) { return std::tie(one.student, one.lab, one.exercise); }

auto order_of(const HandIn& one) {
  return std::tie(one.attempt, one.submitted_at, one.number, one.rank);
}

// Orders attempts of one exercise and one time by the numbers in their names. Returns whether their
// order is known.
bool order_by_numbers(std::span<HandIn> tied) {
  const auto form = numbered(tied.front().path).form;
  const bool is_comparable =
      std::ranges::all_of(tied, [&](const HandIn& one) { return numbered(one.path).form == form; });
  if (is_comparable) {
    std::ranges::stable_sort(tied, {},
                             [](const HandIn& one) { return numbered(one.path).numbers; });
  }
  const auto& last = tied.back();
  // Two entries of an archive may have one name: the last one is meant.
  return std::ranges::all_of(tied.first(tied.size() - 1), [&](const HandIn& one) {
    return (is_comparable && numbered(one.path).numbers != numbered(last.path).numbers) ||
           one.source == last.source || bundle_of(one) == bundle_of(last);
  });
}

// Files that may be work, of one student and of one exercise or none.
std::vector<std::string> other_work(const HandedIn& all, const HandIn& skeleton) {
  std::vector<std::string> out;
  const auto id = skeleton.lab + "/" + skeleton.exercise;
  for (const auto& one : all.received) {
    const bool is_for_it = one.exercise.empty() ? one.spare_for.empty() || one.spare_for == id
                                                : one.lab + "/" + one.exercise == id;
    const bool is_other = one.student == skeleton.student && one.may_be_work && is_for_it &&
                          one.path != skeleton.source;
    const bool counts = one.state == FileState::kOpen || one.state == FileState::kUnused ||
                        one.state == FileState::kAttempt;
    if (is_other && counts) out.push_back(one.path);
  }
  return out;
}

std::string listed(const std::vector<std::string>& paths) {
  constexpr std::size_t kMostNamed = 4;
  std::string out;
  for (std::size_t i = 0; i < std::min(paths.size(), kMostNamed); ++i) {
    out += (i == 0 ? "" : ", ") + paths[i];
  }
  if (paths.size() > kMostNamed) out += fmt::format(" and {} more", paths.size() - kMostNamed);
  return out;
}

// Makes open files of attempts.
class Opening {
 public:
  explicit Opening(HandedIn& all) : all_(all) {}

  void add(const HandIn& one, const std::string& reason) {
    reasons_[{one.student, one.source}] = {one.lab, one.exercise, reason};
  }

  void finish() {
    std::erase_if(all_.attempts, [&](const HandIn& one) {
      return reasons_.contains({one.student, one.source});
    });
    // Remarks on them as attempts no longer hold.
    std::erase_if(all_.problems, [&](const HandInProblem& one) {
      return !one.unread && reasons_.contains({one.student, one.file});
    });
    for (auto& one : all_.received) {
      const auto found = reasons_.find({one.student, one.path});
      if (found == reasons_.end()) continue;
      std::tie(one.lab, one.exercise, one.reason) = found->second;
      one.state = FileState::kOpen;
      all_.problems.push_back({one.student, one.path, one.reason, true});
    }
  }

 private:
  HandedIn& all_;
  std::map<std::pair<std::string, std::string>, std::tuple<std::string, std::string, std::string>>
      reasons_;
};

// The attempts of one student at one exercise, in their order.
void doubt_attempts(std::span<HandIn> all, const HandedIn& handed_in, Opening& opening) {
  const auto& last = all.back();
  auto first = all.size() - 1;
  while (first > 0 && order_of(all[first - 1]) == order_of(last)) --first;
  const auto tied = all.subspan(first);
  if (!order_by_numbers(tied)) {
    std::vector<std::string> paths;
    for (const auto& one : tied) paths.push_back(one.source);
    for (const auto& one : tied) {
      opening.add(one, fmt::format("{} files may be the one for {}/{}, and nothing says which is "
                                   "the latest: {}; remove the others, or list them in `ignore`",
                                   tied.size(), one.lab, one.exercise, listed(paths)));
    }
    return;
  }
  const auto& counted = all.back();
  if (!counted.is_skeleton) return;
  const auto others = other_work(handed_in, counted);
  if (others.empty()) return;
  const auto reason = fmt::format("{} is the untouched skeleton, and there is other work: {}",
                                  counted.source, listed(others));
  for (const auto& one : all) opening.add(one, reason);
}

// Times that contradict the platform's numbers of attempts are not those of submissions.
void doubt_times_of_attempts(std::span<HandIn> all, HandedIn& handed_in) {
  std::optional<std::int64_t> before;
  bool is_wrong = false;
  for (const auto& one : all) {
    is_wrong = is_wrong || (before && one.submitted_at && *one.submitted_at < *before);
    if (one.submitted_at) before = one.submitted_at;
  }
  if (!is_wrong) return;
  handed_in.problems.push_back(
      {all.front().student, all.front().source,
       "times of files contradict the numbers of attempts, so they are unknown", false});
  for (auto& one : all) one.submitted_at.reset();
}

}  // namespace

void sort_attempts(std::vector<HandIn>& attempts) {
  std::ranges::stable_sort(attempts, [](const HandIn& a, const HandIn& b) {
    return std::tuple_cat(exercise_of(a), order_of(a)) <
           std::tuple_cat(exercise_of(b), order_of(b));
  });
}

void settle_attempts(HandedIn& handed_in, bool is_best) {
  auto& attempts = handed_in.attempts;
  sort_attempts(attempts);
  Opening opening(handed_in);
  for (std::size_t begin = 0; begin < attempts.size();) {
    auto end = begin + 1;
    while (end < attempts.size() && exercise_of(attempts[end]) == exercise_of(attempts[begin])) {
      ++end;
    }
    const auto all = std::span(attempts).subspan(begin, end - begin);
    if (all.front().attempt != all.back().attempt) doubt_times_of_attempts(all, handed_in);
    if (!is_best) doubt_attempts(all, handed_in, opening);
    begin = end;
  }
  opening.finish();
}

}  // namespace warpgrade::grader::class_book
