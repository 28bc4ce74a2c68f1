// SPDX-License-Identifier: Apache-2.0
// The SQL of a book's schema, one text for each step from a version to the next. A released step
// never changes: a change of the schema is one more step.
#pragma once

#include <span>

namespace warpgrade::grader {

std::span<const char* const> book_steps();

}  // namespace warpgrade::grader
