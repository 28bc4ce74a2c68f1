// SPDX-License-Identifier: Apache-2.0
#include "grader/class/book_schema.h"

#include <fmt/format.h>

#include <string>
#include <vector>

#include "common/base/error.h"
#include "grader/class/book_steps.h"

namespace warpgrade::grader::class_book {
namespace {

// "wgbk": distinguishes a book from other SQLite files (PRAGMA application_id).
constexpr std::int64_t kApplication = 0x7767626b;

std::int64_t pragma(Sqlite& database, const char* name) {
  Statement ask(database, fmt::format("PRAGMA {}", name));
  return ask.step() ? ask.integer(0) : 0;
}

// The number of steps that the book has completed.
std::int64_t book_version(Sqlite& database) {
  const auto version = pragma(database, "user_version");
  const auto application = pragma(database, "application_id");
  Statement tables(database, "SELECT count(*) FROM sqlite_schema");
  const bool is_empty = tables.step() && tables.integer(0) == 0;
  if (application != kApplication && !is_empty) {
    throw base::ToolError("this SQLite file is not a book of warpgrade; name another file");
  }
  const auto known = static_cast<std::int64_t>(book_steps().size());
  if (version > known) {
    throw base::ToolError(fmt::format(
        "the book is of version {}, and this program knows those up to {}: use a later warpgrade",
        version, known));
  }
  return version;
}

// Steps change the tables that views read, and views of earlier programs may differ.
void drop_views(Sqlite& database) {
  std::vector<std::string> names;
  Statement ask(database, "SELECT name FROM sqlite_schema WHERE type = 'view'");
  while (ask.step()) names.push_back(ask.text(0));
  for (const auto& one : names) database.run(fmt::format("DROP VIEW \"{}\"", one));
}

}  // namespace

void migrate_book(Sqlite& database) {
  const auto version = book_version(database);
  if (version == static_cast<std::int64_t>(book_steps().size())) return;
  Transaction all(database);
  drop_views(database);
  for (auto step = static_cast<std::size_t>(book_version(database)); step < book_steps().size();
       ++step) {
    database.run(std::string(book_steps()[step].text));
  }
  database.run(std::string(book_views()));
  database.run(fmt::format("PRAGMA application_id = {}", kApplication));
  database.run(fmt::format("PRAGMA user_version = {}", book_steps().size()));
  all.commit();
}

void expect_book(Sqlite& database) {
  if (book_version(database) != static_cast<std::int64_t>(book_steps().size())) {
    throw base::ToolError("the book is of an earlier version: `class run` brings it up to date");
  }
}

}  // namespace warpgrade::grader::class_book
