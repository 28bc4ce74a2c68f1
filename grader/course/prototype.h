// SPDX-License-Identifier: Apache-2.0
// A kernel's prototype in a manifest: "copy(float* out, const float* in, int width)".
//
// It gives the kernel's name and each parameter's name and type. Template arguments belong to the
// name and can contain {variable}: "reduce<{factor}>(float* out, unsigned n)".
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/base/diagnostic.h"
#include "common/verify/element.h"

namespace warpgrade::grader::course {

/// A parameter, or a member of a struct, as declared.
struct Declared {
  std::string name;
  std::string type;  ///< For signatures: "const float*", "unsigned int".
  std::string base;  ///< The type, or the pointer's target: "float", "Scaling".
  bool is_pointer = false;
  bool is_constant = false;                    ///< A pointer to const.
  std::optional<verify::ElementType> element;  ///< Element type, if `base` is a number.
  bool is_bool = false;                        ///< `base` is bool, which is stored as u8.
  base::SourceLocation where{};
};

struct Prototype {
  std::string kernel;  ///< "reduce<{factor}>".
  std::vector<Declared> parameters;
  bool has_list = false;  ///< The text has parentheses.

  /// "reduce(float*, unsigned int)".
  std::string signature() const;
};

/// Parses `text` from `where`. If it is not a prototype, throws base::UsageError that begins with
/// the place and `what`.
Prototype parse_prototype(std::string_view text, const base::SourceLocation& where,
                          const std::string& what);

/// The same for a list alone: "float* out, const float* in".
std::vector<Declared> parse_declarations(std::string_view text, const base::SourceLocation& where,
                                         const std::string& what);

}  // namespace warpgrade::grader::course
