// SPDX-License-Identifier: Apache-2.0
// Text in a form in which two spellings of one name are equal: composed, in small letters, with one
// space between words. Platforms write names in small letters (Canvas) or with other spaces.
#pragma once

#include <string>
#include <string_view>

namespace warpgrade::grader::text {

/// Latin, Greek and Cyrillic letters become small ones; other characters stay.
std::string folded_text(std::string_view text);

/// Only the letters and digits of folded_text(): "Team 1" and "team_1" are "team1".
std::string squashed_text(std::string_view text);

}  // namespace warpgrade::grader::text
