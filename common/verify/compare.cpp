// SPDX-License-Identifier: Apache-2.0
#include "common/verify/compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

#include "common/base/text.h"
#include "common/verify/element.h"
#include "common/verify/values.h"

namespace warpgrade::verify {

// Searches the input for the expected and the found value; the relation of their positions reveals
// the cause. The search reads the whole input, but only once per failed comparison.

/// Element `index` of integers, modulo 2^64; 0 of floats.
static std::int64_t integer_at(const Matrix& matrix, std::uint64_t index);

/// got - expected relative to the expected float in element `index`; 0 if that is not finite.
static double relative_error(const Matrix& expected, const Matrix& got, std::uint64_t index);

/// The cause of the error in element `index` (row-major) of `got`. `tolerance` is how
/// it may differ from the expected value.
static Cause guess_cause(const Matrix& expected, const Matrix& got,
                         std::span<const std::byte> poison, const Matrix& input,
                         std::uint64_t index, const Tolerance& tolerance = {});

/// "in[3][5]", or "in[5]" if `matrix` is a single row; `name` if the matrix is empty.
static std::string element_name(const Matrix& matrix, std::string_view name, std::uint64_t index);

namespace {

// Index of the only element of `matrix` with these bits; nullopt if it is missing or not unique.
template <class Bits>
std::optional<std::uint64_t> find_only(const Matrix& matrix, const std::byte* element) {
  Bits wanted{};
  std::memcpy(&wanted, element, sizeof(wanted));
  std::optional<std::uint64_t> found;
  const std::uint64_t count = matrix.bytes.size() / sizeof(Bits);
  for (std::uint64_t i = 0; i < count; ++i) {
    Bits bits{};
    std::memcpy(&bits, matrix.bytes.data() + i * sizeof(Bits), sizeof(bits));
    if (bits != wanted) continue;
    if (found) return std::nullopt;
    found = i;
  }
  return found;
}

std::optional<std::uint64_t> find_only(const Matrix& matrix, const std::byte* element) {
  switch (size_of(matrix.type)) {
    case 1:
      return find_only<std::uint8_t>(matrix, element);
    case 2:
      return find_only<std::uint16_t>(matrix, element);
    case 4:
      return find_only<std::uint32_t>(matrix, element);
    default:
      return find_only<std::uint64_t>(matrix, element);
  }
}

bool is_zero(const std::byte* element, std::uint32_t bytes) {
  static constexpr std::byte kZeros[8] = {};
  return std::memcmp(element, kZeros, bytes) == 0;
}

// The relation between element `from` of the input and element `wanted`, which belongs in element
// `index` of `got`; empty if they are unrelated.
Cause relation(const Matrix& input, const Matrix& got, std::uint64_t from, std::uint64_t wanted,
               std::uint64_t index) {
  const auto belongs = element_name(input, "in", wanted);
  const auto row = from / input.columns, column = from % input.columns;
  const auto wanted_row = wanted / input.columns, wanted_column = wanted % input.columns;
  if (row == wanted_column && column == wanted_row) {
    const bool moved = index / got.columns == wanted_row && index % got.columns == wanted_column;
    return {CauseKind::kTransposed, fmt::format("the {} element: {} belongs here",
                                                moved ? "transposed" : "untransposed", belongs)};
  }
  if (row == wanted_row && column == wanted_column + 1) {
    return {CauseKind::kNeighbour,
            fmt::format("the right-hand neighbour of {}, which belongs here", belongs)};
  }
  if (row == wanted_row && column + 1 == wanted_column) {
    return {CauseKind::kNeighbour,
            fmt::format("the left-hand neighbour of {}, which belongs here", belongs)};
  }
  if (column == wanted_column && row == wanted_row + 1) {
    return {CauseKind::kNeighbour,
            fmt::format("the neighbour below {}, which belongs here", belongs)};
  }
  if (column == wanted_column && row + 1 == wanted_row) {
    return {CauseKind::kNeighbour,
            fmt::format("the neighbour above {}, which belongs here", belongs)};
  }
  if (from == wanted + 1) {
    return {CauseKind::kNeighbour,
            fmt::format("the first element of the next row: off by one, {} belongs here", belongs)};
  }
  if (from + 1 == wanted) {
    return {
        CauseKind::kNeighbour,
        fmt::format("the last element of the row before: off by one, {} belongs here", belongs)};
  }
  if (input.rows != input.columns && from == wanted_row * input.rows + wanted_column) {
    return {
        CauseKind::kRowLength,
        fmt::format("read as if a row of {} had {} instead of {}; {} belongs here",
                    input.name.empty() ? "in" : input.name, base::counted(input.rows, "element"),
                    base::grouped(input.columns), belongs)};
  }
  // Written to row * got.rows + column instead of row * got.columns + column: element `index`
  // received the value for this row and column, which for a transpose are the input's column and
  // row.
  const auto wrong_row = index / got.rows, wrong_column = index % got.rows;
  const bool copied = input.rows == got.rows && row == wrong_row && column == wrong_column;
  const bool transposed = input.rows == got.columns && row == wrong_column && column == wrong_row;
  if (got.rows != got.columns && (copied || transposed)) {
    return {CauseKind::kRowLength,
            fmt::format("written as if a row of {} had {} instead of {}; {} belongs here",
                        got.name.empty() ? "out" : got.name, base::counted(got.rows, "element"),
                        base::grouped(got.columns), belongs)};
  }
  return {CauseKind::kOtherElement, fmt::format("{} belongs here", belongs)};
}

double value_of(ElementType type, const std::byte* element) {
  const auto as = [&]<class T>(T value) {
    std::memcpy(&value, element, sizeof(value));
    return value;
  };
  if (type == ElementType::kF16) return half_to_float(as(std::uint16_t{}));
  return type == ElementType::kF32 ? as(0.0F) : as(0.0);
}

// The cause of floats that differ for no other reason. Beyond one part in a thousand, units in the
// last place mean nothing to a reader.
Cause inaccurate(const Matrix& expected, const Matrix& got, std::uint64_t index,
                 const Tolerance& tolerance) {
  constexpr std::uint64_t kFew = 256;  // 16 of the 24 bits of f32 agree
  constexpr double kMuch = 1e-3;
  const auto offset = index * size_of(got.type);
  const auto apart =
      ulps_between(got.type, expected.bytes.data() + offset, got.bytes.data() + offset);
  const bool is_rounding = got.type != ElementType::kF16 && apart != 0 && apart <= kFew;
  if (apart == kNoUlps || (tolerance.ulps == 0 && !is_rounding)) return {};
  Cause out{CauseKind::kInaccurate, {}};
  const double relative = relative_error(expected, got, index);
  if (tolerance.magnitude > 0) {
    const auto wanted = value_of(got.type, expected.bytes.data() + offset);
    const auto off = value_of(got.type, got.bytes.data() + offset) - wanted;
    out.text = fmt::format("{:.2g} too {}; {:.2g} is allowed", std::abs(off),
                           off < 0 ? "small" : "large", free_difference(got.type, tolerance));
  } else if (tolerance.ulps == 0) {
    out.text = fmt::format(
        "{} in the last place apart: rounding, for example of a constant or by "
        "a different order of additions",
        base::counted(apart, "unit"));
  } else if (std::abs(relative) < kMuch) {
    out.text = fmt::format("{} in the last place apart; {} are allowed",
                           base::counted(apart, "unit"), base::grouped(tolerance.ulps));
  } else {
    out.text =
        fmt::format("{:.2g} % too {}", 100 * std::abs(relative), relative < 0 ? "small" : "large");
  }
  return out;
}

// Whether every wrong element equals the expected one without its fraction. Zeros alone do not
// count: a missing store or a missing product leaves them, too.
bool all_are_cut(const Matrix& expected, const Matrix& got) {
  constexpr double kMostInt = 2147483648;
  const auto bytes = size_of(got.type);
  bool is_any_nonzero = false;
  for (std::uint64_t i = 0; i < got.bytes.size(); i += bytes) {
    if (std::memcmp(got.bytes.data() + i, expected.bytes.data() + i, bytes) == 0) continue;
    const auto wanted = value_of(got.type, expected.bytes.data() + i);
    if (!(std::abs(wanted) < kMostInt)) continue;  // An int cannot hold it.
    const auto cut = std::trunc(wanted);
    if (cut == wanted || value_of(got.type, got.bytes.data() + i) != cut) return false;
    is_any_nonzero |= cut != 0;
  }
  return is_any_nonzero;
}

bool differs(const Matrix& expected, const Matrix& got, std::uint64_t i) {
  const auto bytes = size_of(got.type);
  return std::memcmp(got.bytes.data() + i * bytes, expected.bytes.data() + i * bytes, bytes) != 0;
}

// Whether `value` has at most 11 significant bits, like a half.
bool is_half(double value) {
  int exponent = 0;
  const auto scaled = std::ldexp(std::frexp(value, &exponent), 11);
  return scaled == std::trunc(scaled);
}

// The cause of several wrong elements with missing bits: a type that is too narrow.
Cause narrow_type(const Matrix& expected, const Matrix& got) {
  constexpr std::uint64_t kEnough = 4;
  const auto bytes = size_of(got.type);
  std::uint64_t cut = 0;
  bool all_whole = true;
  bool all_halves = true;
  bool all_zero = true;
  for (std::uint64_t i = 0; i < got.bytes.size() / bytes; ++i) {
    const auto value = value_of(got.type, got.bytes.data() + i * bytes);
    if (!std::isfinite(value)) return {};
    all_whole = all_whole && value == std::trunc(value);
    if (!differs(expected, got, i)) continue;
    all_zero = all_zero && value == 0;
    const auto wanted = value_of(got.type, expected.bytes.data() + i * bytes);
    const auto close = std::max(1.0, std::abs(wanted) / 16);
    all_halves = all_halves && is_half(value) && std::abs(value - wanted) <= close;
    if (wanted != std::trunc(wanted)) ++cut;
  }
  if (cut < kEnough || all_zero) return {};
  if (all_whole) {
    return {CauseKind::kWholeNumbers, "every element is a whole number: is a sum kept in an int?"};
  }
  if (all_halves) {
    return {CauseKind::kHalf,
            "close, but with no more digits than a half: is a sum kept in a half?"};
  }
  return {};
}

// The element of the output to which the value of element `index` belongs, if others have changed
// places, too.
Cause other_place(const Matrix& expected, const Matrix& got, std::uint64_t index) {
  constexpr std::uint64_t kLookedAt = 16;
  const auto bytes = size_of(got.type);
  const auto at = [&](std::uint64_t i) { return got.bytes.data() + i * bytes; };
  if (is_zero(at(index), bytes)) return {};
  const auto place = find_only(expected, at(index));
  if (!place) return {};
  std::uint64_t wrong = 0;
  std::uint64_t found = 0;
  for (auto i = index; i < got.bytes.size() / bytes && wrong < kLookedAt; ++i) {
    if (!differs(expected, got, i)) continue;
    ++wrong;
    if (find_only(expected, at(i))) ++found;
  }
  if (found < 2 || found * 2 < wrong) return {};
  return {CauseKind::kOtherPlace,
          fmt::format("this is what {} should hold", element_name(got, "out", *place))};
}

// Calls `visit` with the indices of all wrong elements until it returns false. Returns the number
// of calls.
template <class Visit>
std::uint64_t visit_wrong(const Matrix& expected, const Matrix& got, const Visit& visit) {
  std::uint64_t visited = 0;
  for (std::uint64_t i = 0; i < got.bytes.size() / size_of(got.type); ++i) {
    if (!differs(expected, got, i)) continue;
    ++visited;
    if (!visit(i)) break;
  }
  return visited;
}

// The cause if the low bits of all wrong integers are right, and too many integers are wrong for
// this to be chance, or the other bits are 0.
Cause narrow_integer(const Matrix& expected, const Matrix& got) {
  for (const unsigned bits : {16U, 8U}) {
    if (8 * size_of(got.type) <= bits) continue;
    const auto low = (std::int64_t{1} << bits) - 1;
    bool agree = true;
    bool is_rest = true;
    const auto wrong = visit_wrong(expected, got, [&](std::uint64_t i) {
      agree = ((integer_at(got, i) ^ integer_at(expected, i)) & low) == 0;
      is_rest = is_rest && integer_at(got, i) > 0 && integer_at(got, i) <= low;
      return agree;
    });
    if (!agree || wrong * bits < (is_rest ? 16 : 48)) continue;
    return {CauseKind::kNarrowInteger,
            fmt::format("the lowest {} bits are right in all wrong elements: does a value pass "
                        "through {} bits?",
                        bits, bits)};
  }
  return {};
}

// The cause of a wrong integer that is small enough to be a count: how many are missing or too
// many.
Cause wrong_count(const Matrix& expected, const Matrix& got, std::uint64_t index) {
  constexpr std::int64_t kMost = 1 << 24;
  const auto wanted = integer_at(expected, index);
  const auto found = integer_at(got, index);
  if (wanted < 0 || wanted > kMost || found < 0 || found > kMost) return {};
  return {
      CauseKind::kCount,
      fmt::format("{} too {}", base::grouped(static_cast<std::uint64_t>(std::abs(found - wanted))),
                  found < wanted ? "few" : "many")};
}

// Whether all wrong elements are twice the expected ones.
bool all_are_twice(const Matrix& expected, const Matrix& got) {
  bool is_twice = true;
  visit_wrong(expected, got, [&](std::uint64_t i) {
    if (is_float(got.type)) {
      const auto offset = i * size_of(got.type);
      const auto wanted = value_of(got.type, expected.bytes.data() + offset);
      is_twice = wanted != 0 && value_of(got.type, got.bytes.data() + offset) == 2 * wanted;
    } else {
      const auto wanted = integer_at(expected, i);
      is_twice = wanted != 0 && integer_at(got, i) == 2 * wanted;
    }
    return is_twice;
  });
  return is_twice;
}

}  // namespace

static std::int64_t integer_at(const Matrix& matrix, std::uint64_t index) {
  const auto* const at = matrix.bytes.data() + index * size_of(matrix.type);
  const auto as = [&]<class T>(T value) {
    std::memcpy(&value, at, sizeof(value));
    return static_cast<std::int64_t>(value);
  };
  switch (matrix.type) {
    case ElementType::kI8:
      return as(std::int8_t{});
    case ElementType::kU8:
      return as(std::uint8_t{});
    case ElementType::kI16:
      return as(std::int16_t{});
    case ElementType::kU16:
      return as(std::uint16_t{});
    case ElementType::kI32:
      return as(std::int32_t{});
    case ElementType::kU32:
      return as(std::uint32_t{});
    case ElementType::kI64:
    case ElementType::kU64:
      return as(std::int64_t{});
    default:
      return 0;
  }
}

static std::string element_name(const Matrix& matrix, std::string_view name, std::uint64_t index) {
  const auto shown = matrix.name.empty() ? name : matrix.name;
  if (matrix.rows == 1) return fmt::format("{}[{}]", shown, index);
  return fmt::format("{}[{}][{}]", shown, index / matrix.columns, index % matrix.columns);
}

/// Whether element `index` of `got` still holds its poison, which may be empty.
static bool is_unwritten(const Matrix& got, std::span<const std::byte> poison,
                         std::uint64_t index) {
  const std::uint32_t bytes = size_of(got.type);
  return !poison.empty() &&
         std::memcmp(got.bytes.data() + index * bytes, poison.data() + index * bytes, bytes) == 0;
}

static double relative_error(const Matrix& expected, const Matrix& got, std::uint64_t index) {
  if (!is_float(got.type)) return 0;
  const auto offset = index * size_of(got.type);
  const auto wanted = value_of(got.type, expected.bytes.data() + offset);
  const auto out = (value_of(got.type, got.bytes.data() + offset) - wanted) / std::abs(wanted);
  return std::isfinite(out) ? out : 0;
}

static Cause guess_cause(const Matrix& expected, const Matrix& got,
                         std::span<const std::byte> poison, const Matrix& input,
                         std::uint64_t index, const Tolerance& tolerance) {
  const std::uint32_t bytes = size_of(got.type);
  const auto* const expected_element = expected.bytes.data() + index * bytes;
  const auto* const got_element = got.bytes.data() + index * bytes;
  if (is_unwritten(got, poison, index)) {
    return {CauseKind::kUnwritten, "never written: this is the content from before the launch"};
  }
  if (std::memcmp(got_element, expected_element, bytes) == 0) {
    return {CauseKind::kUnknown, "the expected value is itself a NaN, which never passes"};
  }
  if (is_float(got.type) && all_are_cut(expected, got)) {
    return {CauseKind::kWholeNumbers,
            "every wrong value is the expected one without its fraction: does it pass through an "
            "int?"};
  }
  if (is_float(got.type)) {
    if (auto narrow = narrow_type(expected, got); narrow.kind != CauseKind::kUnknown) return narrow;
  }
  if (is_float(got.type) && std::isnan(value_of(got.type, got_element))) {
    return {CauseKind::kNan,
            "a NaN that the kernel computed: from an uninitialized variable, 0/0, two infinities, "
            "or memory that was never written?"};
  }
  const bool searchable = !input.bytes.empty() && size_of(input.type) == bytes;
  if (searchable) {
    if (const auto from = find_only(input, got_element)) {
      Cause out{CauseKind::kInputElement,
                fmt::format("this is {}", element_name(input, "in", *from))};
      if (const auto wanted = find_only(input, expected_element)) {
        const auto related = relation(input, got, *from, *wanted, index);
        out = {related.kind, out.text + ", " + related.text};
      }
      return out;
    }
  }
  if (searchable && is_zero(got_element, bytes)) {
    for (std::uint64_t i = 0; i < input.bytes.size(); i += bytes) {
      if (is_zero(input.bytes.data() + i, bytes)) return {};
    }
    return {CauseKind::kZero,
            fmt::format("a zero, but {} contains none: was it read before any store?",
                        input.name.empty() ? "in" : input.name)};
  }
  if (auto place = other_place(expected, got, index); place.kind != CauseKind::kUnknown)
    return place;
  if (all_are_twice(expected, got)) return {CauseKind::kTwice, "twice the expected value"};
  if (is_float(got.type)) return inaccurate(expected, got, index, tolerance);
  if (auto narrow = narrow_integer(expected, got); narrow.kind != CauseKind::kUnknown)
    return narrow;
  return wrong_count(expected, got, index);
}

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
  const bool takes_nan = tolerance.moves_bits;
  return count_where<Bits>(expected, got, [infinity, most, free, takes_nan](Bits x, Bits y) {
    const auto from_zero = static_cast<Bits>(x & static_cast<Bits>(~kSign<Bits>));
    const auto other = static_cast<Bits>(y & static_cast<Bits>(~kSign<Bits>));
    const Bits larger = std::max(from_zero, other);
    const Bits smaller = std::min(from_zero, other);
    const bool is_same_side = static_cast<Bits>((x ^ y) & kSign<Bits>) == 0;
    const auto apart = static_cast<Bits>(is_same_side ? larger - smaller : larger + smaller);
    const bool is_finite = larger < infinity;
    const bool is_far = !(std::abs(difference_of(x, y)) <= free);
    return static_cast<Bits>((is_finite & (apart > most) & is_far) | (!is_finite & (x != y)) |
                             ((larger > infinity) & !takes_nan));
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

struct Places {
  std::uint64_t unwritten = 0;
  WrongBox box;
};

// The places of the wrong elements from `first` on, and the number that still hold their poison.
Places places_of(const Matrix& expected, const Matrix& got, std::span<const std::byte> poison,
                 std::uint64_t first, const Tolerance& tolerance) {
  const auto bytes = size_of(got.type);
  Places out;
  auto& box = out.box;
  box = {.first_row = first / got.columns,
         .last_row = first / got.columns,
         .first_column = first % got.columns,
         .last_column = first % got.columns,
         .rows = got.rows,
         .columns = got.columns};
  for (auto i = first; i < got.bytes.size() / bytes; ++i) {
    if (!differs(expected, got, i)) continue;
    if (tolerance.ulps != 0 && is_within(got.type, expected.bytes.data() + i * bytes,
                                         got.bytes.data() + i * bytes, tolerance)) {
      continue;
    }
    if (is_unwritten(got, poison, i)) ++out.unwritten;
    box.last_row = i / got.columns;
    box.first_column = std::min(box.first_column, i % got.columns);
    box.last_column = std::max(box.last_column, i % got.columns);
  }
  return out;
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
  const auto where = places_of(expected, got, poison, count.first, tolerance);
  return Difference{.count = count.differing,
                    .row = count.first / got.columns,
                    .column = count.first % got.columns,
                    .expected = format(expected.type, expected.bytes.data() + offset),
                    .got = format(got.type, got.bytes.data() + offset),
                    .cause = guess_cause(expected, got, poison, input, count.first, tolerance),
                    .relative = relative_error(expected, got, count.first),
                    .difference = integer_at(got, count.first) - integer_at(expected, count.first),
                    .unwritten = where.unwritten,
                    .box = where.box};
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
  out.deviation = {difference.relative,  difference.difference, difference.count, total,
                   difference.unwritten, difference.box};
  out.text = fmt::format("{}: expected {}, got {}{}; {} of {} differ{}", out.element, out.expected,
                         out.got, out.cause.empty() ? "" : fmt::format(" ({})", out.cause),
                         base::grouped(difference.count), base::counted(total, "element"),
                         difference.count == 1 ? "s" : "");
  return out;
}

}  // namespace warpgrade::verify
