// SPDX-License-Identifier: Apache-2.0
// SQLiteCpp for the grade book: opening, statements with named parameters, and transactions. Every
// failure is a base::ToolError that names the file.
#pragma once

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>
#include <SQLiteCpp/Transaction.h>

#include <concepts>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace warpgrade::grader::class_book {

/// Must outlive its statements and transactions.
class Sqlite {
 public:
  enum class Open { kWrite, kRead };
  /// Opens `file`, and creates it for writing if it is missing. Throws base::ToolError.
  Sqlite(const std::filesystem::path& file, Open how);

  /// Runs statements without parameters and rows.
  void run(const std::string& sql);
  std::int64_t last_row() const { return database_.getLastInsertRowid(); }

 private:
  friend class Statement;
  friend class Transaction;
  /// Returns `call()`, with SQLite's exceptions as base::ToolError.
  template <typename Call>
  auto checked(Call call) const;

  std::string shown_;
  SQLite::Database database_;
};

class Statement {
 public:
  Statement(Sqlite& database, const std::string& sql);

  /// Binds the parameter `name`, which includes its colon. Parameters without a value are NULL.
  Statement& bind(const char* name, std::string_view text);
  Statement& bind(const char* name, double value);
  Statement& bind(const char* name, std::int64_t value);
  Statement& bind(const char* name, std::integral auto value) {
    return bind(name, static_cast<std::int64_t>(value));
  }
  Statement& bind_bytes(const char* name, std::string_view bytes);
  /// Steps to the next row; false after the last one.
  bool step();
  /// Runs a statement that has no rows, and resets it.
  void run();
  /// Makes the statement ready for other parameters.
  void reset();

  std::string text(int column) const;
  std::int64_t integer(int column) const;
  double number(int column) const;
  bool is_null(int column) const;

 private:
  SQLite::Column cell(int column) const;

  Sqlite& database_;
  SQLite::Statement statement_;
};

/// Rolls back its statements unless commit() is called.
class Transaction {
 public:
  explicit Transaction(Sqlite& database);
  void commit();

 private:
  Sqlite& database_;
  SQLite::Transaction transaction_;
};

}  // namespace warpgrade::grader::class_book
