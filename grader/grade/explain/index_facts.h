// SPDX-License-Identifier: Apache-2.0
// Facts about indices and values: the lengths in an index, narrow types, and the lines that compute
// what a line of the finding uses.
//
// In: the facts of a failure and a line. Out: an earlier line, or 0 if the line itself is the
// place.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "grader/cases/sized_case.h"
#include "grader/grade/explain/cause_facts.h"

namespace warpgrade::grader::grade {

/// A length in the index of a matrix, or the guard of its column, that is not the length of a row.
struct IndexFault {
  bool is_guard = false;
  std::uint32_t line = 0;
};
std::optional<IndexFault> index_fault(const Facts& facts, const cases::SizedCase& sized,
                                      std::string_view array, std::uint32_t line);

/// The number that a text has: sizes, constants and the launch's geometry; nullopt if it has
/// others.
std::optional<double> number_of(const Facts& facts, const cases::SizedCase& sized,
                                std::string_view text, std::uint32_t line);

/// The line that computes the index in `line`, if that is another one: the nearest definition that
/// is more than the number of a thread, and first one without threadIdx.
std::uint32_t index_source(const Facts& facts, std::uint32_t line);

/// The line that computes the value that `line` stores.
std::uint32_t value_source(const Facts& facts, std::uint32_t line);

/// Whether it is a product of at most 32 bits, and no thread's number.
bool is_narrow_product(const KernelFlow::Assignment& one);

/// The line of a product of 32 bits in the index of `line`.
std::uint32_t product_source(const Facts& facts, std::uint32_t line);

/// A division without its rest, in the bound of a loop or in a condition: cases are wrong if and
/// only if their size is not a multiple of the divisor.
struct RestOfDivision {
  std::uint32_t line = 0;
  std::string dividend;
  std::uint64_t divisor = 0;
};
std::optional<RestOfDivision> rest_of_division(const Facts& facts);
/// `found` at that division, with the place of `found` as the other line, and the failing sizes.
Found at_division(Found found, const RestOfDivision& division);

/// A remainder in an index that is 0 in each pass of a loop: `stage[first % 2]`, and `first` is a
/// multiple of 32.
struct ZeroRemainder {
  std::uint32_t line = 0;
  std::string text;
};
std::optional<ZeroRemainder> zero_remainder(const Facts& facts);
/// `found` at that remainder, with the place of `found` as the other line.
Found at_remainder(Found found, const ZeroRemainder& remainder);

/// Whether the program chooses between two values to store, as when it sorts: then the arithmetic
/// can lead elements to other places.
bool chooses_values(const Facts& facts);

/// The line that converts a float to an integer, if results depend on it; 0 without one.
std::uint32_t conversion_line(const Facts& facts);

/// A variable of 8 or 16 bits that counts or that an index depends on, if only cases with larger
/// sizes fail; its line, or 0.
std::uint32_t narrow_index(const Facts& facts);

/// An array without dimensions that is accessed with two lengths of a row: the line of the second.
std::uint32_t second_length(const Facts& facts, std::string_view array);

/// The line with the division or the condition whose rest is not done.
std::uint32_t rest_line(const Facts& facts);

/// The line of the innermost loop that loads or stores `array`; 0 without one.
std::uint32_t loop_over(const Facts& facts, std::string_view array);

}  // namespace warpgrade::grader::grade
