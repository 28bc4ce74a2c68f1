// SPDX-License-Identifier: Apache-2.0
// A kernel's prototype as a manifest writes it: "copy(float* out, const float* in, int width)".
//
// It says the name, and of each parameter the name, the type, and whether it is a pointer through
// which the kernel may write. Template arguments belong to the name and may hold {variable}:
// "reduce<{factor}>(float* out, unsigned n)".
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/base/diagnostic.h"
#include "common/verify/element.h"

namespace warpgrade::grader {

/// A parameter, or a member of a struct, as declared.
struct Declared {
  std::string name;
  std::string type;  ///< As signatures show it: "const float*", "unsigned int".
  std::string base;  ///< What the pointer points to, or the type itself: "float", "Scaling".
  bool is_pointer = false;
  bool is_constant = false;                    ///< A pointer to const.
  std::optional<verify::ElementType> element;  ///< Of `base`, if it is a number.
  bool is_bool = false;                        ///< `base` is bool, which is stored as u8.
  base::SourceLocation where{};
};

struct Prototype {
  std::string kernel;  ///< "reduce<{factor}>".
  std::vector<Declared> parameters;
  bool has_list = false;  ///< There are parentheses.

  /// "reduce(float*, unsigned int)".
  std::string signature() const;
};

/// Reads `text`, which stands at `where`; throws base::UsageError that begins with the place and
/// `what` where it is no prototype.
Prototype parse_prototype(std::string_view text, const base::SourceLocation& where,
                          const std::string& what);

/// The same for a list alone: "float* out, const float* in".
std::vector<Declared> parse_declarations(std::string_view text, const base::SourceLocation& where,
                                         const std::string& what);

}  // namespace warpgrade::grader
