// SPDX-License-Identifier: Apache-2.0
#include "grader/class/levels.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <initializer_list>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "common/base/text.h"
#include "grader/class/gradebook.h"
#include "grader/class/hand_in.h"
#include "grader/class/layout.h"
#include "grader/class/names.h"

namespace warpgrade::grader::class_book {
namespace {

constexpr std::size_t kDeepestLevel = 6;

std::vector<std::string> parts_of(const std::string& path) {
  std::vector<std::string> out;
  for (std::size_t begin = 0; begin <= path.size();) {
    const auto end = std::min(path.find('/', begin), path.size());
    out.push_back(path.substr(begin, end - begin));
    begin = end + 1;
  }
  return out;
}

// The first `count` parts of a path, with their '/'.
std::string prefix_of(const std::vector<std::string>& parts, std::size_t count) {
  std::string out;
  for (std::size_t i = 0; i < count; ++i) out += parts[i] + "/";
  return out;
}

bool is_work_file(const std::string& path) {
  const bool is_work = may_be_work(path) || is_archive_name(path);
  return is_work && !is_by_the_way(path);
}

// Whether a student may have named a folder so for a version of the work.
bool is_like_an_attempt(const std::string& folder) {
  static constexpr std::array<std::string_view, 17> kWords = {
      "version", "attempt", "try",    "versuch", "abgabe",  "submission",
      "old",     "new",     "backup", "draft",   "final",   "first",
      "second",  "src",     "source", "archive", "previous"};
  const auto name = squashed_text(folder);
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  const auto digits = name.starts_with('v') ? std::string_view(name).substr(1) : name;
  if (digits.size() <= 3 && std::ranges::all_of(digits, is_digit)) return true;
  return std::ranges::any_of(kWords, [&](auto word) { return name.starts_with(word); });
}

std::set<std::string> squashed_set(std::initializer_list<std::string_view> words) {
  std::set<std::string> out;
  for (const auto word : words) out.insert(squashed_text(word));
  return out;
}

// "Doe, Jane" as "Jane Doe"; empty without a comma.
std::string swapped_name(const std::string& name) {
  const auto comma = name.find(',');
  return comma == std::string::npos ? "" : name.substr(comma + 1) + " " + name.substr(0, comma);
}

}  // namespace

RosterNames::RosterNames(const std::vector<Enrolled>& roster) {
  for (const auto& one : roster) {
    for (const auto& text : {one.student, one.login, one.number, one.email, one.name,
                             one.last_name + one.first_name, one.first_name + one.last_name}) {
      add(text);
    }
    add(one.email.substr(0, one.email.find('@')));
  }
}

void RosterNames::add(const std::string& text) {
  const auto name = squashed_text(text);
  if (!name.empty()) names_.insert(name);
}

bool RosterNames::has_exactly(const std::string& name) const {
  return names_.contains(squashed_text(name));
}

bool RosterNames::has(const std::string& name) const {
  const auto [known, is_new] = known_.try_emplace(name, false);
  if (!is_new) return known->second;
  const auto identity = identity_in(name);
  for (const auto& one : {name, identity.login, identity.name, swapped_name(name)}) {
    known->second = known->second || (!one.empty() && names_.contains(squashed_text(one)));
  }
  return known->second;
}

StudentLevel::StudentLevel(const std::vector<std::string>& paths, const RosterNames& names,
                           const std::set<std::string>& course, std::optional<std::size_t> level)
    : names_(names), level_(level.value_or(0)), is_given_(level.has_value()) {
  if (level) return;
  find_by_roster(paths);
  if (!is_by_roster_) leave_out_single_folders(paths, course);
}

void StudentLevel::find_by_roster(const std::vector<std::string>& paths) {
  if (names_.is_empty()) return;
  std::array<std::set<std::string>, kDeepestLevel> found;
  for (const auto& path : paths) {
    if (is_mac_copy(path)) continue;
    const auto parts = parts_of(path);
    for (std::size_t i = 0; i < std::min(parts.size(), kDeepestLevel); ++i) {
      const bool is_file = i + 1 == parts.size();
      if (is_file && !is_archive_name(parts[i])) continue;
      const auto name = is_file ? archive_stem(parts[i]) : parts[i];
      if (!names_.has(name)) continue;
      found.at(i).insert(squashed_text(name));
      for (std::size_t above = 1; above <= i; ++above) {
        students_in_[prefix_of(parts, above)].insert(prefix_of(parts, i) + name);
      }
    }
  }
  const auto* const best = std::ranges::max_element(found, {}, &std::set<std::string>::size);
  is_by_roster_ = !best->empty();
  level_ = static_cast<std::size_t>(best - found.begin());
}

void StudentLevel::leave_out_single_folders(const std::vector<std::string>& paths,
                                            const std::set<std::string>& course) {
  std::string above;
  for (std::size_t depth = 1; depth < kDeepestLevel; ++depth) {
    std::set<std::string> tops;
    std::vector<std::string> below;
    for (const auto& path : paths) {
      if (is_by_the_way(path) || !path.starts_with(above)) continue;
      const auto rest = path.substr(above.size());
      const auto cut = rest.find('/');
      if (cut == std::string::npos) {
        if (is_work_file(rest)) return;  // There is work at this level.
        continue;
      }
      tops.insert(rest.substr(0, cut));
      below.push_back(rest.substr(cut + 1));
    }
    if (tops.size() != 1) return;
    above += *tops.begin() + "/";
    if (folders_like_students(below, course).empty()) continue;
    above_ = above;
    level_ = depth;
  }
}

StudentLevel::Place StudentLevel::place(const std::string& path) const {
  const auto parts = parts_of(path);
  const auto from = [&](std::size_t level) {
    auto out = path.substr(prefix_of(parts, level).size());
    // An archive that is called after its student.
    if (level + 1 == parts.size()) out = archive_stem(parts[level]) + "/" + out;
    return Place{out, ""};
  };
  Place nowhere{"",
                "not in any student's folder; if the file's name has the student, set `name` of "
                "class.toml"};
  if (!is_by_roster_) {
    const bool is_own_archive =
        is_given_ && parts.size() == level_ + 1 && is_archive_name(parts.back());
    if (is_own_archive) return from(level_);
    if (!path.starts_with(above_) || parts.size() < level_ + 2) return nowhere;
    return {path.substr(prefix_of(parts, level_).size()), ""};
  }
  std::optional<std::size_t> matched;
  for (std::size_t i = 0; i < std::min(parts.size(), kDeepestLevel); ++i) {
    const bool is_file = i + 1 == parts.size();
    if (is_file && !is_archive_name(parts[i])) continue;
    if (!names_.has(is_file ? archive_stem(parts[i]) : parts[i])) continue;
    if (i == level_) return from(i);
    if (!matched) matched = i;
  }
  if (matched && *matched < level_) return from(*matched);
  const auto around = students_in_.find(prefix_of(parts, std::min(level_ + 1, parts.size())));
  const bool has_students = around != students_in_.end() && parts.size() > level_ + 1;
  if (matched && has_students && around->second.size() > 1) return from(*matched);
  if (has_students) {
    return {"", fmt::format("`{}` is no student of the roster, and a folder in it is called after "
                            "one: it is not clear whose work this is",
                            base::escape_controls(parts[level_]))};
  }
  if (parts.size() < level_ + 2) return nowhere;
  return {path.substr(prefix_of(parts, level_).size()), ""};
}

std::string archive_stem(const std::string& name) {
  auto stem = name;
  while (is_archive_name(stem)) stem.resize(stem.rfind('.'));
  return stem;
}

std::optional<std::size_t> level_above_numbers(const std::vector<std::string>& paths) {
  const auto is_number = [](const std::string& part) {
    return part.find_first_not_of("0123456789") == std::string::npos;
  };
  for (std::size_t level = 0; level < kDeepestLevel; ++level) {
    const bool has_numbers = std::ranges::all_of(paths, [&](const std::string& path) {
      const auto parts = parts_of(path);
      return is_by_the_way(path) || !is_work_file(path) ||
             (parts.size() > level + 2 && is_number(parts[level + 1]));
    });
    if (has_numbers) return level;
  }
  return std::nullopt;
}

bool is_like_an_assignment(const std::string& folder) {
  // A number follows these.
  static const auto kNumbered = squashed_set({"lab",
                                              "labs",
                                              "labor",
                                              "laboratory",
                                              "assignment",
                                              "homework",
                                              "hw",
                                              "exercise",
                                              "sheet",
                                              "problem set",
                                              "project",
                                              "task",
                                              "week",
                                              "unit",
                                              "section",
                                              "module",
                                              "chapter",
                                              "lecture",
                                              "übung",
                                              "uebung",
                                              "blatt",
                                              "tp",
                                              "übungsblatt",
                                              "aufgabe",
                                              "aufgabenblatt",
                                              "abgabe",
                                              "hausaufgabe",
                                              "praktikum",
                                              "td",
                                              "woche",
                                              "devoir",
                                              "exercice",
                                              "práctica",
                                              "tarea",
                                              "ejercicio",
                                              "laboratorio",
                                              "esercizio",
                                              "compito",
                                              "oefening",
                                              "opdracht",
                                              "zadanie",
                                              "ćwiczenie",
                                              "лабораторная",
                                              "лабораторная работа",
                                              "задание",
                                              "упражнение",
                                              "лаба",
                                              "εργαστήριο",
                                              "άσκηση",
                                              "作业",
                                              "实验",
                                              "課題",
                                              "과제",
                                              "مختبر",
                                              "تمرين",
                                              "واجب",
                                              "ödev"});
  static const auto kAlone = squashed_set(
      {"submissions", "submission",  "submitted", "submitted files", "students", "assignments",
       "homework",    "labs",        "class",     "export",          "download", "downloads",
       "abgaben",     "studierende", "entregas",  "rendus",          "consegne", "работы",
       "作业",        "提交"});
  const auto name = squashed_text(folder);
  if (kAlone.contains(name)) return true;
  constexpr std::size_t kMostDigits = 3;
  auto stem = name;
  while (!stem.empty() && stem.back() >= '0' && stem.back() <= '9') stem.pop_back();
  const auto digits = name.size() - stem.size();
  return digits > 0 && digits <= kMostDigits && kNumbered.contains(stem);
}

namespace {

// What is at one level of an export.
struct LevelContent {
  std::set<std::string> folders;   // With work in them.
  std::set<std::string> archives;  // Without their suffixes.
  bool has_files = false;          // Work outside of archives.
  std::vector<std::string> below;  // Paths from these folders on.
};

LevelContent content_of(const std::vector<std::string>& paths) {
  LevelContent out;
  for (const auto& path : paths) {
    const auto cut = path.find('/');
    if (cut != std::string::npos) {
      out.folders.insert(path.substr(0, cut));
      out.below.push_back(path.substr(cut + 1));
    } else if (is_archive_name(path)) {
      out.archives.insert(archive_stem(path));
    } else {
      out.has_files = true;
    }
  }
  return out;
}

}  // namespace

std::vector<LevelChoice> doubtful_levels(const std::vector<std::string>& paths,
                                         const std::set<std::string>& course) {
  std::vector<std::string> work;
  std::ranges::copy_if(paths, std::back_inserter(work), [](const std::string& path) {
    return is_work_file(path) && path.find('/') != std::string::npos;
  });
  auto now = content_of(work);
  const bool has_student = std::ranges::any_of(now.folders, [&](const std::string& folder) {
    return !course.contains(folder) && !is_like_an_assignment(folder);
  });
  if (now.folders.empty() || (now.folders.size() > 1 && has_student)) return {};
  const auto is_of_a_student = [&](const std::string& folder) {
    return course.contains(folder) || (has_student && is_like_an_attempt(folder));
  };
  std::vector<LevelChoice> out = {{0, {now.folders.begin(), now.folders.end()}}};
  for (std::size_t level = 1; level < kDeepestLevel; ++level) {
    now = content_of(now.below);
    // A student may have one archive, and several of them may be students'.
    auto names = now.folders;
    if (now.archives.size() > 1) names.insert(now.archives.begin(), now.archives.end());
    if (now.has_files || names.empty() || std::ranges::any_of(names, is_of_a_student)) break;
    if (std::ranges::all_of(names, is_like_an_assignment)) continue;
    out.push_back({level, {names.begin(), names.end()}});
    if (names.size() > 1) break;
  }
  if (out.size() == 1 && has_student) return {};
  // A folder that is called after an assignment is the last that comes to mind.
  if (!has_student) std::rotate(out.begin(), out.begin() + 1, out.end());
  return out;
}

std::vector<std::string> folders_like_students(const std::vector<std::string>& paths,
                                               const std::set<std::string>& course) {
  std::map<std::string, std::set<std::string>> folders;  // By the name of a file in them.
  for (const auto& path : paths) {
    const auto cut = path.find('/');
    if (cut == std::string::npos || !is_work_file(path)) continue;
    const auto folder = path.substr(0, cut);
    if (is_like_an_attempt(folder) || course.contains(folder)) continue;
    folders[ascii_lower(path.substr(path.rfind('/') + 1))].insert(folder);
  }
  std::set<std::string> out;
  for (const auto& [file, those] : folders) {
    if (those.size() > 1) out.insert(those.begin(), those.end());
  }
  return {out.begin(), out.end()};
}

}  // namespace warpgrade::grader::class_book
