// SPDX-License-Identifier: Apache-2.0
// The gates that a course has ready: labs/gates.toml, a table [NAME] each.
//
// A preset has the keys of a gate, and of its own: `parameters`, texts and numbers by name that
// stand as {name} in its other texts and that a use may give otherwise; `guards`, presets whose
// gates come along; `like`, another preset, from which it takes the keys that it lacks. Presets are
// data: to add one is to write a table. docs/manifest.md has the keys.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "grader/text/toml_reader.h"

namespace warpgrade::grader {

class GatePresets {
 public:
  /// No presets; messages say that `shown` has none.
  explicit GatePresets(std::string shown) : shown_(std::move(shown)) {}
  /// Those in `text`; throws base::UsageError where it is no TOML, or where a preset has a key that
  /// no gate has, or is like one that is not there, or like itself.
  GatePresets(std::string_view text, std::string shown);

  /// Lets `gate`, whose `use` names a preset, lie on it; throws base::UsageError with the nearest
  /// name where there is no such one.
  void lay_below(Table& gate, const std::string& name) const;

  std::vector<std::string> names() const;

 private:
  Table preset(const std::string& name) const;
  void add_below(Table& table, std::string name) const;

  std::string shown_;
  toml::table root_;
};

/// The presets of the course in `root`; none where it has no labs/gates.toml.
GatePresets read_gate_presets(const std::filesystem::path& root);

}  // namespace warpgrade::grader
