// SPDX-License-Identifier: Apache-2.0
// The table of operations from which random programs build their expressions.
//
// A C++ operation is text with $0, $1, ... for its sources. A PTX operation is inline assembly with
// %0 for the result and %1, %2, ... for the sources. Inline assembly covers instructions that the
// compiler never emits, and products and sums without rounding that only the assembler may
// contract. No result depends on anything that CUDA or PTX leaves open, so approximate instructions
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
  std::uint32_t architecture = 75;  ///< The first one that supports it.
  std::uint32_t weight = 1;
  bool is_ptx = false;
};

/// All operations, in a fixed order.
const std::vector<Operation>& operations();

/// A function for the programs that executes PTX operation number `index`.
std::string ptx_function(std::size_t index);
/// Name of that function.
std::string ptx_function_name(std::size_t index);

/// Collects operations; kSame in a list of sources stands for the kind passed to each().
class OperationList {
 public:
  static constexpr Kind kSame = static_cast<Kind>(255);

  /// Adds an operation for each of `kinds`, also its result. $T is its C++ type, $U an unsigned
  /// type to compute in without overflow, $W its width, $P its PTX type, $N half its width.
  void each(const std::vector<Kind>& kinds, const std::string& text,
            const std::vector<Kind>& sources, std::uint32_t architecture = 75);
  /// Like each(), with a different kind of result.
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
