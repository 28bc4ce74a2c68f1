// SPDX-License-Identifier: Apache-2.0
// The step of a book's schema that adds extensions, excuses and bonuses, and the deadline of each
// attempt. book_steps.cpp has the other steps.
#pragma once

namespace warpgrade::grader {

extern const char* const kExceptionsStep;

}  // namespace warpgrade::grader
