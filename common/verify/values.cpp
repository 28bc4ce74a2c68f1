// SPDX-License-Identifier: Apache-2.0
// Makes the contents of buffers: distinct values, poison, random indices, CSR rows, mostly equal
// elements.
//
// Every element is a function of only the contents, the seed and the index, so any part of a
// buffer can be made alone. Distinct values consist of a bijection of the low bits of the index
// and a digit from its other bits. No two indices share a value until the type is exhausted.
#include "common/verify/values.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <span>
#include <vector>

#include "common/verify/element.h"

namespace warpgrade::verify {
namespace {

enum Stream : std::uint64_t { kPoisonStream = 2, kWholeStream, kRandomStream, kEighthsStream };
enum class Floats { kNormal, kAny };  // kAny: some are NaNs, infinities, denormals and zeros

constexpr std::uint64_t kPieceBytes = 8192;

// Elements from a given index on, as many as there is room for.
struct Part {
  std::uint64_t first;
  std::span<std::byte> to;
};

// Elements with the bits bits_of(index). They are made in pieces that fit in the L1 cache, so
// memory is written once; the inner loop counts in 32 bits, which permits vectorisation.
template <class Bits, class Generator>
void generate(Part part, const Generator& bits_of) {
  constexpr std::uint64_t kPiece = kPieceBytes / sizeof(Bits);
  std::array<Bits, kPiece> piece;
  while (!part.to.empty()) {
    const auto length = static_cast<std::uint32_t>(
        std::min(kPiece - part.first % kPiece, part.to.size() / sizeof(Bits)));
    for (std::uint32_t i = 0; i < length; ++i) {
      piece[i] = static_cast<Bits>(bits_of(part.first, i));
    }
    std::memcpy(part.to.data(), piece.data(), length * sizeof(Bits));
    part = {part.first + length, part.to.subspan(length * sizeof(Bits))};
  }
}

// The value of an integer's top four bits that is reserved for poison.
constexpr unsigned poison_nibble(bool has_sign) { return has_sign ? 0x8 : 0xf; }

// Integers: the low bits are a bijection of the index's low bits. The top four bits are one of the
// fifteen values not reserved for poison, a different one for each index block (index >> low bits).
template <class Bits, class Word>
void distinct_integers(Part part, bool has_sign, std::uint64_t seed) {
  constexpr unsigned kLow = 8 * sizeof(Bits) - 4;
  constexpr Word kMask = static_cast<Word>((std::uint64_t{1} << kLow) - 1);
  const Permutation<Word> permute(kLow, seed);
  const Permutation<Word> spread(kLow, ~seed);
  const auto after_poison = static_cast<Word>(poison_nibble(has_sign)) + 1;
  return generate<Bits>(part, [=](std::uint64_t first, std::uint32_t i) {
    // For types wider than 16 bits, a piece never crosses a block boundary.
    const auto block =
        static_cast<Word>(kLow >= 16 ? (first >> kLow) % 15 : ((first + i) >> kLow) % 15);
    const Word low = permute(static_cast<Word>(static_cast<Word>(first) + i) & kMask);
    Word digit = static_cast<Word>(((spread(low) >> (kLow - 4)) * 15) >> 4) + block;
    digit = digit >= 15 ? digit - 15 : digit;
    return low | (((digit + after_poison) & 15) << kLow);
  });
}

// The exponents of f32 and f64 have three bits from a permutation, directly above the mantissa.
// Those with all three set become special if the mantissa ends in kSpecialEnd, so special elements
// are distinct as well: its next bit decides between a NaN (exponent of ones) and a denormal (0).
// Those with the highest two set become zeros and infinities if it ends in kBareEnd.
constexpr unsigned kSpecialEnd = 0xf;
constexpr unsigned kBareEnd = 0x7f;

// One comparison for each kind and masks instead of branches, so that the loop over elements is
// vectorised.
template <class Bits>
constexpr Bits with_special(Bits bits, Bits low, unsigned mantissa) {
  const Bits sign = Bits{1} << (8 * sizeof(Bits) - 1);
  const Bits fraction = (Bits{1} << mantissa) - 1;
  const Bits ones = ~sign & ~fraction;
  const Bits group = Bits{7} << mantissa;
  const Bits special = (low & (group | kSpecialEnd)) == (group | kSpecialEnd) ? ones : 0;
  const Bits bare = (low & (group | kBareEnd)) == ((Bits{6} << mantissa) | kBareEnd) ? ~sign : 0;
  const Bits infinite = (low & (kSpecialEnd + 1)) != 0 ? special : 0;
  const Bits bare_infinite = (low & (kBareEnd + 1)) != 0 ? bare & ones : 0;
  return (bits & ~special & ~bare) | infinite | bare_infinite;
}

// f16: sign and mantissa are a bijection of the low 11 bits; the exponent is one of the 30 normal
// ones.
void distinct_f16(Part part, Floats floats, std::uint64_t seed) {
  const Permutation<std::uint32_t> permute(11, seed);
  const Permutation<std::uint32_t> spread(11, ~seed);
  return generate<std::uint16_t>(part, [=](std::uint64_t first, std::uint32_t i) {
    const std::uint64_t index = first + i;
    const std::uint32_t low = permute(static_cast<std::uint32_t>(index) & 0x7ffU);
    const auto block = static_cast<std::uint32_t>((index >> 11) % 30);
    std::uint32_t exponent = 1 + (block + spread(low)) % 30;
    const bool is_special = floats == Floats::kAny && (low & 0x1f) == 0x1f;
    if (is_special) exponent = (low & 0x20) != 0 ? 31 : 0;
    return ((low & 0x400U) << 5) | (exponent << 10) | (low & 0x3ffU);
  });
}

// f32: sign, three bits of the exponent and the mantissa are a bijection of the low 27 bits. Each
// block of 2^27 indices uses another group of eight exponents; the first group covers 1 to 256.
template <Floats kFloats>
void distinct_f32(Part part, std::uint64_t seed) {
  const Permutation<std::uint32_t> permute(27, seed);
  return generate<std::uint32_t>(part, [=](std::uint64_t first, std::uint32_t i) {
    const std::uint32_t low = permute((static_cast<std::uint32_t>(first) + i) & 0x7ffffffU);
    const auto group = static_cast<std::uint32_t>(((first >> 27) + 8) % 16);
    const std::uint32_t bits =
        ((low & 0x4000000U) << 5) | (((127 - 64 + 8 * group) << 23) + (low & 0x3ffffffU));
    return kFloats == Floats::kAny ? with_special(bits, low, 23) : bits;
  });
}

// f64: like f32 with 56 bits, which no index exceeds.
template <Floats kFloats>
void distinct_f64(Part part, std::uint64_t seed) {
  const Permutation<std::uint64_t> permute(56, seed);
  return generate<std::uint64_t>(part, [=](std::uint64_t first, std::uint32_t i) {
    const std::uint64_t low = permute(first + i);
    const std::uint64_t bits =
        ((low >> 55) << 63) | ((std::uint64_t{1023} << 52) + (low & 0x7fffffffffffffU));
    return kFloats == Floats::kAny ? with_special(bits, low, 52) : bits;
  });
}

void distinct(ElementType type, Part part, Floats floats, std::uint64_t seed) {
  const bool has_sign = is_signed(type);
  switch (type) {
    case ElementType::kF16:
      return distinct_f16(part, floats, seed);
    case ElementType::kF32:
      return floats == Floats::kAny ? distinct_f32<Floats::kAny>(part, seed)
                                    : distinct_f32<Floats::kNormal>(part, seed);
    case ElementType::kF64:
      return floats == Floats::kAny ? distinct_f64<Floats::kAny>(part, seed)
                                    : distinct_f64<Floats::kNormal>(part, seed);
    default:
      break;
  }
  switch (size_of(type)) {
    case 1:
      return distinct_integers<std::uint8_t, std::uint32_t>(part, has_sign, seed);
    case 2:
      return distinct_integers<std::uint16_t, std::uint32_t>(part, has_sign, seed);
    case 4:
      return distinct_integers<std::uint32_t, std::uint32_t>(part, has_sign, seed);
    default:
      return distinct_integers<std::uint64_t, std::uint64_t>(part, has_sign, seed);
  }
}

// Elements of `type` with the whole number number_of(index); floats are multiplied by `scale`, a
// power of two.
template <class Generator>
void whole_numbers(ElementType type, Part part, const Generator& number_of, double scale = 1) {
  const auto narrow = static_cast<float>(scale);
  const auto number = [&](std::uint64_t first, std::uint32_t i) { return number_of(first + i); };
  switch (type) {
    case ElementType::kF16:
      return generate<std::uint16_t>(part, [&](std::uint64_t first, std::uint32_t i) {
        return half_from_float(static_cast<float>(number(first, i)) * narrow);
      });
    case ElementType::kF32:
      return generate<std::uint32_t>(part, [&](std::uint64_t first, std::uint32_t i) {
        return std::bit_cast<std::uint32_t>(static_cast<float>(number(first, i)) * narrow);
      });
    case ElementType::kF64:
      return generate<std::uint64_t>(part, [&](std::uint64_t first, std::uint32_t i) {
        return std::bit_cast<std::uint64_t>(static_cast<double>(number(first, i)) * scale);
      });
    default:
      break;
  }
  switch (size_of(type)) {
    case 1:
      return generate<std::uint8_t>(part, number);
    case 2:
      return generate<std::uint16_t>(part, number);
    case 4:
      return generate<std::uint32_t>(part, number);
    default:
      return generate<std::uint64_t>(part, number);
  }
}

// Scales as many random bits as the significand has (24, 53; 11 for f16) to [0, 1), which is exact.
// Floats can have a random sign.
void random(ElementType type, Part part, bool has_sign, std::uint64_t seed) {
  const Mixer mix(seed, kRandomStream);
  const std::uint64_t sign = has_sign ? 1 : 0;  // the lowest bit of mix() is free for every type
  switch (type) {
    case ElementType::kF16:
      return generate<std::uint16_t>(part, [=](std::uint64_t first, std::uint32_t i) {
        const auto bits = mix(first + i);
        const auto whole = static_cast<std::int32_t>(bits >> 53);
        const auto value = std::bit_cast<std::uint32_t>(static_cast<float>(whole) * 0x1p-11F);
        // An exact half, normal or zero: another bias of the exponent, and 13 zeros less.
        const auto half = whole == 0 ? 0 : (value - ((127U - 15U) << 23)) >> 13;
        return half | static_cast<std::uint32_t>(bits & sign) << 15;
      });
    case ElementType::kF32:
      return generate<std::uint32_t>(part, [=](std::uint64_t first, std::uint32_t i) {
        const auto bits = mix(first + i);
        const auto whole = static_cast<std::int32_t>(bits >> 40);
        return std::bit_cast<std::uint32_t>(static_cast<float>(whole) * 0x1p-24F) |
               static_cast<std::uint32_t>(bits & sign) << 31;
      });
    case ElementType::kF64:
      return generate<std::uint64_t>(part, [=](std::uint64_t first, std::uint32_t i) {
        const auto bits = mix(first + i);
        const auto whole = static_cast<std::int64_t>(bits >> 11);
        return std::bit_cast<std::uint64_t>(static_cast<double>(whole) * 0x1p-53) | (bits & sign)
                                                                                        << 63;
      });
    default:
      return whole_numbers(type, part, mix);
  }
}

}  // namespace

void fill(ElementType type, std::uint64_t first, std::span<std::byte> to, Fill how,
          std::uint64_t seed) {
  const Part part{first, to};
  switch (how) {
    case Fill::kDistinct:
      return distinct(type, part, Floats::kNormal, seed);
    case Fill::kAnyBits:
      return distinct(type, part, Floats::kAny, seed);
    case Fill::kSmallWhole:
      return whole_numbers(type, part, [mix = Mixer(seed, kWholeStream)](std::uint64_t index) {
        return mix(index) >> 61;
      });
    case Fill::kSignedWhole:
      return whole_numbers(type, part, [mix = Mixer(seed, kWholeStream)](std::uint64_t index) {
        return static_cast<std::int64_t>(mix(index) >> 60) - 8;
      });
    case Fill::kOddEighths:
      return whole_numbers(
          type, part,
          [mix = Mixer(seed, kEighthsStream)](std::uint64_t index) {
            return static_cast<std::int64_t>(mix(index) >> 56) * 2 - 255;
          },
          0.125);
    case Fill::kIota:
      return whole_numbers(type, part, [](std::uint64_t index) { return index; });
    case Fill::kZeros:
      std::fill(to.begin(), to.end(), std::byte{0});
      return;
    case Fill::kRandom:
    case Fill::kSignedRandom:
      return random(type, part, how == Fill::kSignedRandom, seed);
  }
}

std::vector<std::byte> fill(ElementType type, std::uint64_t count, Fill how, std::uint64_t seed) {
  std::vector<std::byte> bytes(count * size_of(type));
  fill(type, 0, bytes, how, seed);
  return bytes;
}

void poison(ElementType type, std::uint64_t first, std::span<std::byte> to, std::uint64_t seed) {
  const Part part{first, to};
  const Mixer mix(seed, kPoisonStream);
  const unsigned bits = 8 * size_of(type);
  std::uint64_t fixed = std::uint64_t{poison_nibble(is_signed(type))} << (bits - 4);
  std::uint64_t free = (std::uint64_t{1} << (bits - 4)) - 1;
  if (is_float(type)) {
    // Fixed: the exponent is all ones and the quiet bit is set. The next bit stays 0, so no payload
    // matches the NaNs computed on a GPU (all ones); the lowest bit is 1, so no payload matches the
    // host's (0). Free: the sign and the rest of the payload.
    const unsigned mantissa = bits == 16 ? 10 : bits == 32 ? 23 : 52;
    fixed = (((std::uint64_t{1} << (bits - mantissa)) - 1) << (mantissa - 1)) | 1;
    free = ((std::uint64_t{1} << (mantissa - 2)) - 1) | (std::uint64_t{1} << (bits - 1));
  }
  const auto element = [=](std::uint64_t start, std::uint32_t i) {
    return fixed | (mix(start + i) & free);
  };
  switch (size_of(type)) {
    case 1:
      return generate<std::uint8_t>(part, element);
    case 2:
      return generate<std::uint16_t>(part, element);
    case 4:
      return generate<std::uint32_t>(part, element);
    default:
      return generate<std::uint64_t>(part, element);
  }
}

std::vector<std::byte> poison(ElementType type, std::uint64_t count, std::uint64_t seed) {
  std::vector<std::byte> bytes(count * size_of(type));
  poison(type, 0, bytes, seed);
  return bytes;
}

namespace {

/// Number of neighbouring rows of kSkewedStarts per long row. A smaller number of rows also has
/// one.
constexpr std::uint64_t kSkewedRows = 256;

enum IndexStream : std::uint64_t {
  kBelowStream = 16,
  kStartStream,
  kLongRowStream,
  kEqualStream,
  kEdgeStream
};

// Uniform from 0 to bound - 1, for bounds up to 2^32.
std::uint64_t uniform(std::uint64_t bits, std::uint64_t bound) {
  return (bits >> 32) * bound >> 32;
}

// Start `row` of `rows` with `total` elements together: the even share, and up to one mean length
// more. Starts ascend, because the next even share is at least one mean length further.
std::uint64_t even_start(std::uint64_t row, std::uint64_t rows, std::uint64_t total,
                         std::uint64_t seed) {
  if (row == 0) return 0;
  if (row >= rows) return total;
  return row * total / rows + uniform(Mixer(seed, kStartStream)(row), total / rows);
}

// Elements of long rows before `row`.
std::uint64_t long_elements(std::uint64_t row, std::uint64_t rows, std::uint64_t total,
                            std::uint64_t seed) {
  if (row >= rows) return total;
  const auto groups = (rows + kSkewedRows - 1) / kSkewedRows;
  const auto group = row / kSkewedRows;
  const auto first = group * kSkewedRows;
  const auto place =
      uniform(Mixer(seed, kLongRowStream)(group), std::min(kSkewedRows, rows - first));
  const bool is_behind = row > first + place;
  return (group + (is_behind ? 1 : 0)) * total / groups;
}

// Elements of `rows` rows whose lengths are kEdgeLengths over and over.
std::uint64_t edge_elements(std::uint64_t rows) {
  const auto* const first = kEdgeLengths.begin();
  const auto rest = first + rows % kEdgeLengths.size();
  return rows / kEdgeLengths.size() * std::accumulate(first, kEdgeLengths.end(), std::uint64_t{0}) +
         std::accumulate(first, rest, std::uint64_t{0});
}

std::uint64_t edge_start(std::uint64_t row, std::uint64_t rows, std::uint64_t total,
                         std::uint64_t seed) {
  if (row >= rows) return total;
  const auto skipped = uniform(Mixer(seed, kEdgeStream)(0), kEdgeLengths.size());
  return std::min(edge_elements(row + skipped) - edge_elements(skipped), total);
}

// The high half of an element's bits decides whether it is equal, the low half is its own value.
// Writes one size at a time, because a buffer of bytes has many elements.
template <class Element>
void fill_mostly_equal(std::uint64_t first, std::span<std::byte> to, std::uint64_t percent,
                       std::uint64_t seed) {
  const Mixer mix(seed, kEqualStream);
  const auto common = static_cast<Element>(Mixer(~seed, kEqualStream)(0));
  const auto end = percent * (std::uint64_t{1} << 32) / kAllEqual;
  for (std::size_t at = 0; at + sizeof(Element) <= to.size(); at += sizeof(Element)) {
    const auto index = first + at / sizeof(Element);
    const auto bits = mix(index);
    const auto own = static_cast<Element>(sizeof(Element) == 8 ? mix(~index) : bits);
    const auto value = bits >> 32 < end ? common : own;
    std::memcpy(to.data() + at, &value, sizeof(Element));
  }
}

// Index modulo bound under a permutation of [0, bound): one of the next power of two is repeated
// until the number is in that range.
void fill_shuffled(ElementType type, std::uint64_t first, std::span<std::byte> to,
                   std::uint64_t bound, std::uint64_t seed) {
  const auto bits = std::max(1, static_cast<int>(std::bit_width(bound - 1)));
  const Permutation<std::uint64_t> permute(static_cast<unsigned>(bits), seed);
  const auto size = size_of(type);
  for (std::size_t at = 0; at + size <= to.size(); at += size) {
    auto value = (first + at / size) % bound;
    do {
      value = permute(value);
    } while (value >= bound);
    std::memcpy(to.data() + at, &value, size);  // little-endian
  }
}

std::uint64_t element(std::uint64_t index, const IndexFill& how, std::uint64_t seed) {
  const auto rows = how.count - 1;
  switch (how.kind) {
    case IndexKind::kBelow:
      return uniform(Mixer(seed, kBelowStream)(index), how.bound);
    case IndexKind::kStarts:
      return even_start(index, rows, how.bound, seed);
    case IndexKind::kEdgeStarts:
      return edge_start(index, rows, how.bound, seed);
    case IndexKind::kSkewedStarts:
    case IndexKind::kMostlyEqual:  // Have loops of their own.
    case IndexKind::kShuffled:
      break;
  }
  const auto in_long_rows = how.bound / 2;
  return even_start(index, rows, how.bound - in_long_rows, seed) +
         long_elements(index, rows, in_long_rows, seed);
}

}  // namespace

void fill_indices(ElementType type, std::uint64_t first, std::span<std::byte> to,
                  const IndexFill& how, std::uint64_t seed) {
  const auto size = size_of(type);
  if (how.kind == IndexKind::kMostlyEqual) {
    if (size == 1) return fill_mostly_equal<std::uint8_t>(first, to, how.bound, seed);
    if (size == 2) return fill_mostly_equal<std::uint16_t>(first, to, how.bound, seed);
    if (size == 4) return fill_mostly_equal<std::uint32_t>(first, to, how.bound, seed);
    return fill_mostly_equal<std::uint64_t>(first, to, how.bound, seed);
  }
  if (how.kind == IndexKind::kShuffled) return fill_shuffled(type, first, to, how.bound, seed);
  for (std::size_t at = 0; at + size <= to.size(); at += size) {
    const auto value = element(first + at / size, how, seed);
    std::memcpy(to.data() + at, &value, size);  // little-endian
  }
}

}  // namespace warpgrade::verify
