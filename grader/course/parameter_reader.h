// SPDX-License-Identifier: Apache-2.0
// Parameters from declarations, as in a prototype, and from tables by name.
//
// A prototype gives names, types and roles: a pointer to const is an input, any other pointer an
// output, everything else a number. Tables by the parameters' names ("STRUCT.FIELD" for a field)
// add the rest; docs/manifest.md describes them:
//
//   shapes    roles    same    fill    types    structs    values    compare    ulps    magnitude
#pragma once

#include <vector>

#include "grader/course/exercise.h"
#include "grader/course/launch_reader.h"
#include "grader/text/toml_reader.h"

namespace warpgrade::grader::course {

/// The parameters from `declared` and these tables of `table`. Throws base::UsageError at the first
/// mistake.
std::vector<Parameter> read_parameters(text::Table& table, const std::vector<Declared>& declared);

/// The same with the declarations in the key `parameters`: "float* out, const float* in, int n".
/// Returns an empty list if the key is missing.
std::vector<Parameter> read_parameters(text::Table& table);

}  // namespace warpgrade::grader::course
