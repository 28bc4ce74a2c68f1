// SPDX-License-Identifier: Apache-2.0
// A kernel's prototype in a manifest, the geometry of a launch as a TOML table, and limits on the
// values of launches.
// A prototype gives the kernel's name and each parameter's name and type. Template arguments
// belong to the name and can contain {variable}: "reduce<{factor}>(float* out, unsigned n)".
// Keys of a launch: grid*, block*, shared, cooperative, cluster.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/base/diagnostic.h"
#include "common/verify/element.h"
#include "grader/course/exercise.h"
#include "grader/text/toml_reader.h"

namespace warpgrade::grader::course {

// A kernel's prototype in a manifest: "copy(float* out, const float* in, int width)".
//
// It gives the kernel's name and each parameter's name and type.

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

/// The element type of a number with this canonical C++ type: kU32 for "unsigned int", kU8 for
/// bool.
std::optional<verify::ElementType> element_of(const std::string& type);

/// The names of verify::Fill in its order.
inline constexpr std::array<std::string_view, 9> kFillNames = {
    "distinct", "small_whole",   "odd_eighths",  "iota",    "zeros",
    "random",   "signed_random", "signed_whole", "any_bits"};

/// Bytes of a kernel's parameters together (CUDA C++ Programming Guide; 32,764 since 12.1).
inline constexpr std::uint32_t kMostStructBytes = 4096;

/// Adds `id`, the value of `key`, to `seen`. Throws base::UsageError if it is there already or not
/// a plain word: ids and names are part of file names and JSON.
void check_id(const text::Table& table, std::string_view key, const std::string& id,
              std::set<std::string>& seen);

/// grid, block, shared, cooperative and cluster of `table`, which may have other keys too.
Geometry read_geometry(text::Table& table);

/// Limits on the total size of a launch's buffers. The host holds the buffers of a launch that is
/// executed whole; the larger limit is for sampled launches.
constexpr std::uint64_t kMostCaseBytes = std::uint64_t{4} << 30;
constexpr std::uint64_t kMostSampledBytes = std::uint64_t{64} << 30;

/// Evaluates `geometry`. Throws base::UsageError with its place if an expression is wrong, if an
/// extent is not from 1 to 2^31 - 1, or if no device has that much shared memory.
void check_geometry(const Geometry& geometry, const text::Variables& variables);

/// The same for values, fields among them: each must be of its type.
void check_values(std::span<const Parameter> parameters, const text::Variables& variables);

/// The same for all values, for aliases, whose buffer must exist, and for shapes: a buffer has at
/// least one element, all of them together at most `most_bytes`.
void check_parameters(std::span<const Parameter> parameters, const text::Variables& variables,
                      std::uint64_t most_bytes = kMostCaseBytes);

}  // namespace warpgrade::grader::course
