// SPDX-License-Identifier: Apache-2.0
// A CSV file that is written back unchanged except for edited cells. It keeps quotes, line ends,
// byte-order mark and UTF-16, so that the platform that exported the file can import it again. The
// separator is the most frequent of comma, semicolon and tab in the first row.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace warpgrade::grader::class_book {

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

}  // namespace warpgrade::grader::class_book
