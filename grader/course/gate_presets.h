// SPDX-License-Identifier: Apache-2.0
// Gate presets of a course: labs/gates.toml, one table [NAME] per preset.
//
// A preset has the keys of a gate and three more: `parameters`, values for {name} in its texts,
// which a gate can override; `guards`, presets whose gates it adds; `like`, a preset that supplies
// missing keys. docs/manifest.md describes the keys.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "grader/text/toml_reader.h"

namespace warpgrade::grader::course {

class GatePresets {
 public:
  /// No presets; messages report that `shown` has none.
  explicit GatePresets(std::string shown) : shown_(std::move(shown)) {}
  /// The presets in `text`. Throws base::UsageError if it is not TOML, or if a preset has an
  /// unknown key, or is like a missing preset or itself.
  GatePresets(std::string_view text, std::string shown);

  /// Gives `gate` the keys of the preset `name` that it lacks. Throws base::UsageError with the
  /// nearest name if `name` is unknown.
  void lay_below(text::Table& gate, const std::string& name) const;

  std::vector<std::string> names() const;

 private:
  text::Table preset(const std::string& name) const;
  void add_below(text::Table& table, std::string name) const;

  std::string shown_;
  toml::table root_;
};

/// The presets of the course in `root`; none without labs/gates.toml.
GatePresets read_gate_presets(const std::filesystem::path& root);

}  // namespace warpgrade::grader::course
