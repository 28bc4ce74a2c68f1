// SPDX-License-Identifier: Apache-2.0
// The operations that expressions of random programs are made of: one table.
//
// A C++ operation is text with $0, $1, ... for its sources. A PTX operation is inline assembly,
// %0 for the result and %1, %2, ... for the sources, so that instructions are met which the
// compiler does not emit by itself, and unrounded products and sums which only the assembler may
// contract. No result depends on anything that CUDA or PTX leave open; approximate instructions
// are left out.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tests/evidence/random/kinds.h"

namespace warpgrade::programs {

struct Operation {
  Kind result{};
  std::string text;
  std::vector<Kind> sources;
  std::uint32_t architecture = 75;  ///< The first that has it.
  std::uint32_t weight = 1;
  bool is_ptx = false;
};

/// All of them, in a fixed order.
const std::vector<Operation>& operations();

/// A function of the programs that executes the PTX operation number `index`.
std::string ptx_function(std::size_t index);
/// Its name.
std::string ptx_function_name(std::size_t index);

/// Collects operations; `same` in a list of sources stands for the kind of each().
class OperationList {
 public:
  static constexpr Kind kSame = static_cast<Kind>(255);

  /// For each of `kinds`, which is the result's: $T is its C++ type, $U an unsigned type to compute
  /// in without overflow, $W its width, $P its PTX type, $N half its width.
  void each(const std::vector<Kind>& kinds, const std::string& text,
            const std::vector<Kind>& sources, std::uint32_t architecture = 75);
  /// The same as each(), with another kind of result.
  void each_to(Kind result, const std::vector<Kind>& kinds, const std::string& text,
               const std::vector<Kind>& sources, std::uint32_t architecture = 75);
  void set_weight(std::uint32_t weight) { weight_ = weight; }

  std::vector<Operation> take() { return std::move(operations_); }

 private:
  std::vector<Operation> operations_;
  std::uint32_t weight_ = 1;
};

void add_cpp_operations(OperationList& list);
void add_ptx_operations(OperationList& list);

}  // namespace warpgrade::programs
