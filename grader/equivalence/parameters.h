// SPDX-License-Identifier: Apache-2.0
// The arguments, the geometry and the inputs of `warpgrade verify`, as text and as the parameters
// of a case.
// In: one --arg per parameter, with expressions of the sizes; extents of grid and block. Out:
// parameters and a geometry as a manifest has them (course/exercise.h), so that a case is sized and
// filled as in a grade.
//
//   in:TYPE:SHAPE[:FILL]     a buffer that the kernel reads
//   inout:TYPE:SHAPE[:FILL]  a buffer that it reads and writes
//   out:TYPE:SHAPE[:total]   a buffer that it writes; starts with values that no right result has;
//                            with `total`, only the sum of its elements is compared
//   scratch:TYPE:SHAPE       a buffer that it writes and reads; its content is not compared
//   same:INDEX               the buffer of parameter INDEX once more
//   TYPE:VALUE               a number by value
//
// SHAPE is a number of elements, or ROWS x COLUMNS. SHAPE and VALUE are expressions. FILL is a fill
// of manifests (distinct, signed_whole, ...) or an index: below(N), starts(N), skewed_starts(N),
// mostly_equal(PERCENT). Without FILL the inputs vary from case to case.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "common/verify/element.h"
#include "common/verify/values.h"
#include "grader/course/exercise.h"

namespace warpgrade::grader::equivalence {

/// A kind of input for buffers without FILL.
struct InputKind {
  std::string_view name;
  verify::Fill floats{};
  verify::Fill integers{};
  bool has_constants = false;  ///< Some are numbers of the kernels' code, or extremes.
  bool is_given = false;       ///< Each input has a FILL, so no input varies.
};

/// All kinds, in the order of their use.
const std::vector<InputKind>& input_kinds();

/// The kind of this name; throws base::UsageError that lists all names.
const InputKind& input_kind(std::string_view name);

struct Parameters {
  std::vector<course::Parameter> all;
  std::vector<bool> varies;  ///< By buffer: an input without FILL.
};

/// `names` are the parameters' names in the source; may be empty. Throws base::UsageError.
Parameters parse_parameters(const std::vector<std::string>& specs,
                            const std::vector<std::string>& names);

/// `parameters` with the inputs of `kind`.
std::vector<course::Parameter> with_inputs(const Parameters& parameters, const InputKind& kind);

/// The value of an option, and the option's name for messages.
struct OptionText {
  std::string option;
  std::string text;
};

/// A launch from "ceil_div(width, 32),ceil_div(height, 32)", "32,8" and "0". Throws
/// base::UsageError.
course::Geometry parse_geometry(const OptionText& grid, const OptionText& block,
                                const OptionText& shared);

}  // namespace warpgrade::grader::equivalence
