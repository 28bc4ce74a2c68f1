// SPDX-License-Identifier: Apache-2.0
#include "grader/class/near_copies.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <span>
#include <system_error>

#include "grader/class/similarity.h"
#include "grader/report/formats/class_grade.h"
#include "grader/text/files.h"
#include "grader/text/suggestions.h"

namespace warpgrade::grader::class_book {
namespace {

namespace fs = std::filesystem;

// The course's own files for an exercise.
std::vector<std::string> given_sources(const course::Course& course, const course::Lab& lab,
                                       const course::Exercise& exercise) {
  std::vector<std::string> out;
  const auto add = [&](const fs::path& file) {
    std::error_code ignored;
    if (fs::is_regular_file(file, ignored)) out.push_back(text::read_file(file, file.string()));
  };
  const auto solutions = course.root / "solutions" / lab.id;
  add(lab.folder / exercise.file_name());
  add(lab.folder / "reference.cu");
  add(solutions / exercise.file_name());
  std::error_code error;
  for (fs::directory_iterator it(solutions / "wrong", error), end; !error && it != end;
       it.increment(error)) {
    if (it->path().filename().string().starts_with(exercise.id + "_")) add(it->path());
  }
  return out;
}

// The counted contents of an exercise, and the students with each.
struct Contents {
  std::vector<std::string> texts;
  std::vector<std::vector<std::string>> students;
};

Contents read_contents(Sqlite& book, const std::string& lab, const std::string& exercise) {
  Contents out;
  std::map<std::string, std::size_t> places;
  Statement ask(book,
                "SELECT bundle, student FROM standing WHERE lab = :lab AND exercise = :exercise "
                "AND bundle IS NOT NULL ORDER BY student");
  ask.bind(":lab", lab).bind(":exercise", exercise);
  while (ask.step()) {
    const auto [place, is_new] = places.try_emplace(ask.text(0), out.texts.size());
    if (is_new) {
      Statement files(book, "SELECT bytes FROM bundle_file WHERE bundle = :bundle ORDER BY place");
      files.bind(":bundle", ask.text(0));
      auto& text = out.texts.emplace_back();
      while (files.step()) text += files.text(0) + '\n';
      out.students.emplace_back();
    }
    out.students[place->second].push_back(ask.text(1));
  }
  return out;
}

void add_copies(const std::string& exercise, const Contents& contents,
                const std::vector<std::string>& given, std::vector<NearCopy>& out) {
  for (std::size_t i = 0; i < contents.texts.size(); ++i) {
    const bool is_given = std::any_of(given.begin(), given.end(), [&](const std::string& text) {
      return text + '\n' == contents.texts[i];
    });
    if (contents.students[i].size() < 2 || is_given) continue;
    out.push_back({exercise, contents.students[i], {}, 1, 0, 0, 0});
  }
  for (const auto& pair : similar_pairs(contents.texts, given)) {
    out.push_back({exercise, contents.students[pair.first], contents.students[pair.second],
                   pair.share, pair.shared, pair.first_line, pair.second_line});
  }
}

}  // namespace

std::vector<NearCopy> near_copies(Sqlite& book, const course::Course& course) {
  std::vector<NearCopy> out;
  for (const auto& lab : course.labs) {
    for (const auto& exercise : lab.exercises) {
      if (exercise.kernel() == nullptr) continue;
      const auto contents = read_contents(book, lab.id, exercise.id);
      if (contents.texts.empty()) continue;
      add_copies(lab.id + "/" + exercise.id, contents, given_sources(course, lab, exercise), out);
    }
  }
  return out;
}

std::string similar_csv(const std::vector<NearCopy>& copies) {
  auto out = report::csv_line(
      {"exercise", "students", "other_students", "share", "shared", "line", "other_line"});
  for (const auto& one : copies) {
    const auto names = [](const std::vector<std::string>& list) {
      return report::csv_name(text::joined(std::span<const std::string>(list), " "));
    };
    out += report::csv_line({one.exercise, names(one.students), names(one.other_students),
                             fmt::format("{:.2f}", one.share), std::to_string(one.shared),
                             std::to_string(one.line), std::to_string(one.other_line)});
  }
  return out;
}

}  // namespace warpgrade::grader::class_book
