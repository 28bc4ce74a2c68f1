// SPDX-License-Identifier: Apache-2.0
// Text in a form in which the spellings of one name are equal: composed, in lower case, with one
// space between words. Platforms write names in lower case (Canvas) or with other spaces.
#pragma once

#include <string>
#include <string_view>

namespace warpgrade::grader::text {

/// Latin, Greek and Cyrillic letters become lowercase; other characters stay.
std::string folded_text(std::string_view text);

/// Only the letters and digits of folded_text(): "Team 1" and "team_1" are "team1".
std::string squashed_text(std::string_view text);

}  // namespace warpgrade::grader::text
