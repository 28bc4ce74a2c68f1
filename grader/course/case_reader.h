// SPDX-License-Identifier: Apache-2.0
// The cases of an exercise: those of the lab's sets that it names, and its own.
//
// A set is a table [cases.NAME] of cases by name: wide = { width = 101, height = 45 }. Of the keys
// of a case, measured, secret, sampled and timed have a meaning of their own; every other one is a
// variable: a number, an expression of the others, or an array of numbers, which makes a case of
// each. docs/manifest.md has them all.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "grader/course/exercise.h"
#include "grader/text/toml_reader.h"

namespace warpgrade::grader {

/// Cases of one exercise, at most.
constexpr std::size_t kMostCases = 1000;

/// A case, or several that differ in one variable, with its place.
struct GivenCases {
  std::vector<Case> cases;
  base::SourceLocation where;
};

using CaseSets = std::map<std::string, std::vector<GivenCases>>;

/// The sets of a lab.
CaseSets read_case_sets(Table& lab);

/// The cases that the exercise in `table` has, each with its place; throws base::UsageError where
/// there is none, where two have one name, or where their variables are not the same.
std::vector<GivenCases> read_cases(Table& table, const CaseSets& sets);

}  // namespace warpgrade::grader
