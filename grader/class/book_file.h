// SPDX-License-Identifier: Apache-2.0
// The file of a book: SQLite with named parameters and transactions, the lock of its one writer,
// and its schema.
//
// docs/class.md explains the schema for people who query it. The lock ends with its process,
// however that ends.
#pragma once

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>
#include <SQLiteCpp/Transaction.h>

#include <concepts>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/base/error.h"

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
  /// The first column of all further rows.
  std::vector<std::string> texts();
  /// Runs a statement that has no rows, and resets it.
  void run();
  /// Makes the statement ready for other parameters.
  void reset();

  std::string text(int column) const;
  std::int64_t integer(int column) const;
  double number(int column) const;
  bool is_null(int column) const;
  /// Nullopt for NULL.
  std::optional<double> number_or_null(int column) const;

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

/// Lets one process at a time write a book.
class Lock {
 public:
  /// Throws base::UsageError if another process holds the lock, base::ToolError if locking fails.
  explicit Lock(const std::filesystem::path& file);
  ~Lock();
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;

 private:
  int descriptor_ = -1;
};

/// Makes the tables of an empty file, in one transaction; else as expect_book().
void make_book(Sqlite& database);

/// Throws base::ToolError if the file is not a book of this program's version.
void expect_book(Sqlite& database);

/// The value of `name` in the table `setting`.
std::optional<std::string> setting(Sqlite& book, const std::string& name);

/// The error of a command for a student who is not in the book, with the nearest one who is.
base::UsageError unknown_student(Sqlite& book, const std::string& student);

}  // namespace warpgrade::grader::class_book
