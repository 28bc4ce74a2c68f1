// SPDX-License-Identifier: Apache-2.0
// The contents of a case's buffers before a launch.
//
// They depend on the seed, the exercise, the case and the parameter alone, so the submission and
// the reference get the same inputs on every device. (Of a measured case the seed is salted, see
// input_salt.h.)
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "common/run/pattern.h"
#include "grader/cases/sized_case.h"

namespace warpgrade::grader {

/// The seed of the buffers of one case.
std::uint64_t contents_seed(std::string_view exercise, std::string_view case_name,
                            std::uint64_t seed);
inline std::uint64_t contents_seed(const SizedCase& of, std::uint64_t seed) {
  return contents_seed(of.exercise, of.name, seed);
}

/// One per buffer, in order: inputs filled, outputs poisoned. `seed` is the case's.
std::vector<run::Buffer> make_buffers(const std::vector<SizedBuffer>& buffers, std::uint64_t seed);

/// The same with inputs left empty.
std::vector<run::Buffer> make_outputs(const std::vector<SizedBuffer>& buffers, std::uint64_t seed);

/// The same for launches that are repeated on a GPU; an output's poison repeats itself.
std::vector<run::Pattern> make_patterns(const std::vector<SizedBuffer>& buffers,
                                        std::uint64_t seed);

/// One per buffer: whether it is filled in an order that the seed has made.
std::vector<bool> in_any_order(const std::vector<SizedBuffer>& buffers);

/// Bytes of all buffers.
std::uint64_t buffer_bytes(const std::vector<run::Buffer>& buffers);

}  // namespace warpgrade::grader
