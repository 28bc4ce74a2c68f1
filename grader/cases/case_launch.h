// SPDX-License-Identifier: Apache-2.0
// A launch of a kernel with its geometry and arguments as numbers.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "common/run/launch.h"
#include "grader/course/kernel_launch.h"

namespace warpgrade::grader::cases {

/// The launch of `kernel` with `geometry` and all parameters. A buffer argument contains its index
/// in buffers_of().
run::Launch make_launch(const std::vector<course::Parameter>& parameters,
                        const course::Geometry& geometry, const std::string& kernel,
                        const text::Variables& variables);

/// The same with only the parameters at these indices.
run::Launch make_launch(const std::vector<course::Parameter>& parameters,
                        const std::vector<std::size_t>& arguments, const course::Geometry& geometry,
                        const std::string& kernel, const text::Variables& variables);

}  // namespace warpgrade::grader::cases
