// SPDX-License-Identifier: Apache-2.0
// The step of a book's schema that keeps whose work is whose: see book_steps.h.
#pragma once

namespace warpgrade::grader {

extern const char* const kIdentityStep;

}  // namespace warpgrade::grader
