// SPDX-License-Identifier: Apache-2.0
// Adds the shapes of arrays, from the manifest and the source, to the facts of diagnostics. Texts
// then name elements with all their indices instead of bytes.
//
//   bytes 1056 to 1059 of tile                          ->  tile[8][0]
//   out[37]                                             ->  out[3][5]
//   in[600], but in has elements 0 to 74                ->  in[8][0], but there is 1 row of 75
//   a local array, which the thread has not written     ->  ... is __shared__ missing before it?
//
// The simulator knows no shapes: its facts hold for any kernel.
#pragma once

#include <string_view>
#include <vector>

#include "common/base/diagnostic.h"
#include "grader/cases/case_buffers.h"
#include "grader/cases/declared_arrays.h"

namespace warpgrade::grader::cases {

/// `arrays` are those of `source`, the submission's text.
void add_shapes(base::Diagnostic& diagnostic, const std::vector<SizedBuffer>& buffers,
                const std::vector<DeclaredArray>& arrays, std::string_view source);

/// Lets a diagnostic on too much static shared memory point to the largest array.
void point_at_array(base::Diagnostic& diagnostic, const std::vector<DeclaredArray>& arrays);

}  // namespace warpgrade::grader::cases
