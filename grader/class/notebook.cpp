// SPDX-License-Identifier: Apache-2.0
#include "grader/class/notebook.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "common/base/text.h"
#include "grader/class/hand_in.h"
#include "grader/class/names.h"
#include "grader/course/course.h"

namespace warpgrade::grader::class_book {
namespace {

using NotebookJson = nlohmann::json;

// A code cell that begins with a magic: its words, and the text below.
struct Cell {
  std::size_t number = 0;  // From 1, of all cells.
  std::vector<std::string> words;
  std::string text;
};

// A notebook's text is one string, or a list of lines.
std::string text_of(const NotebookJson& source) {
  if (source.is_string()) return source.get<std::string>();
  std::string out;
  if (!source.is_array()) return out;
  for (const auto& line : source) {
    if (line.is_string()) out += line.get<std::string>();
  }
  return out;
}

// Nullopt if the bytes are not a notebook.
std::optional<std::vector<Cell>> cells_of(const std::string& bytes) {
  const auto parsed = NotebookJson::parse(bytes, nullptr, /*allow_exceptions=*/false);
  if (!parsed.is_object()) return std::nullopt;
  // Version 3 of the format has its cells in worksheets.
  const NotebookJson* cells = parsed.contains("cells") ? &parsed["cells"] : nullptr;
  if (cells == nullptr && parsed.contains("worksheets") && parsed["worksheets"].is_array() &&
      !parsed["worksheets"].empty() && parsed["worksheets"][0].is_object() &&
      parsed["worksheets"][0].contains("cells")) {
    cells = &parsed["worksheets"][0]["cells"];
  }
  if (cells == nullptr || !cells->is_array()) return std::nullopt;
  std::vector<Cell> out;
  std::size_t number = 0;
  for (const auto& one : *cells) {
    ++number;
    if (!one.is_object() || one.value("cell_type", NotebookJson()) != "code") continue;
    auto text =
        text_of(one.contains("source") ? one["source"] : one.value("input", NotebookJson()));
    const auto begin = text.find_first_not_of(" \t\r\n");
    if (begin == std::string::npos || text.compare(begin, 2, "%%") != 0) continue;
    const auto end = std::min(text.find('\n', begin), text.size());
    std::istringstream line(text.substr(begin + 2, end - begin - 2));
    Cell cell{number, {}, text.substr(std::min(end + 1, text.size()))};
    for (std::string word; line >> word;) cell.words.push_back(word);
    if (!cell.words.empty()) out.push_back(std::move(cell));
  }
  return out;
}

// The first word that is neither an option nor the value of one of %%grade's, which all have one.
std::string exercise_in(const Cell& cell) {
  for (std::size_t i = 1; i < cell.words.size(); ++i) {
    const auto& word = cell.words[i];
    if (!word.starts_with("--")) return word;
    if (word.find('=') == std::string::npos) ++i;
  }
  return {};
}

bool has_main(const std::string& source) {
  static const NameRule kMain(R"((?m)^\s*(?:int|auto|void)\s+main\s*\((?<student>))");
  return kMain.groups(source, {}).has_value();
}

// The work of one notebook.
class NotebookReader {
 public:
  NotebookReader(const course::Course& course, const std::vector<course::Selected>& selected)
      : course_(course), selected_(selected) {}

  void read(const std::vector<Cell>& cells) {
    for (const auto& cell : cells) {
      if (cell.words[0] == "grade") take_grade(cell);
      if (cell.words[0] == "writefile" || cell.words[0] == "file") take_file(cell);
    }
    for (const auto& cell : cells) {
      if (cell.words[0] == "cu" || cell.words[0] == "cuda") take_kernel(cell);
    }
  }

  /// Names in the notebook, with the texts.
  const std::map<std::string, std::string>& files() const { return files_; }
  /// Cells that may be work and are not read: why.
  const std::vector<std::string>& doubts() const { return doubts_; }

 private:
  static std::string path_of(const course::Selected& one) {
    return one.lab->id + "/" + one.exercise->file_name();
  }

  void take_grade(const Cell& cell) {
    const auto asked = exercise_in(cell);
    const auto found = named_exercise(course_, asked);
    if (!found) {
      doubts_.push_back(fmt::format("its cell {} has %%grade {}, which the course does not have",
                                    cell.number, base::escape_controls(asked)));
      return;
    }
    files_[path_of(*found)] = cell.text;
    graded_[path_of(*found)] = true;
  }

  void take_file(const Cell& cell) {
    const bool continues = std::ranges::any_of(
        cell.words, [](const auto& word) { return word == "-a" || word == "--append"; });
    const auto& name = cell.words.back();
    if (cell.words.size() < 2 || name.starts_with("-") || name.find("..") != std::string::npos) {
      return;
    }
    // A cell with %%grade is the submission of its exercise.
    const auto exercise = named_exercise(course_, name);
    const auto path = exercise ? path_of(*exercise) : name;
    if (graded_.contains(path)) return;
    if (continues) {
      files_[path] += cell.text;
    } else {
      files_[path] = cell.text;
    }
  }

  void take_kernel(const Cell& cell) {
    const auto fits = loosely_named(selected_, "cell.cu", cell.text);
    if (!fits) return;
    const auto path = path_of(fits->exercise);
    if (files_.contains(path) && !of_kernel_.contains(path)) return;
    if (has_main(cell.text)) {
      doubts_.push_back(
          fmt::format("its cell {} is a whole program with main(); hand in the kernel "
                      "alone, in a cell that begins with %%grade {}/{}",
                      cell.number, fits->exercise.lab->id, fits->exercise.exercise->id));
      return;
    }
    files_[path] = cell.text;
    of_kernel_[path] = true;
  }

  const course::Course& course_;
  const std::vector<course::Selected>& selected_;
  std::map<std::string, std::string> files_;
  std::map<std::string, bool> graded_;
  std::map<std::string, bool> of_kernel_;
  std::vector<std::string> doubts_;
};

}  // namespace

bool is_notebook(std::string_view path) { return ascii_lower(path).ends_with(".ipynb"); }

void take_notebooks(const course::Course& course, const std::vector<course::Selected>& selected,
                    const std::string& student, const std::string& source,
                    std::vector<FoundFile>& files, HandedIn& out) {
  std::vector<FoundFile> others;
  std::vector<FoundFile> notebooks;
  for (auto& file : files) {
    const bool is_read =
        is_notebook(file.path) && file.refused.empty() && !is_by_the_way(file.path);
    (is_read ? notebooks : others).push_back(std::move(file));
  }
  files = std::move(others);
  for (auto& notebook : notebooks) {
    const auto shown =
        notebook.shown.empty() ? source + shown_name_of(notebook.path) : notebook.shown;
    ReceivedFile row;
    row.student = student;
    row.path = shown;
    row.name = shown_name_of(notebook.path);
    row.time = notebook.time;
    row.size = notebook.bytes.size();
    row.sha256 = base::sha256_hex(notebook.bytes);
    NotebookReader reader(course, selected);
    const auto cells = cells_of(notebook.bytes);
    if (cells) reader.read(*cells);
    const bool has_work = std::ranges::any_of(
        reader.files(), [](const auto& file) { return may_be_work(file.first); });
    row.state = has_work && reader.doubts().empty() ? FileState::kPart : FileState::kOpen;
    if (!cells) {
      row.reason = "it is not a notebook (JSON with a list of cells)";
    } else if (!reader.doubts().empty()) {
      row.reason = fmt::format("{}", reader.doubts().front());
    } else if (!has_work) {
      row.reason =
          "no cell of it is work: a submission begins with %%grade LAB/EXERCISE, %%writefile "
          "FILE.cu "
          "or %%cu";
    } else {
      row.reason = fmt::format("unpacked: {}", base::counted(reader.files().size(), "cell"));
    }
    // In a class with one exercise, a notebook without work is for that one.
    if (row.state == FileState::kOpen && !has_work && selected.size() == 1) {
      row.lab = selected.front().lab->id;
      row.exercise = selected.front().exercise->id;
    }
    if (row.state == FileState::kOpen) out.problems.push_back({student, shown, row.reason, true});
    out.received.push_back(std::move(row));
    for (const auto& [name, text] : reader.files()) {
      FoundFile one;
      one.path = notebook.path + "/" + name;
      one.bytes = text;
      one.time = notebook.time;
      one.shown = shown + "/" + shown_name_of(name);
      one.late_mark = notebook.late_mark;
      one.number = notebook.number;
      files.push_back(std::move(one));
    }
  }
}

}  // namespace warpgrade::grader::class_book
