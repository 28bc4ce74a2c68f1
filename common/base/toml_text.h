// SPDX-License-Identifier: Apache-2.0
// Parses TOML text to a table and reports errors with their places. Readers check the content of
// tables.
#pragma once

#include <toml++/toml.h>

#include <string>
#include <string_view>

#include "common/base/diagnostic.h"
#include "common/base/error.h"

namespace warpgrade::base {

/// An error in a TOML file; what() begins with the place.
class TomlError : public UsageError {
 public:
  TomlError(SourceLocation where, std::string why);
  const SourceLocation& where() const { return where_; }
  const std::string& why() const { return why_; }

 private:
  SourceLocation where_;
  std::string why_;
};

/// Parses `text`; messages call it `shown`. A syntax error is a TomlError.
toml::table parse_toml(std::string_view text, const std::string& shown);

/// The start of `region`.
SourceLocation place_in(const std::string& file, const toml::source_region& region);

/// "a string", "a whole number", ..., for messages.
std::string_view type_name(const toml::node& node);

/// Throws a TomlError.
[[noreturn]] void fail_at(const SourceLocation& where, const std::string& why);

}  // namespace warpgrade::base
