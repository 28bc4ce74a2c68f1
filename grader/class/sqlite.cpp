// SPDX-License-Identifier: Apache-2.0
#include "grader/class/sqlite.h"

#include <fmt/format.h>
#include <sqlite3.h>
#include <unistd.h>

#include <cctype>
#include <cerrno>
#include <system_error>

#include "common/base/error.h"
#include "common/base/text.h"

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

// The URI of `file` to which SQLite's options can be added.
std::string sqlite_uri(const std::filesystem::path& file) {
  std::string out = "file:";
  for (const char c : file.string()) {
    const bool plain = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '/' || c == '.' ||
                       c == '-' || c == '_';
    out += plain ? std::string(1, c) : fmt::format("%{:02x}", static_cast<unsigned char>(c));
  }
  return out + "?immutable=1";
}

}  // namespace

Sqlite::Sqlite(const std::filesystem::path& file, Open how)
    : shown_(base::escape_controls(file.string())) {
  sqlite3* handle = nullptr;
  const bool alone = how == Open::kRead && is_read_alone(file);
  const int flags = how == Open::kRead ? SQLITE_OPEN_READONLY | (alone ? SQLITE_OPEN_URI : 0)
                                       : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
  const auto name = alone ? sqlite_uri(file) : file.string();
  const int state = sqlite3_open_v2(name.c_str(), &handle, flags, nullptr);
  handle_ = std::shared_ptr<sqlite3>(handle, sqlite3_close_v2);
  if (state != SQLITE_OK) fail();
  sqlite3_busy_timeout(handle, kPatienceMilliseconds);
  sqlite3_extended_result_codes(handle, 1);
}

void Sqlite::fail() const {
  if (!handle_) {
    throw base::ToolError(fmt::format("the book {}: there is not enough memory", shown_));
  }
  auto* handle = handle_.get();
  throw base::ToolError(
      fmt::format("the book {}: {}{}", shown_, sqlite3_errmsg(handle),
                  sqlite_advice(sqlite3_errcode(handle), sqlite3_system_errno(handle))));
}

void Sqlite::run(const std::string& sql) {
  if (sqlite3_exec(handle_.get(), sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK) fail();
}

std::int64_t Sqlite::last_row() const { return sqlite3_last_insert_rowid(handle_.get()); }

Statement::Statement(Sqlite& database, std::string_view sql) : database_(&database) {
  sqlite3_stmt* handle = nullptr;
  const int state = sqlite3_prepare_v2(database.handle(), sql.data(), static_cast<int>(sql.size()),
                                       &handle, nullptr);
  handle_ = std::shared_ptr<sqlite3_stmt>(handle, sqlite3_finalize);
  if (state != SQLITE_OK) database.fail();
}

Statement& Statement::bind(std::string_view text) {
  sqlite3_bind_text64(handle_.get(), next_++, text.data(), text.size(), SQLITE_TRANSIENT,
                      SQLITE_UTF8);
  return *this;
}

Statement& Statement::bind(std::int64_t value) {
  sqlite3_bind_int64(handle_.get(), next_++, value);
  return *this;
}

Statement& Statement::bind(double value) {
  sqlite3_bind_double(handle_.get(), next_++, value);
  return *this;
}

Statement& Statement::bind_bytes(std::string_view bytes) {
  sqlite3_bind_blob64(handle_.get(), next_++, bytes.empty() ? "" : bytes.data(), bytes.size(),
                      SQLITE_TRANSIENT);
  return *this;
}

bool Statement::step() {
  const int state = sqlite3_step(handle_.get());
  if (state == SQLITE_ROW) return true;
  if (state != SQLITE_DONE) {
    // The message belongs to the connection, so it is read before the next call.
    database_->fail();
  }
  return false;
}

void Statement::run() {
  while (step()) {
  }
  sqlite3_reset(handle_.get());
  sqlite3_clear_bindings(handle_.get());
  next_ = 1;
}

std::string Statement::text(int column) const {
  const auto* bytes = static_cast<const char*>(sqlite3_column_blob(handle_.get(), column));
  const auto size = static_cast<std::size_t>(sqlite3_column_bytes(handle_.get(), column));
  return bytes == nullptr ? std::string() : std::string(bytes, size);
}

std::int64_t Statement::integer(int column) const {
  return sqlite3_column_int64(handle_.get(), column);
}

double Statement::number(int column) const { return sqlite3_column_double(handle_.get(), column); }

bool Statement::is_null(int column) const {
  return sqlite3_column_type(handle_.get(), column) == SQLITE_NULL;
}

Transaction::~Transaction() {
  if (!done_) sqlite3_exec(database_.handle(), "ROLLBACK", nullptr, nullptr, nullptr);
}

void Transaction::commit() {
  database_.run("COMMIT");
  done_ = true;
}

}  // namespace warpgrade::grader::class_book
