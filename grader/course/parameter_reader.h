// SPDX-License-Identifier: Apache-2.0
// Parameters from declarations, as in a prototype, and from tables by name.
//
// A prototype gives names, types and roles: a pointer to const is an input, any other pointer an
// output, everything else a number. Tables by the parameters' names ("STRUCT.FIELD" for a field)
// add the rest; docs/manifest.md describes them:
//
//   shapes    roles    same    fill    types    structs    values    compare    ulps    magnitude
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "common/verify/element.h"
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

/// Sets rows and columns of `out` from "elements", "height x width" or "depth x height x width".
/// Returns why it cannot; empty if it can.
std::string read_sides(const text::Expression& shape, BufferParameter& out);

/// The fill that `given` names for elements of `type`, such as "distinct", "below(n)" or
/// "starts(elements, CONDITION)". If it names no such fill, returns the reason.
std::variant<Content, std::string> fill_from(const text::Expression& given,
                                             verify::ElementType type);

}  // namespace warpgrade::grader::course
