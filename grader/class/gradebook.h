// SPDX-License-Identifier: Apache-2.0
// The roster of a class: a platform's own export of its gradebook, or any CSV file.
//
// In: an export of Canvas, Moodle, Blackboard or Brightspace, or a CSV file whose first row names
// the columns. Out: the enrolled students; later the same file with points in the exercises'
// columns.
// Only edited cells change. Quotes, line ends, byte-order mark and UTF-16 stay, so the platform
// can import its file again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "grader/class/book_file.h"
#include "grader/class/column_titles.h"
#include "grader/report/formats/class_grades.h"

namespace warpgrade::grader::class_book {

/// A CSV file that is written back unchanged except for edited cells. The separator is the most
/// frequent of comma, semicolon and tab in the first row.
class CsvTable {
 public:
  CsvTable() = default;
  /// Reads UTF-8, or UTF-16 with a byte-order mark.
  explicit CsvTable(std::string_view bytes);

  std::size_t rows() const { return rows_.size(); }
  std::size_t columns(std::size_t row) const { return rows_[row].cells.size(); }
  /// The text of a cell without its quotes; empty if the row has no such cell.
  std::string text(std::size_t row, std::size_t column) const;
  /// Replaces a cell, quoted if the first row's cells or the text require it.
  void put(std::size_t row, std::size_t column, std::string_view text);
  /// Adds an empty cell before `column` to each row that has that many cells.
  void insert_column(std::size_t column);
  void remove_column(std::size_t column);
  std::string bytes() const;

 private:
  struct Row {
    std::vector<std::string> cells;  // As in the file, with quotes.
    std::string end;
  };
  std::vector<Row> rows_;
  std::string mark_;
  bool is_utf16_ = false;
  bool is_quoted_ = false;
  char separator_ = ',';
};

/// A student of the roster; missing fields are empty.
struct Enrolled {
  std::string student;  ///< The key in the book: unique in the roster.
  std::string name;     ///< "Jane Doe"
  std::string login;
  std::string number;  ///< The school's.
  std::string id;      ///< The platform's own: Canvas' ID, Moodle's participant.
  std::string email;
  std::string first_name;
  std::string last_name;
  std::string modified = {};  ///< When Moodle received the work, as its worksheet shows it.
};

enum class GradebookKind : std::uint8_t { kPlain, kCanvas, kMoodle, kBlackboard, kBrightspace };
/// "csv", "canvas", "moodle", "blackboard" or "brightspace".
std::string_view name(GradebookKind kind);

struct Gradebook {
  GradebookKind kind = GradebookKind::kPlain;
  CsvTable table;
  std::vector<Enrolled> students;
  std::vector<std::size_t> rows;  ///< In `table`, one for each student.
  std::size_t header = 0;         ///< The row that names the columns.
  std::map<ColumnMeaning, std::size_t> meanings;

  /// The column of that title, with or without the platform's additions.
  std::optional<std::size_t> column_called(std::string_view title) const;
  /// The titles of all columns.
  std::vector<std::string> titles() const;
};

/// Throws base::UsageError with the row if no column distinguishes two students. `own`: titles
/// that class.toml gives.
Gradebook read_gradebook(std::string_view bytes, const std::string& shown,
                         const IdentityTitles& own = {});

/// The roster that the last run took into the book.
std::optional<Gradebook> roster_of(Sqlite& book);

/// A cell that the platform marks as excused, in the column of an exercise or of a lab.
struct ExcusedCell {
  std::string student;
  std::string exercise;  ///< "lab/exercise" or "lab".
  std::size_t row = 0;   ///< In the file, from 1.
};

/// Exercises are pairs of lab and name; `titles` is the same as for fill_gradebook().
std::vector<ExcusedCell> excused_cells(
    const Gradebook& book, const std::vector<std::pair<std::string, std::string>>& exercises,
    const std::map<std::string, std::string>& titles);

/// How points become those of a column with another maximum.
enum class PointScale : std::uint8_t {
  kPoints,  ///< As they are.
  kColumn,  ///< In proportion to the column's maximum.
};

/// A column with a maximum that differs from that of its exercises.
struct OtherMaximum {
  std::string exercise;  ///< "lab/exercise" or "lab".
  std::string title;
  double points = 0;  ///< The most of the exercises.
  double column = 0;  ///< The most of the column.
};

std::vector<OtherMaximum> other_maxima(const Gradebook& book,
                                       const std::vector<report::ClassGrade>& grades,
                                       const std::map<std::string, std::string>& titles);

/// "copy: its column `Grade` counts 100 points, and the exercise has 10: ...".
std::string described(const OtherMaximum& one, PointScale scale);

/// How a gradebook is filled in.
struct FillRules {
  std::map<std::string, std::string> titles;  ///< Columns' titles by "lab/exercise" or "lab".
  PointScale scale = PointScale::kPoints;
  std::map<std::string, std::string> feedback = {};  ///< Text for each student.
  /// Leaves out the columns that the platform's import refuses: Brightspace's takes keys and
  /// grades, and no names and addresses
  /// (community.d2l.com/brightspace/kb/articles/3538-importing-grades).
  bool is_for_import = false;
};

/// The file with points filled in. An exercise's column is the one in `titles` by "lab/exercise" or
/// "lab", or has its name; a lab's column gets the sum of its exercises. Exercises without a column
/// get a new one. Open and excused work is blank (Canvas: "EX" if excused); a cell that the
/// platform marks as excused is kept. A column for feedback gets its text if the cell is empty.
std::string fill_gradebook(Gradebook book, const std::vector<report::ClassGrade>& grades,
                           const FillRules& rules);

/// First and last name: of "Doe, Jane" by the comma, of "Jane Doe" by the last space.
std::pair<std::string, std::string> split_name(const std::string& name);

/// Whether a text can be a student's name: 1 to 128 bytes of valid UTF-8 without control characters
/// and '/', no "." and "..".
bool is_student_name(std::string_view text);

}  // namespace warpgrade::grader::class_book
