// SPDX-License-Identifier: Apache-2.0
// Names in messages: "did you mean", and lists of what there is.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace warpgrade::grader {

/// ", did you mean `x`?" where one of `candidates` is near to `word`, else empty.
std::string did_you_mean(std::string_view word, std::span<const std::string_view> candidates);
std::string did_you_mean(std::string_view word, std::span<const std::string> candidates);

/// "a, b, c".
std::string joined(std::span<const std::string_view> names, std::string_view separator = ", ");
std::string joined(std::span<const std::string> names, std::string_view separator = ", ");

}  // namespace warpgrade::grader
