// SPDX-License-Identifier: Apache-2.0
// A sequence of launches for `warpgrade profile --sequence FILE.toml`.
//
//   variables                             { n = 1024 }: for the expressions below; optional
//   rounds                                repetitions of all launches; `round` counts them
//   [[buffer]]                            memory that the launches share
//     name*, spec*                        spec as for --arg: "inout:f32:1024:iota", "out:f32:1024"
//   [[value]]                             a number by value
//     name*, type*, value*                value may be an expression of variables, `step`, `round`
//   [[struct]]                            a structure by value
//     name*
//     [[struct.field]]                    in order, laid out as C++ does
//       name*, type*, value*              a number, or
//       name*, buffer*                    the address of the buffer of that name
//   [[launch]]                            in their order: kernel*, grid*, block*, and shared,
//                                         cooperative, cluster, times, swap as in a manifest
//                                         (course/sequence_reader.h), and
//     arguments                           names of buffers, values and structures
//
// Every mistake is a base::UsageError that begins with file:line:column.
#pragma once

#include <filesystem>
#include <vector>

#include "grader/course/exercise.h"
#include "grader/profile/argument_spec.h"

namespace warpgrade::grader::profile {

struct SequenceFile {
  course::KernelExercise exercise;  ///< Its parameters, the buffers first; steps and rounds.
  text::Variables variables;
  std::vector<ArgumentSpec> buffers;  ///< One per buffer.

  /// Their names for the compiler, each once.
  std::vector<std::string> kernels() const;
};

SequenceFile read_sequence_file(const std::filesystem::path& file);

}  // namespace warpgrade::grader::profile
