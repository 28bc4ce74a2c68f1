// SPDX-License-Identifier: Apache-2.0
// Converts a case of an exercise to a runner's input: buffers with their contents, and the launch.
//
// Contents depend on the seed, the exercise, the case and the parameter alone, so the submission
// and the reference get the same inputs on every device. (Of a measured case the seed is salted,
// see input_salt.h.)
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "common/run/pattern.h"
#include "common/run/sequence.h"
#include "grader/course/manifest.h"

namespace warpgrade::grader {

/// One a buffer of buffers_of(), in order: inputs filled, outputs poisoned.
std::vector<run::Buffer> make_buffers(const std::vector<Parameter>& parameters,
                                      const std::string& exercise, const std::string& case_name,
                                      const Variables& variables, std::uint64_t seed);

/// The same with inputs left empty.
std::vector<run::Buffer> make_outputs(const std::vector<Parameter>& parameters,
                                      const std::string& exercise, const std::string& case_name,
                                      const Variables& variables, std::uint64_t seed);

/// The same for launches that are repeated on a GPU; an output's poison repeats itself.
std::vector<run::Pattern> make_patterns(const std::vector<Parameter>& parameters,
                                        const std::string& exercise, const std::string& case_name,
                                        const Variables& variables, std::uint64_t seed);

/// One a buffer: whether it is filled in an order that the seed has made.
std::vector<bool> in_any_order(const std::vector<Parameter>& parameters);

/// The launch of `kernel` with `geometry` and all parameters; arguments point to the buffers of
/// make_buffers().
run::Launch make_launch(const std::vector<Parameter>& parameters, const Geometry& geometry,
                        const std::string& kernel, const Variables& variables);

/// The same with the parameters at these places alone.
run::Launch make_launch(const std::vector<Parameter>& parameters,
                        const std::vector<std::size_t>& arguments, const Geometry& geometry,
                        const std::string& kernel, const Variables& variables);

/// The launches of a case; `kernels` has the name of each step's.
run::Sequence make_sequence(const KernelExercise& exercise, const std::vector<std::string>& kernels,
                            const Variables& variables);

/// Bytes of all buffers.
std::uint64_t buffer_bytes(const std::vector<run::Buffer>& buffers);
/// The least number of bytes that any solution reads and writes, see run::least_traffic().
std::uint64_t least_traffic(const std::vector<Parameter>& parameters, const Variables& variables);

}  // namespace warpgrade::grader
