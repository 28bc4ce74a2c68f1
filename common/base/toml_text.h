// SPDX-License-Identifier: Apache-2.0
// TOML text to a table, and its mistakes with their places. What a table must hold, its readers
// say.
#pragma once

#include <toml++/toml.h>

#include <string>
#include <string_view>

#include "common/base/diagnostic.h"
#include "common/base/error.h"

namespace warpgrade::base {

/// A mistake in a TOML file; what() begins with the place.
class TomlError : public UsageError {
 public:
  TomlError(SourceLocation where, std::string why);
  const SourceLocation& where() const { return where_; }
  const std::string& why() const { return why_; }

 private:
  SourceLocation where_;
  std::string why_;
};

/// Parses `text`, which messages call `shown`; a syntax error is a TomlError.
toml::table parse_toml(std::string_view text, const std::string& shown);

/// The place at which `region` begins.
SourceLocation place_in(const std::string& file, const toml::source_region& region);

/// "a string", "a whole number", ...: for messages.
std::string_view type_name(const toml::node& node);

/// Throws a TomlError.
[[noreturn]] void fail_at(const SourceLocation& where, const std::string& why);

}  // namespace warpgrade::base
