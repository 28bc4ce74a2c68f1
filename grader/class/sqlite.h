// SPDX-License-Identifier: Apache-2.0
// SQLite as two small classes: a database, and a statement whose parameters are bound in order and
// whose rows are stepped through. Every failure is a base::ToolError that names the file.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

struct sqlite3;
struct sqlite3_stmt;

namespace warpgrade::grader::class_book {

class Sqlite {
 public:
  enum class Open { kWrite, kRead };
  /// Opens `file`, and creates it for writing if it is missing. Throws base::ToolError.
  Sqlite(const std::filesystem::path& file, Open how);

  /// Runs statements without parameters and rows.
  void run(const std::string& sql);
  std::int64_t last_row() const;
  [[noreturn]] void fail() const;
  sqlite3* handle() const { return handle_.get(); }

 private:
  std::string shown_;
  std::shared_ptr<sqlite3> handle_;
};

class Statement {
 public:
  Statement(Sqlite& database, std::string_view sql);

  /// Binds the next parameter.
  Statement& bind(std::string_view text);
  Statement& bind(const char* text) { return bind(std::string_view(text)); }
  Statement& bind(const std::string& text) { return bind(std::string_view(text)); }
  Statement& bind(std::int64_t value);
  Statement& bind(double value);
  Statement& bind_bytes(std::string_view bytes);
  /// Steps to the next row; false after the last one.
  bool step();
  /// Runs a statement that has no rows, and makes it ready for other parameters.
  void run();

  std::string text(int column) const;
  std::int64_t integer(int column) const;
  double number(int column) const;
  bool is_null(int column) const;

 private:
  Sqlite* database_;
  std::shared_ptr<sqlite3_stmt> handle_;
  int next_ = 1;
};

/// Rolls back its statements unless commit() is called.
class Transaction {
 public:
  explicit Transaction(Sqlite& database) : database_(database) { database_.run("BEGIN IMMEDIATE"); }
  ~Transaction();
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  void commit();

 private:
  Sqlite& database_;
  bool done_ = false;
};

}  // namespace warpgrade::grader::class_book
