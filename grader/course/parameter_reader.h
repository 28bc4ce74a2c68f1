// SPDX-License-Identifier: Apache-2.0
// Parameters out of prototypes, and what a table says of them by name.
//
// A prototype gives names, types and roles: a pointer to const is an input, another pointer an
// output, all else a number. The rest stands in tables by the parameters' names, "STRUCT.FIELD" for
// a field; docs/manifest.md says what each means:
//
//   shapes    roles    same    fill    types    structs    values    compare    ulps
#pragma once

#include <vector>

#include "grader/course/kernel_launch.h"
#include "grader/course/prototype.h"
#include "grader/text/toml_reader.h"

namespace warpgrade::grader {

/// The parameters that `declared` and those keys of `table` make; throws base::UsageError at the
/// first mistake.
std::vector<Parameter> read_parameters(Table& table, const std::vector<Declared>& declared);

}  // namespace warpgrade::grader
