// SPDX-License-Identifier: Apache-2.0
// Reads the gates of an exercise: the entries of its manifest, and the guards of their presets
// (gate_reader.h).
// In: the gates of an exercise's table, its cases and the course's vocabulary. Out: one gate for
// each device in `on`; with `each`, one for each measured case.
// Texts can contain {device}, {card}, {case}, the case's variables and the preset's parameters.
// Bounds can use the sizes of the exercise's buffers. Guards that are not listed precede the
// first gate on speed.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "grader/course/exercise.h"
#include "grader/course/vocabulary.h"
#include "grader/text/toml_reader.h"

namespace warpgrade::grader::course {

// The keys of manifests, and a value of each for messages.
//
// Readers report keys that they did not read (Table::finish). These lists are checked earlier,
// because `like` or `use` would silently replace a misspelt key by an inherited value.
// docs/manifest.md describes the same keys.

std::span<const std::string_view> exercise_keys();

const text::KeyExamples& lab_examples();
/// Examples for an exercise and the tables in it.
const text::KeyExamples& exercise_examples();

/// Throws base::UsageError with the nearest key if `table` has one that is not in `known`.
void refuse_unknown_keys(const text::Table& table, std::span<const std::string_view> known);

// Gate presets of a course: labs/gates.toml, one table [NAME] per preset.
//
// A preset has the keys of a gate and three more: `parameters`, values for {name} in its texts,
// which a gate can override; `guards`, presets whose gates it adds; `like`, a preset that supplies
// missing keys. docs/manifest.md describes the keys.

class GatePresets {
 public:
  /// No presets; messages report that `shown` has none.
  explicit GatePresets(std::string shown) : shown_(std::move(shown)) {}
  /// The presets in `text`. Throws base::UsageError if it is not TOML, or if a preset has an
  /// unknown key, or is like a missing preset or itself.
  GatePresets(std::string_view text, std::string shown);

  /// Adds the keys of the preset `name` that `gate` lacks. Throws base::UsageError with the
  /// nearest name if `name` is unknown.
  void complete(text::Table& gate, const std::string& name) const;

  std::vector<std::string> names() const;
  bool has(const std::string& name) const { return root_.contains(name); }
  /// "unknown preset `x`", with the nearest name.
  std::string unknown(const std::string& name) const;

 private:
  text::Table preset(const std::string& name) const;
  void inherit_like(text::Table& table, std::string name) const;

  std::string shown_;
  toml::table root_;
};

/// The presets of the course in `root`; none without labs/gates.toml.
GatePresets read_gate_presets(const std::filesystem::path& root);

/// Reads `gates` and `change` of an exercise's table into `out`, whose parameters and cases are
/// known; throws base::UsageError at the first mistake.
void read_gates(text::Table& table, const Vocabulary& vocabulary, KernelExercise& out);

/// The choice of `device` among values by device, with the placeholders {device} and {card}.
text::Choice choice_on(const std::string& device, const Vocabulary& vocabulary);

/// Throws base::UsageError with the nearest name if `given` is not one of `names`.
void check_known(const text::Table& table, std::string_view key, const std::string& given,
                 const std::vector<std::string>& names);

}  // namespace warpgrade::grader::course
