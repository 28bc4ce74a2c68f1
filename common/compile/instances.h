// SPDX-License-Identifier: Apache-2.0
// Instances of kernel templates that a source itself names: in a launch, in a call of the runtime,
// or by default arguments. So a template is found by its plain name if there is one way to
// instantiate it.
//
// It reads tokens of the whole source, host code included. An argument that is a constant of a host
// function is replaced by its number. The compiler decides whether an instance exists.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace warpgrade::compile {

/// Whether `text` can be an instance's name for the compiler: it has no other characters.
bool is_name_expression(std::string_view text);

/// The instances of the kernel template `name` that `source` names, each once, in order:
/// {"scale<float, 4>"}. If it names none and all arguments have defaults, {"scale<>"}.
std::vector<std::string> named_instances(std::string_view source, std::string_view name);

/// An instance that a reader can adapt: "scale<float, 4>".
std::string example_instance(std::string_view source, std::string_view name);

/// The instances to compile so that find_kernel() finds `kernels`: those among them, and the only
/// one of each template that has a plain name there. Without names, of each template of the file.
std::vector<std::string> instances_for(std::string_view source,
                                       const std::vector<std::string>& kernels);

}  // namespace warpgrade::compile
