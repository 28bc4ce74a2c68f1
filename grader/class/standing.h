// SPDX-License-Identifier: Apache-2.0
// The standing of a student in one exercise: graded, open, missing or excused.
//
// The book stores its name in the column `verdict` of its views, and reports, pages and exports
// show the name. The program decides by this type.
#pragma once

#include <cstdint>
#include <string_view>

namespace warpgrade::grader::class_book {

enum class Standing : std::uint8_t {
  kUngraded,  ///< No grade and no reason yet.
  kPass,
  kFail,
  kInconclusive,
  kError,
  kOpen,     ///< Received, and without a grade for a reason.
  kMissing,  ///< Nothing was received.
  kNotDue,   ///< Nothing was received before the deadline has passed.
  kExcused,
};

/// "pass", "fail", "inconclusive", "error", "open", "missing", "not due", "excused"; empty for
/// kUngraded.
std::string_view name(Standing standing);

/// The standing of that name; kUngraded for any other text.
Standing standing_called(std::string_view name);

}  // namespace warpgrade::grader::class_book
