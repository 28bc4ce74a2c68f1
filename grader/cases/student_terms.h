// SPDX-License-Identifier: Apache-2.0
// Diagnostics in the terms of the source. Shapes of arrays, from the manifest and the source,
// turn bytes into elements with all their indices; skipped barriers explain races.
//   bytes 1056 to 1059 of tile                          ->  tile[8][0]
//   out[37]                                             ->  out[3][5]
//   in[600], but in has elements 0 to 74                ->  in[8][0], but there is 1 row of 75
//   a local array, which the thread has not written     ->  ... is __shared__ missing before it?
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/base/diagnostic.h"
#include "common/base/place.h"
#include "grader/cases/sized_case.h"

namespace warpgrade::grader::cases {

// The arrays that a submission declares, with their extents. PTX contains only their sizes in
// bytes.
//
//   constexpr int kTile = 32;
//   __shared__ float tile[kTile][kTile + 1];      ->  tile, line 2, 4 bytes, {32, 33}
//   extern __shared__ float sums[];               ->  sums, line 3, 4 bytes, no extents
//
// Extents are numbers, or expressions of `#define`s and constants in the file. A type or an extent
// that the file does not define (template parameters, options of the compiler) follows from the
// size that the array has in PTX, if only one is unknown.

struct DeclaredArray {
  std::string name;
  std::uint32_t line = 0;
  std::uint32_t element_bytes = 0;     ///< 0: a type that is not known here.
  std::vector<std::uint64_t> extents;  ///< Empty for `extern __shared__`: the launch sets the size.
  bool is_shared = false;
  /// Expressions for the extents that are 0, because they are not known here; empty for others.
  std::vector<std::string> formulas = {};

  std::uint64_t bytes() const;
  bool is_known() const;
  base::ArrayShape shape() const { return {element_bytes, extents}; }

  friend bool operator==(const DeclaredArray&, const DeclaredArray&) = default;
};

/// In the order of the text; only arrays whose type and extents are known.
std::vector<DeclaredArray> declared_arrays(std::string_view source);

/// The same with shared arrays of an unknown type or extent, for shape_called().
std::vector<DeclaredArray> all_arrays(std::string_view source);

/// An array as a finding or a counter names it.
struct NamedArray {
  std::string_view name;
  bool is_shared = false;
  std::uint64_t bytes = 0;  ///< Its size; 0 if unknown.
  std::uint32_t line = 0;   ///< A line that uses it: it decides between arrays of one name.
};

/// The shape of `named`, one of `arrays` (see all_arrays()). nullopt if none has the name and the
/// size, or if several have, and the line does not decide.
std::optional<base::ArrayShape> shape_called(const std::vector<DeclaredArray>& arrays,
                                             const NamedArray& named);

/// The first array of that name; nullptr if none exists, or if several have different types.
const DeclaredArray* array_called(const std::vector<DeclaredArray>& arrays, std::string_view name);

// Barriers of the block that some threads never reach, in diagnostics.
//
// Since Volta a barrier does not wait for threads that have ended, so such a kernel may run. It is
// wrong on older cards, and often the cause of a race: the barrier that should order two accesses
// does not order them for the threads that skip it.

/// A warning at the first of them; `all` has each line once and is not empty. `own_file` is the
/// name of the submission, whose lines need no file name.
base::Diagnostic skipped_barriers_warning(const std::vector<base::SkippedBarrier>& all,
                                          const std::string& own_file);

/// Replaces the advice of each race that has such a barrier between its two lines.
void explain_races(std::vector<base::Diagnostic>& diagnostics,
                   const std::vector<base::SkippedBarrier>& skipped);

/// `arrays` are all_arrays() of `source`, the submission's text.
void add_shapes(base::Diagnostic& diagnostic, const std::vector<SizedBuffer>& buffers,
                const std::vector<DeclaredArray>& arrays, std::string_view source);

/// Lets a diagnostic on too much static shared memory point to the largest array.
void point_at_array(base::Diagnostic& diagnostic, const std::vector<DeclaredArray>& arrays);

}  // namespace warpgrade::grader::cases
