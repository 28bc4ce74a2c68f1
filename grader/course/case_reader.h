// SPDX-License-Identifier: Apache-2.0
// The cases of an exercise: its own, and those of the lab's sets that it uses.
//
// A set is a table [cases.NAME] of cases by name: wide = { width = 101, height = 45 }. The keys
// measured, secret, sampled and timed have a fixed meaning. Every other key is a variable: a
// number, an expression of the other variables, or an array, which makes one case per number.
// docs/manifest.md lists all keys.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "grader/course/exercise.h"
#include "grader/text/toml_reader.h"

namespace warpgrade::grader::course {

/// A case, or several that differ in one variable, with its place.
struct GivenCases {
  std::vector<Case> cases;
  base::SourceLocation where;
};

using CaseSets = std::map<std::string, std::vector<GivenCases>>;

/// The sets of a lab.
CaseSets read_case_sets(text::Table& lab);

/// The cases of the exercise in `table`, each with its place. Throws base::UsageError if there are
/// none, if two have the same name, or if their variables differ.
std::vector<GivenCases> read_cases(text::Table& table, const CaseSets& sets);

}  // namespace warpgrade::grader::course
