// SPDX-License-Identifier: Apache-2.0
// A lab as data: what labs/LAB/grader.toml says, checked and typed.
//
// labs/coalescing/grader.toml is the example to copy from. Its keys, * where one must be there:
//
//   title*, summary*                      what `warpgrade list` shows
//   order                                 the lab's place in the course, from 1; labs without one
//                                         come after the others, by name
//   include_folders                       of the course's own headers, as seen from the lab's
//   folder:
//                                         ["../include"]. Submissions and reference.cu can include
//                                         their files; "../x.h", too, which is x.h of one of them
//   [[exercise]]
//     id*                                 the skeleton is labs/LAB/ID.cu
//     title*, kernel*, signature*         kernel may hold {variable}: "reduce_threads<{factor}>"
//     correctness_points*, hints*         hints go from a nudge to nearly the answer; a pack for
//                                         students has hints_rot13 in their place
//   [exercise.launch]                     grid*, block*: 1 to 3 extents; shared: dynamic bytes;
//                                         cooperative: true if blocks wait for each other, as
//                                         in grid.sync()
//   [[exercise.launch]]                   instead: launches in their order, see sequence_reader.h
//   rounds                                with it: how often all of them, in which `round` counts
//   [exercise.reference]                  kernel*, grid*, block*, shared: in reference.cu; takes
//                                         the exercise's parameters, or those in `arguments`
//     elements_per_block                  block b makes so many elements of the only output, from
//                                         element b times as many on: with it, blocks of a kernel
//                                         can be checked without running all of them
//   [[exercise.parameter]]                in the kernel's order
//     name*, role*                        "out", "in" or "inout": a buffer that the kernel writes,
//                                         reads, or reads and writes in place; "scratch": one that
//                                         is neither filled nor compared; "value"; "same": the
//                                         buffer of another parameter once more; "struct": a
//                                         structure by value
//     type*                               of a buffer or a value: "f32", "i32", "u8", ...; of a
//                                         value "bool", too
//     rows*, columns*                     a buffer's shape; fill* of "in" and "inout": "distinct",
//                                         "small_whole", "odd_eighths" (whose sums are exact in
//                                         any order), "iota", "zeros" or "random"
//     comparison                          of a result: "bits" (default), "total" where only the
//                                         sum of the elements is defined, or "ulps" where floats
//                                         may be rounded otherwise
//     ulps                                with the latter: how many units in the last place an
//                                         element may be off. Two orders of a sum of n terms of one
//                                         sign lie within 2 n; of both signs nothing bounds them
//     value*                              of role "value"
//     of*                                 of role "same": the parameter's name, or "STRUCT.FIELD"
//   [[exercise.parameter.field]]          of role "struct", in order: a parameter of a role but
//                                         "struct" and "scratch"; buffers are pointers there.
//                                         Fields lie as C++ lays them out; gaps that come from
//                                         elsewhere (alignas, a struct within) are fields, too.
//                                         Messages call one STRUCT.FIELD
//   [[exercise.case]]
//     name*, variables*                   the same variables in every case of an exercise
//     measured                            true: the gates are measured on it, too
//     secret                              true: students do not get it (pack.h)
//     sampled                             true: too large to be run whole. The simulator executes
//                                         some blocks, those with the largest indices among them,
//                                         and compares what they write; a GPU leaves it out
//     timed_variables                     of a measured case: the size whose speed is graded, on
//                                         both backends. A GPU runs it whole; the simulator
//                                         executes some of its blocks, and all of `variables`.
//                                         A string is an expression of `draw`, a whole number from
//                                         0 to 255 that follows from the compiled submission: so a
//                                         kernel cannot be made for the size where it is timed
//   [[exercise.gate]]
//     id*, metric*, device*, points*      min, max or both; an expression each
//     case                                where more than one case is measured, or a counter is
//                                         to be that of another one; or
//     worst_of                            "measured" or "all": the case where it is worst decides
//     needs                               ids of gates without which this one earns nothing:
//                                         guards, where its number could be had without the work
//     simulated                           true, of a gate on fraction_of_copy: its lesson is that
//                                         device's alone, so a GPU does not measure it. All others
//                                         of one case are one gate where there is a GPU: measured
//                                         there, for the points of all, see gate_plan.h
//     share                               of a gate on fraction_of_copy: the bound on a card that
//                                         the manifest has none for, as a share of what the
//                                         course's solution reaches there; else min / ideal
//     skeleton                            the untouched skeleton's value, to show beside the
//                                         student's; none where its result is wrong. `check` holds
//                                         it to what is measured
//     ideal*                              the value to aim at
//     meaning*, next*                     what the number says; what to try where it fails
//   [[exercise.gate.on]]                  bounds of a gate on fraction_of_copy where it is measured
//     generation*                         on a card of this compute capability: "8.6", or "8" for
//                                         all of them; the device's own has the gate's own bounds
//     min, max
//
// An exercise that asks questions has no kernel. The skeleton is labs/LAB/ID.toml, and its keys are
//   id*, title*, hints*
//   [[exercise.question]]                 see questions.h
//     id*, rule*, device*, points*, meaning*
//     word_bytes*, strides*               of rule "shared_wavefronts"
//     level*, threads*, registers*, shared_bytes*    of rule "coarsening_factor"
//
// Wherever a number is asked of a launch, a shape, a value or a bound, a string is an expression of
// the case's variables (see expressions.h). Every mistake is a base::UsageError that begins with
// file:line:column and names the key.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "grader/course/exercise.h"

namespace warpgrade::grader {

/// The names that a gate may use; injected, so that reading a manifest needs no simulator.
struct Vocabulary {
  std::vector<std::string> metrics;
  std::vector<std::string> devices;
};

/// Reads `file`, shown as `shown`; throws base::UsageError at the first mistake, a folder that is
/// not there among them.
Lab read_manifest(const std::filesystem::path& file, const std::string& shown,
                  const Vocabulary& vocabulary);

/// The same for text at hand; `lab` is the id, and its folder `folder`, if the lab is on disk.
Lab parse_manifest(std::string_view text, const std::string& shown, const std::string& lab,
                   const Vocabulary& vocabulary, const std::filesystem::path& folder = {});

}  // namespace warpgrade::grader
