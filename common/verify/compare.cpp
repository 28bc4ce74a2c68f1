// SPDX-License-Identifier: Apache-2.0
// Finds the first difference: a branch-free pass over pieces that fit in the L1 cache, and an
// element-wise search only in a piece that differs.
#include "common/verify/compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <stdexcept>

#include "common/base/counted.h"
#include "common/verify/cause.h"
#include "common/verify/half.h"
#include "common/verify/ulps.h"

namespace warpgrade::verify {
namespace {

// For a float type: adding kRest to the bits without the sign carries into the sign bit exactly for
// bits above infinity's. For an integer type it is 0, and nothing carries.
template <class Bits>
Bits nan_rest(ElementType type) {
  constexpr unsigned kBits = 8 * sizeof(Bits);
  if (!is_float(type)) return 0;
  const unsigned mantissa = kBits == 16 ? 10 : kBits == 32 ? 23 : 52;
  return static_cast<Bits>((std::uint64_t{1} << mantissa) - 1);
}

struct Count {
  std::uint64_t differing = 0;
  std::uint64_t first = 0;
};

// Elements for which differs(expected, got), on their bits, is not 0. It must be free of branches.
template <class Bits, class Differs>
Count count_where(const Matrix& expected, const Matrix& got, const Differs& differs) {
  constexpr std::uint64_t kPiece = 16384 / sizeof(Bits);
  const std::uint64_t count = expected.bytes.size() / sizeof(Bits);
  Count result;
  for (std::uint64_t begin = 0; begin < count; begin += kPiece) {
    const auto length = static_cast<std::uint32_t>(std::min(kPiece, count - begin));
    const std::byte* const a = expected.bytes.data() + begin * sizeof(Bits);
    const std::byte* const b = got.bytes.data() + begin * sizeof(Bits);
    const auto differs_at = [=](std::uint32_t i) {
      Bits x{}, y{};
      std::memcpy(&x, a + i * sizeof(Bits), sizeof(x));
      std::memcpy(&y, b + i * sizeof(Bits), sizeof(y));
      return differs(x, y);
    };
    Bits any = 0;
    for (std::uint32_t i = 0; i < length; ++i) any = static_cast<Bits>(any | differs_at(i));
    if (any == 0) continue;
    for (std::uint32_t i = 0; i < length; ++i) {
      if (differs_at(i) == 0) continue;
      if (result.differing == 0) result.first = begin + i;
      ++result.differing;
    }
  }
  return result;
}

template <class Bits>
constexpr auto kSign = static_cast<Bits>(std::uint64_t{1} << (8 * sizeof(Bits) - 1));

template <class Bits>
Count count_differences(const Matrix& expected, const Matrix& got, bool moves_bits) {
  const Bits rest = moves_bits ? Bits{0} : nan_rest<Bits>(expected.type);
  return count_where<Bits>(expected, got, [rest](Bits x, Bits y) {
    const auto magnitude = static_cast<Bits>(x & static_cast<Bits>(~kSign<Bits>));
    return static_cast<Bits>((x ^ y) | (static_cast<Bits>(magnitude + rest) & kSign<Bits>));
  });
}

template <class Bits>
double difference_of(Bits x, Bits y) {
  if constexpr (sizeof(Bits) == 8) return std::bit_cast<double>(x) - std::bit_cast<double>(y);
  if constexpr (sizeof(Bits) == 4) return double{std::bit_cast<float>(x)} - std::bit_cast<float>(y);
  if constexpr (sizeof(Bits) == 2) return double{half_to_float(x)} - half_to_float(y);
  return 0;  // no float
}

// As is_within() counts, but without a branch: a large output is compared after every sample.
template <class Bits>
Count count_beyond(const Matrix& expected, const Matrix& got, const Tolerance& tolerance) {
  const auto infinity = static_cast<Bits>(~nan_rest<Bits>(expected.type) & ~kSign<Bits>);
  const auto most = static_cast<Bits>(std::min<std::uint64_t>(tolerance.ulps, infinity));
  const double free = free_difference(expected.type, tolerance);
  return count_where<Bits>(expected, got, [infinity, most, free](Bits x, Bits y) {
    const auto from_zero = static_cast<Bits>(x & static_cast<Bits>(~kSign<Bits>));
    const auto other = static_cast<Bits>(y & static_cast<Bits>(~kSign<Bits>));
    const Bits larger = std::max(from_zero, other);
    const Bits smaller = std::min(from_zero, other);
    const bool is_same_side = static_cast<Bits>((x ^ y) & kSign<Bits>) == 0;
    const auto apart = static_cast<Bits>(is_same_side ? larger - smaller : larger + smaller);
    const bool is_finite = larger < infinity;
    const bool is_far = !(std::abs(difference_of(x, y)) <= free);
    return static_cast<Bits>((is_finite & (apart > most) & is_far) | (!is_finite & (x != y)) |
                             (larger > infinity));
  });
}

// Calls `count` with a value of the unsigned type that has the size of an element.
template <class CountOf>
Count by_size(const Matrix& expected, const CountOf& count) {
  switch (size_of(expected.type)) {
    case 1:
      return count(std::uint8_t{});
    case 2:
      return count(std::uint16_t{});
    case 4:
      return count(std::uint32_t{});
    default:
      return count(std::uint64_t{});
  }
}

void require(bool holds, const char* what) {
  if (!holds) throw std::invalid_argument(what);
}

bool size_fits(const Matrix& matrix) {
  return matrix.bytes.size() == matrix.rows * matrix.columns * size_of(matrix.type);
}

}  // namespace

std::optional<Difference> compare(const Matrix& expected, const Matrix& got,
                                  std::span<const std::byte> poison, const Matrix& input,
                                  const Tolerance& tolerance) {
  require(expected.type == got.type, "compare: the outputs have different types");
  require(expected.rows == got.rows && expected.columns == got.columns,
          "compare: the outputs have different shapes");
  require(size_fits(expected) && size_fits(got), "compare: an output's bytes do not fit its shape");
  require(poison.empty() || poison.size() == got.bytes.size(),
          "compare: the poison is not as long as the output");
  require(input.bytes.empty() || size_fits(input),
          "compare: the input's bytes do not fit its shape");
  require(tolerance.ulps == 0 || is_float(got.type),
          "compare: only floats have units in the last place");
  const auto count = by_size(expected, [&](auto bits) {
    using Bits = decltype(bits);
    return tolerance.ulps == 0 ? count_differences<Bits>(expected, got, tolerance.moves_bits)
                               : count_beyond<Bits>(expected, got, tolerance);
  });
  if (count.differing == 0) return std::nullopt;
  const auto offset = count.first * size_of(got.type);
  return Difference{.count = count.differing,
                    .row = count.first / got.columns,
                    .column = count.first % got.columns,
                    .expected = format(expected.type, expected.bytes.data() + offset),
                    .got = format(got.type, got.bytes.data() + offset),
                    .cause = guess_cause(expected, got, poison, input, count.first, tolerance),
                    .relative = relative_error(expected, got, count.first),
                    .difference = integer_at(got, count.first) - integer_at(expected, count.first)};
}

OutputDifference describe(const Difference& difference, const Matrix& got,
                          const std::string& name) {
  Matrix named = got;
  named.name = name;
  const auto total = got.rows * got.columns;
  OutputDifference out;
  out.element = element_name(named, name, difference.row * got.columns + difference.column);
  out.indices = {difference.row, difference.column};
  if (got.rows == 1) out.indices = {difference.column};
  out.expected = difference.expected;
  out.got = difference.got;
  out.cause = difference.cause.text;
  out.kind = difference.cause.kind;
  out.deviation = {difference.relative, difference.difference, difference.count, total};
  out.text = fmt::format("{}: expected {}, got {}{}; {} of {} differ{}", out.element, out.expected,
                         out.got, out.cause.empty() ? "" : fmt::format(" ({})", out.cause),
                         base::grouped(difference.count), base::counted(total, "element"),
                         difference.count == 1 ? "s" : "");
  return out;
}

}  // namespace warpgrade::verify
