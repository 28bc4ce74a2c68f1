// SPDX-License-Identifier: Apache-2.0
// What has become of one student's work for one exercise.
//
// The book keeps it as text in the column `verdict` of its views; this is the type that the program
// decides by. Reports, pages and exports have the name again.
#pragma once

#include <cstdint>
#include <string_view>

namespace warpgrade::grader {

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

}  // namespace warpgrade::grader
