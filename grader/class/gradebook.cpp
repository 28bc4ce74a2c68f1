// SPDX-License-Identifier: Apache-2.0
#include "grader/class/gradebook.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "common/base/error.h"
#include "common/base/text.h"
#include "common/base/utf8.h"
#include "grader/class/names.h"
#include "grader/report/formats/class_grades.h"

namespace warpgrade::grader::class_book {
namespace {

constexpr std::string_view kUtf8Mark = "\xef\xbb\xbf";
constexpr std::string_view kUtf16Mark = "\xff\xfe";

// Valid UTF-8 as UTF-16 of little-endian order.
std::string utf16_of(std::string_view text) {
  std::string out;
  const auto put = [&](std::uint32_t unit) {
    out += static_cast<char>(unit & 0xffU);
    out += static_cast<char>(unit >> 8U);
  };
  while (!text.empty()) {
    const auto length = std::max(base::utf8_length(text), std::size_t{1});
    const auto code = static_cast<std::uint32_t>(base::first_code_point(text, length));
    text.remove_prefix(length);
    if (code >= 0x10000) {
      put(0xd800 + ((code - 0x10000) >> 10U));
      put(0xdc00 + ((code - 0x10000) & 0x3ffU));
    } else {
      put(code);
    }
  }
  return out;
}

char separator_of(std::string_view text) {
  std::size_t counts[3] = {0, 0, 0};
  constexpr std::string_view kSeparators = ",;\t";
  bool is_quoted = false;
  for (const char c : text) {
    if (c == '"') is_quoted = !is_quoted;
    if (is_quoted) continue;
    if (c == '\n') break;
    if (const auto at = kSeparators.find(c); at != std::string_view::npos) ++counts[at];
  }
  return kSeparators[static_cast<std::size_t>(std::max_element(counts, counts + 3) - counts)];
}

}  // namespace

CsvTable::CsvTable(std::string_view bytes) {
  std::string converted;
  if (bytes.starts_with(kUtf16Mark)) {
    is_utf16_ = true;
    mark_ = kUtf16Mark;
    converted = base::utf8_of_utf16(bytes).value_or("");
    bytes = converted;
  } else if (bytes.starts_with(kUtf8Mark)) {
    mark_ = kUtf8Mark;
    bytes.remove_prefix(kUtf8Mark.size());
  }
  separator_ = separator_of(bytes);
  is_quoted_ = bytes.starts_with('"');
  bool in_quotes = false;
  bool at_start = true;
  for (const char c : bytes) {
    if (at_start) rows_.push_back({{""}, ""});
    at_start = false;
    auto& row = rows_.back();
    if (c == '"') in_quotes = !in_quotes;
    if (in_quotes || (c != separator_ && c != '\n')) {
      row.cells.back() += c;
    } else if (c == separator_) {
      row.cells.emplace_back();
    } else {
      auto& last = row.cells.back();
      row.end = last.ends_with('\r') ? "\r\n" : "\n";
      if (last.ends_with('\r')) last.pop_back();
      at_start = true;
    }
  }
}

std::string CsvTable::text(std::size_t row, std::size_t column) const {
  if (row >= rows_.size() || column >= rows_[row].cells.size()) return {};
  const auto& raw = rows_[row].cells[column];
  std::string out;
  bool in_quotes = false;
  for (std::size_t i = 0; i < raw.size(); ++i) {
    if (raw[i] != '"') {
      out += raw[i];
    } else if (in_quotes && i + 1 < raw.size() && raw[i + 1] == '"') {
      out += raw[i++];
    } else {
      in_quotes = !in_quotes;
    }
  }
  return out;
}

void CsvTable::put(std::size_t row, std::size_t column, std::string_view text) {
  auto& cells = rows_[row].cells;
  if (column >= cells.size()) cells.resize(column + 1);
  const bool is_quoted = is_quoted_ || cells[column].starts_with('"') ||
                         text.find_first_of("\",;\t\r\n") != std::string_view::npos;
  std::string raw;
  for (const char c : text) raw += c == '"' ? std::string("\"\"") : std::string(1, c);
  cells[column] = is_quoted ? "\"" + raw + "\"" : raw;
}

void CsvTable::insert_column(std::size_t column) {
  for (auto& row : rows_) {
    if (row.cells.size() < column || (row.cells.size() == 1 && row.cells[0].empty())) continue;
    row.cells.insert(row.cells.begin() + static_cast<std::ptrdiff_t>(column),
                     is_quoted_ ? "\"\"" : "");
  }
}

void CsvTable::remove_column(std::size_t column) {
  for (auto& row : rows_) {
    if (row.cells.size() <= column) continue;
    row.cells.erase(row.cells.begin() + static_cast<std::ptrdiff_t>(column));
  }
}

std::string CsvTable::bytes() const {
  std::string out;
  for (const auto& row : rows_) {
    for (std::size_t i = 0; i < row.cells.size(); ++i) {
      if (i > 0) out += separator_;
      out += row.cells[i];
    }
    out += row.end;
  }
  return mark_ + (is_utf16_ ? utf16_of(out) : out);
}

namespace {

constexpr std::array<std::string_view, 5> kKinds = {"csv", "canvas", "moodle", "blackboard",
                                                    "brightspace"};

std::string trimmed(std::string_view text) { return std::string(base::trimmed(text)); }

// Only letters and digits, so that "Coalescing: copy" is "coalescing/copy".
std::string squashed(std::string_view text) {
  std::string out;
  for (const char c : ascii_lower(text)) {
    if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || static_cast<unsigned char>(c) > 127) {
      out += c;
    }
  }
  return out;
}

GradebookKind kind_of(const Gradebook& book) {
  std::set<std::string> titles;
  for (const auto& one : book.titles()) titles.insert(ascii_lower(one));
  const auto has = [&](const char* title) { return titles.contains(title); };
  const auto means = [&](ColumnMeaning meaning) { return book.meanings.contains(meaning); };
  if (has("orgdefinedid") || has("end-of-line indicator")) return GradebookKind::kBrightspace;
  // Canvas can give the names in two columns.
  const bool has_name = means(ColumnMeaning::kStudent) || has("lastname");
  if (has_name && means(ColumnMeaning::kId) && has("section")) return GradebookKind::kCanvas;
  if (has("student id") && has("username") && means(ColumnMeaning::kLast)) {
    return GradebookKind::kBlackboard;
  }
  // GitHub Classroom's roster has a column of that name, too.
  if (has("github_username")) return GradebookKind::kPlain;
  if (has("identifier") || has("id number")) return GradebookKind::kMoodle;
  // The grading worksheet, in any language and also without names.
  const bool is_worksheet = means(ColumnMeaning::kId) &&
                            (means(ColumnMeaning::kMaximum) || means(ColumnMeaning::kModified));
  const bool is_export =
      means(ColumnMeaning::kFirst) && means(ColumnMeaning::kLast) && means(ColumnMeaning::kEmail);
  if ((is_worksheet || is_export) && !means(ColumnMeaning::kStudent)) return GradebookKind::kMoodle;
  return GradebookKind::kPlain;
}

// "Participant 301", "Teilnehmer/in301": the number that Moodle gave.
std::string participant_number(const std::string& text) {
  const auto digits = text.find_first_of("0123456789");
  if (digits == std::string::npos) return text;
  const bool is_number = text.find_first_not_of("0123456789", digits) == std::string::npos;
  return is_number ? text.substr(digits) : text;
}

class GradebookReader {
 public:
  GradebookReader(std::string_view bytes, const std::string& shown, const IdentityTitles& own)
      : shown_(shown) {
    out_.table = CsvTable(bytes);
    if (out_.table.rows() == 0) {
      throw base::UsageError(fmt::format("{}:1: the roster is empty", shown_));
    }
    decode_cells();
    std::vector<std::string> titles;
    for (std::size_t i = 0; i < out_.table.columns(out_.header); ++i) {
      titles.push_back(cell_at(out_.header, i));
    }
    out_.meanings = meanings_of(titles, own);
    out_.kind = kind_of(out_);
    constexpr std::array kNaming = {ColumnMeaning::kStudent, ColumnMeaning::kLogin,
                                    ColumnMeaning::kNumber,  ColumnMeaning::kEmail,
                                    ColumnMeaning::kName,    ColumnMeaning::kLast};
    const auto has = [&](ColumnMeaning one) { return out_.meanings.contains(one); };
    // In a worksheet with blind marking, Moodle's numbers are all that names the students.
    const bool is_blind = out_.kind == GradebookKind::kMoodle && has(ColumnMeaning::kId);
    if (is_blind || std::ranges::any_of(kNaming, has)) return;
    throw base::UsageError(fmt::format(
        "{}:1: no column names the students; the columns are {}. Tell which one does in "
        "class.toml: "
        "[columns] identity = {{ login = \"TITLE\" }} (or student, name, number, email, id)",
        shown_, base::escape_controls(fmt::format("`{}`", fmt::join(titles, "`, `")))));
  }

  Gradebook read() {
    for (std::size_t row = out_.header + 1; row < out_.table.rows(); ++row) add(row);
    for (const auto& one : out_.students) ++names_[one.name];
    for (std::size_t i = 0; i < out_.students.size(); ++i) name_key(out_.students[i], out_.rows[i]);
    return std::move(out_);
  }

 private:
  // A spreadsheet writes CSV files in a code page of its machine. The file itself keeps its bytes.
  void decode_cells() {
    for (std::size_t row = 0; row < out_.table.rows(); ++row) {
      for (std::size_t i = 0; i < out_.table.columns(row); ++i) {
        const auto text = trimmed(out_.table.text(row, i));
        if (base::replace_invalid_utf8(text) != text) decoded_[text] = text;
      }
    }
    std::vector<std::string*> cells;
    for (auto& one : decoded_) cells.push_back(&one.second);
    if (!cells.empty()) decode_legacy_cells(cells);
  }

  std::string cell(std::size_t row, ColumnMeaning meaning) const {
    const auto column = out_.meanings.find(meaning);
    return column == out_.meanings.end() ? std::string() : cell_at(row, column->second);
  }

  std::string cell_at(std::size_t row, std::size_t column) const {
    auto text = trimmed(out_.table.text(row, column));
    if (const auto found = decoded_.find(text); found != decoded_.end()) text = found->second;
    return base::escape_controls(composed_text(text));
  }

  void add(std::size_t row) {
    Enrolled one;
    const bool is_canvas = out_.kind == GradebookKind::kCanvas;
    const auto student = cell(row, ColumnMeaning::kStudent);
    one.login = cell(row, ColumnMeaning::kLogin);
    one.number = cell(row, ColumnMeaning::kNumber);
    one.id = cell(row, ColumnMeaning::kId);
    one.email = cell(row, ColumnMeaning::kEmail);
    if (out_.kind == GradebookKind::kBrightspace) {
      // Brightspace writes "#" before both, so that spreadsheets read them as text.
      if (one.login.starts_with('#')) one.login.erase(0, 1);
      if (one.number.starts_with('#')) one.number.erase(0, 1);
    }
    if (out_.kind == GradebookKind::kMoodle) {
      one.id = participant_number(one.id);
      one.modified = cell(row, ColumnMeaning::kModified);
    }
    one.first_name = cell(row, ColumnMeaning::kFirst);
    one.last_name = cell(row, ColumnMeaning::kLast);
    one.name = is_canvas ? student : cell(row, ColumnMeaning::kName);
    if (one.first_name.empty() && one.last_name.empty()) {
      std::tie(one.first_name, one.last_name) = split_name(one.name);
    }
    if (is_canvas || one.name.empty()) one.name = trimmed(one.first_name + " " + one.last_name);
    if (!is_canvas) one.student = student;
    // Canvas has rows of its own below the titles, and a student for tests at the end.
    const bool is_own = is_canvas && (one.id.empty() || one.name == "Test Student");
    const bool is_empty = one.name.empty() && one.student.empty() && one.login.empty() &&
                          one.number.empty() && one.email.empty() && one.id.empty();
    bool is_blank = true;
    for (std::size_t i = 0; i < out_.table.columns(row); ++i) {
      is_blank = is_blank && trimmed(out_.table.text(row, i)).empty();
    }
    if (is_own || is_blank || (is_empty && out_.kind != GradebookKind::kPlain)) return;
    out_.students.push_back(std::move(one));
    out_.rows.push_back(row);
  }

  // The login or the name if it is unique, or another unique field.
  void name_key(Enrolled& one, std::size_t row) {
    const auto name = names_[one.name] == 1 ? one.name : "";
    const bool has_key =
        out_.meanings.contains(ColumnMeaning::kStudent) && out_.kind != GradebookKind::kCanvas;
    std::vector<std::string> choices = {one.login, name, one.email, one.number, one.id};
    if (has_key) choices = {one.student};
    bool is_known = false;
    for (const auto& choice : choices) {
      if (!is_student_name(choice)) continue;
      one.student = choice;
      if (keys_.insert(choice).second) return;
      is_known = true;
    }
    if (is_known) {
      throw base::UsageError(fmt::format("{}: row {} names {} a second time", shown_, row + 1,
                                         base::escape_controls(one.student)));
    }
    throw base::UsageError(
        fmt::format("{}: row {} has no student's name{}", shown_, row + 1,
                    one.name.empty() ? "" : " that tells this student from another of that name"));
  }

  const std::string& shown_;
  Gradebook out_;
  std::map<std::string, std::string> decoded_;  // Cells that are not UTF-8.
  std::map<std::string, int> names_;
  std::set<std::string> keys_;
};

}  // namespace

std::string_view name(GradebookKind kind) { return kKinds.at(static_cast<std::size_t>(kind)); }

std::pair<std::string, std::string> split_name(const std::string& name) {
  if (const auto comma = name.find(','); comma != std::string::npos) {
    return {trimmed(name.substr(comma + 1)), trimmed(name.substr(0, comma))};
  }
  const auto space = name.rfind(' ');
  if (space == std::string::npos) return {"", name};
  return {name.substr(0, space), name.substr(space + 1)};
}

std::optional<std::size_t> Gradebook::column_called(std::string_view title) const {
  const auto wanted = squashed(title);
  for (std::size_t i = 0; i < table.columns(header); ++i) {
    const auto full = trimmed(table.text(header, i));
    // "Title (12345)" of Canvas, "Assignment: Title (Real)" of Moodle, "Title [Total Pts: 10 Score]
    // |12345" of Blackboard, "Title Points Grade <Numeric MaxPoints:10>" of Brightspace.
    auto text = full.substr(0, std::min(full.find(" [Total Pts"), full.find(" Points Grade")));
    if (const auto open = text.rfind(" ("); open != std::string::npos && text.ends_with(')')) {
      const auto inner = text.substr(open + 2, text.size() - open - 3);
      const bool is_number = inner.find_first_not_of("0123456789") == std::string::npos;
      if (is_number || inner == "Real") text = text.substr(0, open);
    }
    const auto colon = text.find(':');
    const auto after = colon == std::string::npos ? "" : text.substr(colon + 1);
    if (full == title || text == title) return i;
    if (!wanted.empty() && (squashed(text) == wanted || squashed(after) == wanted)) return i;
  }
  return std::nullopt;
}

std::vector<std::string> Gradebook::titles() const {
  std::vector<std::string> out;
  for (std::size_t i = 0; i < table.columns(header); ++i)
    out.push_back(trimmed(table.text(header, i)));
  return out;
}

Gradebook read_gradebook(std::string_view bytes, const std::string& shown,
                         const IdentityTitles& own) {
  return GradebookReader(bytes, shown, own).read();
}

std::optional<Gradebook> roster_of(Sqlite& book) {
  const auto bytes = setting(book, "roster");
  if (!bytes) return std::nullopt;
  IdentityTitles own;
  Statement ask(book, "SELECT substr(name, 10), value FROM setting WHERE name LIKE 'identity %'");
  while (ask.step()) {
    if (const auto meaning = meaning_called(ask.text(0))) own[*meaning] = ask.text(1);
  }
  return read_gradebook(*bytes, "the roster", own);
}

bool is_student_name(std::string_view text) {
  return !text.empty() && text.size() <= 128 && text != "." && text != ".." &&
         text.find('/') == std::string_view::npos && base::escape_controls(text) == text;
}

namespace {

// Fills points into a platform's own gradebook: see fill_gradebook() in gradebook.h.

struct FilledColumn {
  std::size_t column = 0;
  std::vector<std::size_t> exercises;  // In ClassTable; the cell is their sum.
};

// Canvas writes EX, Blackboard Exempt; a word like these is the instructor's decision.
bool is_excused(std::string text) {
  constexpr std::array<std::string_view, 5> kWords = {"ex", "excused", "exempt", "excluded",
                                                      "exempted"};
  std::erase_if(text, [](char c) { return c == ' '; });
  for (auto& c : text) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return std::ranges::find(kWords, text) != kWords.end();
}

std::size_t new_column(Gradebook& book, const report::ClassGrade& exercise) {
  auto at = book.table.columns(book.header);
  auto title = class_exercise(exercise);
  if (book.kind == GradebookKind::kBrightspace) {
    title += fmt::format(" Points Grade <Numeric MaxPoints:{}>",
                         report::csv_number(exercise.max_points));
    if (const auto end = book.column_called("End-of-Line Indicator")) at = *end;
  }
  book.table.insert_column(at);
  book.table.put(book.header, at, title);
  for (std::size_t row = book.header + 1; row < book.table.rows(); ++row) {
    const auto first = book.table.text(row, 0);
    if (book.kind == GradebookKind::kCanvas && first.find("Points Possible") != first.npos) {
      book.table.put(row, at, report::csv_number(exercise.max_points));
    }
  }
  return at;
}

using ExerciseNames = std::vector<std::pair<std::string, std::string>>;  // Lab and exercise.

// The gradebook's columns of the exercises. Adds the numbers of exercises that have a column to
// `placed`.
std::vector<FilledColumn> existing_columns(const Gradebook& book, const ExerciseNames& exercises,
                                           const std::map<std::string, std::string>& titles,
                                           std::set<std::size_t>& placed) {
  std::vector<FilledColumn> out;
  std::map<std::string, std::vector<std::size_t>> labs;
  std::map<std::string, int> names;
  for (std::size_t i = 0; i < exercises.size(); ++i) {
    labs[exercises[i].first].push_back(i);
    ++names[exercises[i].second];
  }
  const auto titled = [&](const std::string& id) {
    const auto known = titles.find(id);
    return book.column_called(known == titles.end() ? id : known->second);
  };
  for (std::size_t i = 0; i < exercises.size(); ++i) {
    const auto& [lab, exercise] = exercises[i];
    auto column = titled(lab + "/" + exercise);
    if (!column && names[exercise] == 1) column = book.column_called(exercise);
    if (!column) continue;
    placed.insert(i);
    out.push_back({*column, {i}});
  }
  for (const auto& [lab, of_lab] : labs) {
    bool is_free = true;
    for (const auto exercise : of_lab) is_free = is_free && !placed.contains(exercise);
    if (const auto column = is_free ? titled(lab) : std::nullopt) {
      placed.insert(of_lab.begin(), of_lab.end());
      out.push_back({*column, of_lab});
    }
  }
  return out;
}

std::vector<FilledColumn> columns_of(Gradebook& book, const report::ClassTable& table,
                                     const std::map<std::string, std::string>& titles) {
  ExerciseNames names;
  for (const auto* one : table.exercises) names.emplace_back(one->lab, one->exercise);
  // Columns that exist come first: a new one before the end mark would move them.
  std::set<std::size_t> placed;
  auto out = existing_columns(book, names, titles, placed);
  for (std::size_t i = 0; i < table.exercises.size(); ++i) {
    if (!placed.contains(i)) out.push_back({new_column(book, *table.exercises[i]), {i}});
  }
  return out;
}

// The sum of the exercises that the student is not excused from; blank if one of them is open. If
// the student is excused from all of them, the platform's mark: "EX" in Canvas; the imports of the
// others have none.
std::string cell_text(const report::ClassTable::Row& row, const FilledColumn& column,
                      GradebookKind kind, double factor) {
  double sum = 0;
  bool is_excused_from_all = true;
  for (const auto exercise : column.exercises) {
    const auto* cell = row.cells[exercise];
    if (cell != nullptr && cell->excused) continue;
    if (cell == nullptr || !cell->points) return {};
    is_excused_from_all = false;
    sum += *cell->points;
  }
  if (is_excused_from_all) return kind == GradebookKind::kCanvas ? "EX" : "";
  constexpr double kHundredths = 100;
  return report::csv_number(factor == 1 ? sum
                                        : std::round(sum * factor * kHundredths) / kHundredths);
}

// A number as platforms write it, also with a comma; nullopt for other text.
std::optional<double> points_in_cell(std::string text) {
  std::replace(text.begin(), text.end(), ',', '.');
  double out = 0;
  const auto* end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, out);
  return read.ec == std::errc() && read.ptr == end && out > 0 ? std::optional(out) : std::nullopt;
}

// The number behind `mark` in a title.
std::optional<double> number_behind(const std::string& title, std::string_view mark) {
  const auto at = title.find(mark);
  if (at == std::string::npos) return std::nullopt;
  const auto begin = at + mark.size();
  return points_in_cell(
      title.substr(begin, title.find_first_not_of("0123456789.,", begin) - begin));
}

// The most points of a column on the platform; nullopt if the file does not have them.
std::optional<double> maximum_of(const Gradebook& book, std::size_t column) {
  const auto title = book.table.text(book.header, column);
  if (const auto known = number_behind(title, "[Total Pts: ")) return known;
  if (const auto known = number_behind(title, "MaxPoints:")) return known;
  if (book.kind == GradebookKind::kCanvas) {
    for (std::size_t row = book.header + 1; row < book.table.rows(); ++row) {
      if (book.table.text(row, 0).find("Points Possible") == std::string::npos) continue;
      return points_in_cell(trimmed(book.table.text(row, column)));
    }
  }
  // A worksheet of Moodle is for one assignment, whose maximum each row has.
  const auto maximum = book.meanings.find(ColumnMeaning::kMaximum);
  if (maximum == book.meanings.end() || book.rows.empty()) return std::nullopt;
  return points_in_cell(trimmed(book.table.text(book.rows.front(), maximum->second)));
}

double most_of(const report::ClassTable& table, const FilledColumn& column) {
  double out = 0;
  for (const auto exercise : column.exercises) out += table.exercises[exercise]->max_points;
  return out;
}

// Removes the columns with names and addresses.
void remove_names(Gradebook& book) {
  for (auto at = book.table.columns(book.header); at-- > 0;) {
    const bool is_name = std::ranges::any_of(book.meanings, [&](const auto& one) {
      const auto meaning = one.first;
      return one.second == at &&
             (meaning == ColumnMeaning::kName || meaning == ColumnMeaning::kFirst ||
              meaning == ColumnMeaning::kLast || meaning == ColumnMeaning::kEmail);
    });
    if (is_name) book.table.remove_column(at);
  }
}

}  // namespace

std::vector<OtherMaximum> other_maxima(const Gradebook& book,
                                       const std::vector<report::ClassGrade>& grades,
                                       const std::map<std::string, std::string>& titles) {
  const auto table = class_table(grades);
  ExerciseNames names;
  for (const auto* one : table.exercises) names.emplace_back(one->lab, one->exercise);
  std::set<std::size_t> placed;
  std::vector<OtherMaximum> out;
  for (const auto& column : existing_columns(book, names, titles, placed)) {
    const auto maximum = maximum_of(book, column.column);
    const auto most = most_of(table, column);
    if (!maximum || most == 0 || *maximum == most) continue;
    const auto& first = *table.exercises[column.exercises.front()];
    out.push_back({column.exercises.size() > 1 ? first.lab : class_exercise(first),
                   trimmed(book.table.text(book.header, column.column)), most, *maximum});
  }
  return out;
}

std::string described(const OtherMaximum& one, PointScale scale) {
  const auto both = fmt::format("{} has {:g} points, and its column `{}` has {:g}", one.exercise,
                                one.points, base::escape_controls(one.title), one.column);
  if (scale == PointScale::kColumn) return both + ": points are scaled to the column";
  return fmt::format(
      "{}: full points appear there as {:g} of {:g}; set the column's maximum to {:g} on the "
      "platform, or write scale = \"column\" into class.toml",
      both, one.points, one.column, one.points);
}

std::vector<ExcusedCell> excused_cells(
    const Gradebook& book, const std::vector<std::pair<std::string, std::string>>& exercises,
    const std::map<std::string, std::string>& titles) {
  std::vector<ExcusedCell> out;
  std::set<std::size_t> placed;
  for (const auto& column : existing_columns(book, exercises, titles, placed)) {
    const auto& [lab, exercise] = exercises[column.exercises.front()];
    const bool is_labs = column.exercises.size() > 1;
    for (std::size_t i = 0; i < book.students.size(); ++i) {
      if (!is_excused(book.table.text(book.rows[i], column.column))) continue;
      out.push_back(
          {book.students[i].student, is_labs ? lab : lab + "/" + exercise, book.rows[i] + 1});
    }
  }
  return out;
}

std::string fill_gradebook(Gradebook book, const std::vector<report::ClassGrade>& grades,
                           const FillRules& rules) {
  const auto table = class_table(grades);
  std::map<std::string, const report::ClassTable::Row*> by_student;
  for (const auto& row : table.rows) by_student[row.student->student] = &row;
  const auto before_columns = book.table.columns(book.header);
  const auto columns = columns_of(book, table, rules.titles);
  // A new column has the exercise's own maximum.
  std::vector<double> factors;
  for (const auto& each : columns) {
    const auto maximum =
        each.column < before_columns ? maximum_of(book, each.column) : std::nullopt;
    const auto most = most_of(table, each);
    const bool is_scaled = rules.scale == PointScale::kColumn && maximum && most > 0;
    factors.push_back(is_scaled ? *maximum / most : 1);
  }
  const auto feedback = book.meanings.find(ColumnMeaning::kFeedback);
  for (std::size_t i = 0; i < book.students.size(); ++i) {
    const auto student = by_student.find(book.students[i].student);
    if (student == by_student.end()) continue;
    for (std::size_t j = 0; j < columns.size(); ++j) {
      const auto& each = columns[j];
      const auto before = book.table.text(book.rows[i], each.column);
      if (is_excused(before)) continue;
      const auto text = cell_text(*student->second, each, book.kind, factors[j]);
      // Moodle writes "-" for a missing grade.
      if (!text.empty() || before != "-") book.table.put(book.rows[i], each.column, text);
    }
    const auto words = rules.feedback.find(student->first);
    if (feedback == book.meanings.end() || words == rules.feedback.end()) continue;
    if (trimmed(book.table.text(book.rows[i], feedback->second)).empty()) {
      book.table.put(book.rows[i], feedback->second, words->second);
    }
  }
  if (rules.is_for_import && book.kind == GradebookKind::kBrightspace) remove_names(book);
  return book.table.bytes();
}

}  // namespace warpgrade::grader::class_book
