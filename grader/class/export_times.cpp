// SPDX-License-Identifier: Apache-2.0
// Times of files that an export or a copy wrote.
//
// In: the files of an export. Out: the same without times that tell nothing about the students, and
// a remark for each doubt.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "grader/class/gather.h"
#include "grader/class/hand_in.h"
#include "grader/class/names.h"
#include "grader/class/rules.h"

namespace warpgrade::grader::class_book {
namespace {

constexpr std::size_t kFewestEqual = 3;       // students; fewer may share one time by accident
constexpr std::size_t kFewestInOrder = 3;     // students; fewer may be in order by accident
constexpr std::int64_t kLongestWrite = 3600;  // seconds in which a platform writes an export

// The times of an archive's entries in their order, and the students of these entries.
struct Stamps {
  std::vector<std::int64_t> times;
  std::set<std::string> students;
};

bool has_own_time(const GivenFile& one) {
  const bool counts = may_be_work(one.file.path) || is_archive_name(one.file.path);
  return one.is_stamped && one.file.time && counts && !one.is_companion;
}

std::string archive_of(const GivenFile& one, bool has_archives) {
  if (!has_archives) return {};
  return one.file.shown.substr(0, one.file.shown.find('/'));
}

// Whether each of the times is after a deadline, and an export may have written them in this order.
bool is_export_in_order(const Stamps& stamps, bool has_archives, const Rules& rules) {
  const auto [first, last] = std::ranges::minmax(stamps.times);
  const auto is_before = [begin = first](const auto& deadline) { return deadline.second < begin; };
  // The order of files in a folder is not the one in which they were copied.
  const bool is_in_order = !has_archives || std::ranges::is_sorted(stamps.times);
  return stamps.students.size() >= kFewestInOrder && is_in_order && last - first <= kLongestWrite &&
         std::ranges::any_of(rules.deadlines, is_before);
}

}  // namespace

void doubt_times(const Rules& rules, bool has_archives, std::vector<GivenFile>& files,
                 HandedIn& out) {
  // In a folder, times matter only for a deadline. Copying gives all files one time, and is
  // otherwise harmless.
  if (!has_archives && rules.deadlines.empty()) return;
  std::set<std::int64_t> times;
  std::set<std::string> students;
  std::map<std::string, Stamps> archives;
  for (const auto& one : files) {
    if (!has_own_time(one)) continue;
    times.insert(*one.file.time);
    students.insert(one.student);
    archives[archive_of(one, has_archives)].times.push_back(*one.file.time);
    archives[archive_of(one, has_archives)].students.insert(one.student);
  }
  const auto fewest = has_archives ? kFewestEqual - 1 : kFewestEqual;
  if (times.size() == 1 && students.size() >= fewest) {
    out.problems.push_back(
        {"", out.source,
         "all files have the same time, so it is when they were exported or copied: the times of "
         "submission are unknown, and nobody counts as late",
         false});
    for (auto& one : files) {
      if (one.is_stamped) one.file.time.reset();
    }
    return;
  }
  for (const auto& [archive, stamps] : archives) {
    if (!is_export_in_order(stamps, has_archives, rules)) continue;
    const auto* when = has_archives ? "in the order of the archive, so they are when it was written"
                                    : "within an hour, so they are when the files were copied";
    out.problems.push_back({"", has_archives ? archive : out.source,
                            fmt::format("all times are after the deadline and {}: the times of "
                                        "submission are unknown, and nobody counts as late",
                                        when),
                            false});
    for (auto& one : files) {
      if (one.is_stamped && archive_of(one, has_archives) == archive) one.file.time.reset();
    }
  }
}

}  // namespace warpgrade::grader::class_book
