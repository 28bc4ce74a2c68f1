// SPDX-License-Identifier: Apache-2.0
// Runs one instruction on one warp: its results, the lanes that it leaves alone, the forms that are
// refused. Built on ptx_kernel.h; %r29 is the lane.
//
// Instructions can use sources that differ from lane to lane: %r1 to %r3, %rd11 to %rd13, %f1 to
// %f3, %d1 to %d3, %h1 to %h3 (integers), %h11 to %h13 (f16), %p1 and %p2.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace warpgrade::sim {

/// The words that `instructions` leave in %r4, lane by lane.
std::vector<std::uint32_t> words(const std::string& instructions);
/// The word of lane 0.
std::uint32_t word(const std::string& instructions);
/// The words that `instructions` leave in %rd4, lane by lane.
std::vector<std::uint64_t> long_words(const std::string& instructions);
/// The word of lane 0.
std::uint64_t long_word(const std::string& instructions);

/// The result of the f32 instruction `form`, which reads %f1 to %f3 and writes %f4. `a`, `b`, `c`
/// and the result are bits.
std::uint32_t float_word(const std::string& form, std::uint32_t a, std::uint32_t b = 0,
                         std::uint32_t c = 0);
/// The same for f64, with %d1 to %d4.
std::uint64_t double_word(const std::string& form, std::uint64_t a, std::uint64_t b = 0,
                          std::uint64_t c = 0);

/// The simulator's message about unsupported instructions; empty if it executes them.
std::string refusal(const std::string& instructions);
/// The fault that ends a launch of `instructions`, as "kind: message"; empty if it ends normally.
std::string fault(const std::string& instructions);

/// Checks `form`, whose last instruction writes `$d`, a register of `kind` (r, rd, f, d, h or p). A
/// lane that a guard or a branch excludes keeps its value. The other lanes get the same result as
/// in a whole warp. The result register may be a source of the same kind.
void expect_lane_rules(const std::string& kind, const std::string& form);

}  // namespace warpgrade::sim
