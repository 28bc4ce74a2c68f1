// SPDX-License-Identifier: Apache-2.0
// Compares an output with the expected one and explains the first difference.
//
// A branch-free pass over pieces that fit in the L1 cache finds it; only a piece that differs is
// searched by element. The cause is guessed from the likely origin of the wrong value: the input
// is searched for the expected and the found value. The relation of their positions reveals the
// cause.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/verify/element.h"
#include "common/verify/values.h"

namespace warpgrade::verify {

// A matrix in memory, the input of comparisons and searches.

/// A row-major matrix; a vector is one row.
struct Matrix {
  ElementType type{};
  std::uint64_t rows = 1;
  std::uint64_t columns = 1;
  std::span<const std::byte> bytes;
  std::string_view name{};  ///< The kernel's parameter; empty: "in" for an input, else "out".
};

// The first wrong place of an output, as fields and as a sentence.

/// The likely origin of a wrong value.
enum class CauseKind : std::uint8_t {
  kUnknown,
  kUnwritten,      ///< The content from before the launch.
  kNan,            ///< A NaN that the kernel computed.
  kWholeNumbers,   ///< A value passed through an integer type.
  kHalf,           ///< A value passed through a half.
  kNarrowInteger,  ///< A value passed through an integer of 8 or 16 bits.
  kTransposed,     ///< The input's element with row and column exchanged.
  kNeighbour,      ///< The input's element beside the right one.
  kRowLength,      ///< A wrong row length in an index.
  kOtherElement,   ///< Another element of the input.
  kOtherPlace,     ///< The value of another element of the output.
  kZero,           ///< A zero that the input does not contain.
  kTwice,          ///< Twice the expected value, in all wrong elements.
  kCount,          ///< A small integer, too small or too large: a count.
  kInputElement,   ///< An element of the input; the input does not contain the right value.
  kInaccurate,     ///< A float that is too far from the expected one, for no reason above.
};

/// The rows and columns of the wrong elements, inclusive, and the shape of the output.
struct WrongBox {
  std::uint64_t first_row = 0;
  std::uint64_t last_row = 0;
  std::uint64_t first_column = 0;
  std::uint64_t last_column = 0;
  std::uint64_t rows = 0;
  std::uint64_t columns = 0;

  friend bool operator==(const WrongBox&, const WrongBox&) = default;
};

/// How far a wrong element is from the expected one.
struct Deviation {
  double relative = 0;          ///< (got - expected) / |expected|; 0 if it is not finite.
  std::int64_t difference = 0;  ///< got - expected, of a count.
  std::uint64_t wrong = 0;      ///< Number of wrong elements of the output.
  std::uint64_t elements = 0;   ///< Number of its elements.
  std::uint64_t unwritten = 0;  ///< Wrong elements that have the content from before the launch.
  WrongBox box = {};            ///< All wrong elements are inside.
};

struct OutputDifference {
  std::string element;  ///< "out[3][5]"; the output's name if only its sum is compared.
  std::vector<std::uint64_t> indices;  ///< {3, 5}; empty if only the sum is compared.
  std::string expected;
  std::string got;
  std::string cause;  ///< The likely cause, or empty; see compare.h.
  std::string text;   ///< All fields as a sentence for reports.
  CauseKind kind{};
  Deviation deviation;
};

// Guesses why one element of an output is wrong from the likely origin of its value.
//
// Names a place in the input only if it is unambiguous: the value occurs there and nowhere else,
// which is true for inputs filled with distinct values. Reports the first match of:
// - never written: the element still contains its poison;
// - every wrong element equals the expected one without its fraction, as after conversion to int;
// - a NaN that the kernel computed;
// - every element is a whole number instead of a fraction, or has at most the precision of a half;
// - the untransposed element: in[r][c] instead of in[c][r], or vice versa;
// - the left, right, upper or lower neighbour, also across the end of a row;
// - a wrong row length, if the matrix is not square: in was read, or out written, as if rows had as
//   many elements as columns have;
// - another element of the input;
// - a zero that the input does not contain;
// - the expected value of another element of the output;
// - integers whose low 8 or 16 bits are right, or counts that are too small or too large;
// - twice the expected value;
// - rounding: floats as close as another order of additions or an fma would make them.

struct Cause {
  CauseKind kind{};
  std::string text;  ///< Empty if there is nothing to say.
};

struct Difference {
  std::uint64_t count = 0;  ///< Number of different elements.
  std::uint64_t row = 0;    ///< First one, in row-major order.
  std::uint64_t column = 0;
  std::string expected;
  std::string got;
  /// The likely cause, or empty; see compare.h.
  Cause cause;
  double relative = 0;          ///< As in Deviation.
  std::int64_t difference = 0;  ///< As in Deviation.
  std::uint64_t unwritten = 0;  ///< As in Deviation.
  WrongBox box = {};
};

/// Returns nullopt if `got` equals `expected` bit for bit, or, for float types, if each element is
/// within `tolerance`. `poison` is the content of
/// `got` before the launch (may be empty); misplaced elements may come from `input` (may be empty).
/// Throws std::invalid_argument if types, shapes or sizes do not match.
std::optional<Difference> compare(const Matrix& expected, const Matrix& got,
                                  std::span<const std::byte> poison, const Matrix& input,
                                  const Tolerance& tolerance = {});

/// The difference as fields, with the text "out[3][5]: expected 17, got 12 (this is in[3][5], ...);
/// 31 of 1024 elements differ"; one index if `got` is a single row.
OutputDifference describe(const Difference& difference, const Matrix& got, const std::string& name);

}  // namespace warpgrade::verify
