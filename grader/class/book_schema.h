// SPDX-License-Identifier: Apache-2.0
// The schema of a book, as steps from one version to the next; docs/class.md explains it for people
// who query it. `PRAGMA user_version` holds the number of completed steps. A released step never
// changes: every change of the schema is a new step.
#pragma once

#include "grader/class/sqlite.h"

namespace warpgrade::grader::class_book {

/// Migrates a book, new or old, to this program's version, in one transaction. Throws
/// base::ToolError if a later program wrote the book or the file is not a book.
void migrate_book(Sqlite& database);

/// Checks a book that is only read. Throws base::ToolError if its version differs.
void expect_book(Sqlite& database);

}  // namespace warpgrade::grader::class_book
