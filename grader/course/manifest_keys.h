// SPDX-License-Identifier: Apache-2.0
// The keys of manifests, and a value of each for messages.
//
// Readers report keys that they did not read (Table::finish). These lists are checked earlier,
// because `like` or `use` would silently replace a misspelt key by an inherited value.
// docs/manifest.md describes the same keys.
#pragma once

#include <span>
#include <string_view>

#include "grader/text/toml_reader.h"

namespace warpgrade::grader::course {

std::span<const std::string_view> exercise_keys();
/// Keys of a gate in a manifest. Parameters of its preset are keys, too.
std::span<const std::string_view> gate_keys();
std::span<const std::string_view> preset_keys();

const text::KeyExamples& lab_examples();
/// Examples for an exercise and the tables in it.
const text::KeyExamples& exercise_examples();

/// Throws base::UsageError with the nearest key if `table` has one that is not in `known`.
void refuse_unknown_keys(const text::Table& table, std::span<const std::string_view> known);

}  // namespace warpgrade::grader::course
