// SPDX-License-Identifier: Apache-2.0
// The file of a book: SQLite, the lock of its writer, and the schema.
//
// In: a file, and the SQL of schema/. Out: an open database of this program's version. Every
// failure is a base::ToolError that names the file. A book of another version is refused.
#include "grader/class/book_file.h"

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>
#include <SQLiteCpp/Transaction.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sqlite3.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "common/base/embedded_file.h"
#include "common/base/error.h"
#include "common/base/text.h"
#include "grader/class/names.h"
#include "grader/class/schema_files.h"
#include "grader/text/messages.h"

namespace warpgrade::grader::class_book {
namespace {

constexpr int kPatienceMilliseconds = 10'000;  // while another process reads or writes

// Advice for the user about an error; may be empty.
std::string sqlite_advice(int code, int system_error) {
  if ((code & 0xff) == SQLITE_FULL || system_error == ENOSPC || system_error == EDQUOT) {
    return "; the disk is full: free some space and run the same command again; it continues";
  }
  switch (code & 0xff) {
    case SQLITE_READONLY:
    case SQLITE_PERM:
    case SQLITE_CANTOPEN:
      return "; the book and its folder must be there and may be written";
    case SQLITE_BUSY:
      return "; another program works on it: end that, or wait";
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
      return "; name another file, or put back a copy";
    default:
      return {};
  }
}

// SQLite reads a book with a log through files that it creates beside it. In a read-only folder it
// can still read a book without a log, since no process writes it.
bool is_read_alone(const std::filesystem::path& file) {
  const auto folder = file.has_parent_path() ? file.parent_path() : std::filesystem::path(".");
  auto log = file;
  log += "-wal";
  std::error_code ignored;
  const bool has_log =
      std::filesystem::exists(log, ignored) && std::filesystem::file_size(log, ignored) > 0;
  return access(folder.c_str(), W_OK) != 0 && !has_log;
}

SQLite::Database open_book(const std::filesystem::path& file, Sqlite::Open how) {
  if (how == Sqlite::Open::kWrite) {
    return {file.string(), SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, kPatienceMilliseconds};
  }
  if (!is_read_alone(file)) return {file.string(), SQLITE_OPEN_READONLY, kPatienceMilliseconds};
  // A URI that opens the file without files beside it.
  return {"file:" + url_path(file.string()) + "?immutable=1",
          SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, kPatienceMilliseconds};
}

base::ToolError book_error(const std::string& shown, const SQLite::Exception& error,
                           int system_error) {
  return base::ToolError(fmt::format("the book {}: {}{}", shown, error.what(),
                                     sqlite_advice(error.getErrorCode(), system_error)));
}

}  // namespace

template <typename Call>
auto Sqlite::checked(Call call) const {
  try {
    return call();
  } catch (const SQLite::Exception& error) {
    throw book_error(shown_, error, sqlite3_system_errno(database_.getHandle()));
  }
}

Sqlite::Sqlite(const std::filesystem::path& file, Open how) try
    : shown_(base::escape_controls(file.string())), database_(open_book(file, how)) {
} catch (const SQLite::Exception& error) {
  throw book_error(base::escape_controls(file.string()), error, 0);
}

void Sqlite::run(const std::string& sql) {
  checked([&] { database_.exec(sql); });
}

Statement::Statement(Sqlite& database, const std::string& sql)
    : database_(database),
      statement_(database.checked([&] { return SQLite::Statement(database.database_, sql); })) {}

Statement& Statement::bind(const char* name, std::string_view text) {
  database_.checked([&] { statement_.bind(name, std::string(text)); });
  return *this;
}

Statement& Statement::bind(const char* name, double value) {
  database_.checked([&] { statement_.bind(name, value); });
  return *this;
}

Statement& Statement::bind(const char* name, std::int64_t value) {
  database_.checked([&] { statement_.bind(name, value); });
  return *this;
}

Statement& Statement::bind_bytes(const char* name, std::string_view bytes) {
  const auto* const data = bytes.empty() ? "" : bytes.data();  // A null pointer would bind NULL.
  database_.checked([&] { statement_.bind(name, data, static_cast<int>(bytes.size())); });
  return *this;
}

bool Statement::step() {
  return database_.checked([&] { return statement_.executeStep(); });
}

std::vector<std::string> Statement::texts() {
  std::vector<std::string> out;
  while (step()) out.push_back(text(0));
  return out;
}

void Statement::run() {
  database_.checked([&] { statement_.exec(); });
  reset();
}

void Statement::reset() {
  database_.checked([&] {
    statement_.reset();
    statement_.clearBindings();
  });
}

SQLite::Column Statement::cell(int column) const {
  return database_.checked([&] { return statement_.getColumn(column); });
}

std::string Statement::text(int column) const { return cell(column).getString(); }

std::int64_t Statement::integer(int column) const { return cell(column).getInt64(); }

double Statement::number(int column) const { return cell(column).getDouble(); }

bool Statement::is_null(int column) const { return cell(column).isNull(); }

std::optional<double> Statement::number_or_null(int column) const {
  return is_null(column) ? std::nullopt : std::optional(number(column));
}

Transaction::Transaction(Sqlite& database)
    : database_(database), transaction_(database.checked([&] {
        return SQLite::Transaction(database.database_, SQLite::TransactionBehavior::IMMEDIATE);
      })) {}

void Transaction::commit() {
  database_.checked([&] { transaction_.commit(); });
}

Lock::Lock(const std::filesystem::path& file)
    : descriptor_(open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666)) {
  const auto shown = base::escape_controls(file.string());
  if (descriptor_ < 0) {
    throw base::ToolError(fmt::format("{}: cannot be written: {}", shown, std::strerror(errno)));
  }
  if (flock(descriptor_, LOCK_EX | LOCK_NB) == 0) return;
  const int error = errno;
  close(descriptor_);
  if (error == EWOULDBLOCK) {
    throw base::UsageError(
        fmt::format("another `class run` works on this book now (it holds {})", shown));
  }
  throw base::ToolError(fmt::format("{}: cannot be locked: {}", shown, std::strerror(error)));
}

Lock::~Lock() { close(descriptor_); }

namespace {

// "wgbk": distinguishes a book from other SQLite files (PRAGMA application_id).
constexpr std::int64_t kApplication = 0x7767626b;
// PRAGMA user_version. A change of a table or a view needs a new one.
constexpr std::int64_t kVersion = 7;

std::int64_t pragma(Sqlite& database, const char* name) {
  Statement ask(database, fmt::format("PRAGMA {}", name));
  return ask.step() ? ask.integer(0) : 0;
}

bool is_empty(Sqlite& database) {
  Statement tables(database, "SELECT count(*) FROM sqlite_schema");
  return tables.step() && tables.integer(0) == 0;
}

}  // namespace

void make_book(Sqlite& database) {
  if (!is_empty(database)) return expect_book(database);
  Transaction all(database);
  for (const auto& file : kSchemaFiles) database.run(std::string(file.text));
  database.run(fmt::format("PRAGMA application_id = {}", kApplication));
  database.run(fmt::format("PRAGMA user_version = {}", kVersion));
  all.commit();
}

void expect_book(Sqlite& database) {
  if (pragma(database, "application_id") != kApplication) {
    throw base::ToolError("this SQLite file is not a book of warpgrade; name another file");
  }
  const auto version = pragma(database, "user_version");
  if (version == kVersion) return;
  throw base::ToolError(fmt::format(
      "the book is of version {}, and this program reads version {}: export its grades with the "
      "program that wrote it (`warpgrade class export BOOK`), and grade into a new book",
      version, kVersion));
}

std::optional<std::string> setting(Sqlite& book, const std::string& name) {
  Statement ask(book, "SELECT value FROM setting WHERE name = :name");
  if (!ask.bind(":name", name).step()) return std::nullopt;
  return ask.text(0);
}

base::UsageError unknown_student(Sqlite& book, const std::string& student) {
  Statement ask(book, "SELECT student FROM class_student ORDER BY 1");
  return base::UsageError(fmt::format("the book has no student {}{}",
                                      base::escape_controls(student),
                                      text::did_you_mean(student, ask.texts())));
}

}  // namespace warpgrade::grader::class_book
