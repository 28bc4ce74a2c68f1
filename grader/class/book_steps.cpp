// SPDX-License-Identifier: Apache-2.0
#include "grader/class/book_steps.h"

#include "grader/class/schema_files.h"

namespace warpgrade::grader::class_book {

// The last file has the views.
std::span<const base::EmbeddedFile> book_steps() {
  return std::span<const base::EmbeddedFile>(kSchemaFiles).first(std::size(kSchemaFiles) - 1);
}

std::string_view book_views() { return std::span(kSchemaFiles).back().text; }

}  // namespace warpgrade::grader::class_book
