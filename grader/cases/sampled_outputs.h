// SPDX-License-Identifier: Apache-2.0
// Compares the results of a launch's executed blocks with the reference's.
//
// Only some blocks were executed, so values are compared only in elements that the launch changed,
// and only the blocks of the reference that write these elements are executed.
//
// A sample cannot show that an element which it left unwritten is never written: blocks may share
// the elements in another way than the reference's blocks do. So a sample is complete or not. It is
// complete if its blocks have changed exactly as many elements as so many blocks must change, or
// exactly as many whole tiles. If it is not, all blocks have to run; AllBlocks decides. If they
// would take too long, it is enough that the sample has no gaps.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "common/run/launch.h"
#include "common/sim/memory/sparse_buffer.h"
#include "common/verify/compare.h"
#include "grader/cases/reference.h"
#include "grader/cases/sized_case.h"

namespace warpgrade::grader::cases {

struct SampledOutputs {
  std::optional<verify::OutputDifference> difference;  ///< The first one.
  std::string modified_input;  ///< The name of an input that was written to; empty: none.
  /// Part of the output's elements that were written. If the reference has no elements_per_block,
  /// no elements are compared, and this is the touched part of the inputs.
  double done = 0;
  /// Whether the executed blocks have written all that so many blocks must write.
  bool is_complete = false;
  /// Not complete, but without a gap: the elements are tiles as large as those of so many blocks,
  /// which may be displaced, such as by one column. Only tiles at the border may have another size.
  bool are_displaced_tiles = false;
};

/// How many of the elements are compared: a kernel may know a size whose speed is graded.
enum class Thoroughness : std::uint8_t { kFew, kMore };

/// `got` holds the results of `executed` blocks of a launch with `grid`, and afterwards the
/// reference's. Throws base::ToolError if the reference fails.
SampledOutputs check_sample(const SizedCase& sized, const ReferenceLaunch& reference,
                            const base::Dim3& grid, std::uint64_t executed,
                            std::vector<sim::SparseBuffer>& got, Thoroughness thoroughness);

/// The elements that all blocks of a launch have written, collected part by part. Values are
/// compared only if the output is compared by its total.
class AllBlocks {
 public:
  /// Both must outlive this.
  AllBlocks(const SizedCase& sized, const std::vector<run::Pattern>& patterns);

  /// Adds the results of some blocks, which began with the contents of the patterns.
  void add(const std::vector<sim::SparseBuffer>& buffers);

  /// The first element that no block has written, or the wrong total. Throws base::ToolError if
  /// the reference fails.
  std::optional<verify::OutputDifference> difference(const ReferenceLaunch& reference) const;

 private:
  std::optional<verify::OutputDifference> first_unwritten(const ReferenceLaunch& reference) const;

  const SizedCase& sized_;
  const std::vector<run::Pattern>& patterns_;
  std::size_t place_;                   // of the output among the buffers
  std::vector<std::uint64_t> written_;  // A bit per element, unless the total is compared.
  std::vector<std::byte> content_;      // The output, if its total is compared.
};

}  // namespace warpgrade::grader::cases
