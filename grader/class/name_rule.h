// SPDX-License-Identifier: Apache-2.0
// The rule for an LMS's file names: a regular expression (PCRE2) with the named groups `student`
// and `exercise`, and optionally `time` and `lab`.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warpgrade::grader::class_book {

/// The parts that a rule finds in a name; a group that is missing or did not match is empty.
struct NameParts {
  std::string student;
  std::string lab;
  std::string exercise;
  std::string time;
};

class NameRule {
 public:
  /// Throws base::UsageError with the place of a mistake in the expression, or if it has no group
  /// `student`. An expression without `exercise` is for archives alone.
  explicit NameRule(const std::string& expression);

  /// Looks in the last part of `path` ("/" between parts), then in the whole; returns nullopt if
  /// neither matches. Gives up on a name if matching takes too many steps.
  std::optional<NameParts> match(std::string_view path) const;

  /// The groups `names` of a match in the whole of `text`, empty if they did not take part.
  std::optional<std::vector<std::string>> groups(std::string_view text,
                                                 const std::vector<const char*>& names) const;

 private:
  std::optional<NameParts> match_text(std::string_view text) const;

  std::shared_ptr<void> code_;
};

/// Whether `name` has the pattern's form: "*" is any text, "?" one byte.
bool fits_pattern(std::string_view pattern, std::string_view name);

}  // namespace warpgrade::grader::class_book
