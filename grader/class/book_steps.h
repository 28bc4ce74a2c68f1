// SPDX-License-Identifier: Apache-2.0
// The schema of a book as SQL: the steps from an empty file to this program's version, and the
// views of that version. They are the files in schema/. A released step is never changed; a change
// of the schema is a further step.
#pragma once

#include <span>
#include <string_view>

#include "common/base/embedded_file.h"

namespace warpgrade::grader::class_book {

/// Each makes or changes tables, indices and triggers.
std::span<const base::EmbeddedFile> book_steps();

/// Makes all views of a book that has completed all steps and has no views.
std::string_view book_views();

}  // namespace warpgrade::grader::class_book
