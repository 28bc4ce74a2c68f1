// SPDX-License-Identifier: Apache-2.0
// How many loads of a block find in L1 what other resident blocks of its SM have loaded.
//
// BlockReplay knows one block and its share of L1. The blocks of an SM share all of L1, so a table
// that they all read is there once. In: the lines that each traced block loads into L1, or a part
// of them. Out: fewer sectors below L1 in the requests of the trace.
//
// A line stays in L1 until others replace it, at random: the rate of that is the number of lines
// that the resident blocks load, divided by the lines that L1 holds. Other blocks ask for a sector
// at the rate that neighbours on the same SM do in the trace. So a load hits with the probability
// asked / (asked + replaced). In steady state an L1 that replaces lines at random, and is asked for
// lines at random, has these hit rates (Fagin and Price, "Efficient Calculation of Expected Miss
// Ratios in the Independent Reference Model", 1978). An H200 has 57 % for a table of 256 KB
// (`table_reads_256kb` in tests/evidence/launches).
#pragma once

#include <cstdint>

namespace warpgrade::timing {

struct Trace;

/// The SMs of a launch.
struct L1Use {
  double bytes = 0;       ///< L1 of an SM.
  double resident = 0;    ///< Blocks per SM at a time.
  double blocks = 0;      ///< Blocks per SM.
  std::uint64_t row = 1;  ///< A row has a block for each SM,
  std::uint64_t sms = 1;  ///< and so many blocks of it are in the trace, one behind the other.
};

/// Removes from the loads of `trace` what other blocks have loaded.
void share_l1(const L1Use& use, Trace& trace);

}  // namespace warpgrade::timing
