// SPDX-License-Identifier: Apache-2.0
// The schema of a book, as steps from one version to the next; docs/class.md explains it for people
// who ask in SQL. `PRAGMA user_version` holds the number of steps that were made. A step is never
// changed once it was released: a change of the schema is one more.
#pragma once

#include "grader/class/sqlite.h"

namespace warpgrade::grader {

/// Brings a book, new or old, to this program's version; all steps or none. Throws base::ToolError
/// where the book is of a later program or no book at all.
void migrate_book(Sqlite& database);

/// The same for a book that is only read: throws where it is not of this version.
void expect_book(Sqlite& database);

}  // namespace warpgrade::grader
