// SPDX-License-Identifier: Apache-2.0
#include "grader/profile/argument_spec.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "common/base/error.h"
#include "common/base/text.h"
#include "grader/text/scalars.h"
#include "grader/text/suggestions.h"

namespace warpgrade::grader::profile {
namespace {

constexpr std::array<std::string_view, 11> kTypes = {"i8",  "u8",  "i16", "u16", "i32", "u32",
                                                     "i64", "u64", "f16", "f32", "f64"};
constexpr std::array<std::string_view, 11> kScalarTypes = {
    "bool", "i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64", "f32", "f64"};
constexpr std::string_view kAnyWidth = "int:";
constexpr std::size_t kAddressBytes = 8;
// More than any kernel accepts.
constexpr std::size_t kMostStructBytes = std::size_t{32} << 10;

// Returns the text before the next ':'; `rest` becomes the text after it.
std::string_view take(std::string_view& rest) {
  const auto colon = rest.find(':');
  const auto part = rest.substr(0, colon);
  rest = colon == std::string_view::npos ? std::string_view{} : rest.substr(colon + 1);
  return part;
}

std::string quoted(std::string_view text) {
  return fmt::format("`{}`", base::escape_controls(text));
}

void read_init(std::string_view spec, std::string_view init, BufferSpec& out) {
  auto rest = init;
  const auto how = take(rest);
  const bool has_more = init.size() > how.size();
  if (how == "zeros" && !has_more) {
    out.fill = verify::Fill::kZeros;
  } else if (how == "iota" && !has_more) {
    out.fill = verify::Fill::kIota;
  } else if (how == "random" && has_more) {
    const auto seed = text::parse_count(rest);
    if (!seed) refuse(spec, fmt::format("the seed {} is not a whole number", quoted(rest)));
    out.fill = verify::Fill::kRandom;
    out.seed = *seed;
  } else if (how == "file" && !rest.empty()) {
    out.file = std::string(rest);
  } else {
    refuse(spec, fmt::format("{} is not a known content; use zeros, iota, random:SEED or file:PATH",
                             quoted(init)));
  }
}

bool is_buffer_kind(std::string_view kind) {
  return kind == "in" || kind == "out" || kind == "inout";
}

// `rest` is the text after "in:", "out:" or "inout:".
BufferSpec parse_buffer(std::string_view spec, std::string_view kind, std::string_view rest) {
  const bool is_filled = kind != "out";
  const auto form = fmt::format("{}:TYPE:COUNT{}", kind, is_filled ? ":INIT" : "");
  BufferSpec out;
  out.is_input = kind == "in";
  out.is_output = !is_filled;
  const auto type = take(rest);
  const auto known = verify::element_type(type);
  if (!known) {
    refuse(spec, fmt::format("unknown type {}{}; a buffer is {} with one of {}", quoted(type),
                             text::did_you_mean(type, kTypes), form, text::joined(kTypes)));
  }
  out.type = *known;
  const auto text = take(rest);
  const auto count = text::parse_count(text);
  if (!count || *count == 0) {
    refuse(spec, fmt::format("{} is not a count of elements; a buffer is {}", quoted(text), form));
  }
  if (*count > kMostBufferBytes / verify::size_of(out.type)) {
    refuse(spec,
           fmt::format("{} elements of {} are more than 8 GiB, the most that a launch may have",
                       *count, text::name(out.type)));
  }
  out.count = *count;
  if (is_filled) {
    read_init(spec, rest, out);
  } else if (!rest.empty()) {
    refuse(spec, fmt::format("{} is too much: an out buffer is {} and starts as zeros",
                             quoted(rest), form));
  }
  return out;
}

SameSpec parse_same(std::string_view spec, std::string_view index) {
  const auto parameter = text::parse_count(index);
  if (!parameter) {
    refuse(spec, fmt::format("{} is not a parameter's index; they count from 0", quoted(index)));
  }
  return {*parameter};
}

std::optional<unsigned> hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return std::nullopt;
}

void add_hex(std::string_view spec, std::string_view digits, std::vector<std::byte>& out) {
  if (digits.empty() || digits.size() % 2 != 0) {
    refuse(spec,
           fmt::format("{} is not a row of bytes: each has two hexadecimal digits, in the order "
                       "of their place in memory",
                       quoted(digits)));
  }
  for (std::size_t i = 0; i < digits.size(); i += 2) {
    const auto high = hex_digit(digits[i]);
    const auto low = hex_digit(digits[i + 1]);
    if (!high || !low) {
      refuse(spec,
             fmt::format("{} is not a byte in hexadecimal digits", quoted(digits.substr(i, 2))));
    }
    out.push_back(static_cast<std::byte>(*high * 16 + *low));
  }
}

// Parses the text behind the & of an address.
std::variant<SameSpec, BufferSpec> parse_target(std::string_view spec, std::string_view text) {
  auto rest = text;
  const auto kind = take(rest);
  if (is_buffer_kind(kind)) return parse_buffer(spec, kind, rest);
  return parse_same(spec, text);
}

StructSpec parse_struct(std::string_view spec, std::string_view rest) {
  StructSpec out;
  for (bool more = true; more;) {
    const auto comma = rest.find(',');
    const auto piece = rest.substr(0, comma);
    more = comma != std::string_view::npos;
    if (more) rest.remove_prefix(comma + 1);
    if (piece.starts_with('&')) {
      out.pointers.push_back({out.bytes.size(), parse_target(spec, piece.substr(1))});
      out.bytes.resize(out.bytes.size() + kAddressBytes);
    } else {
      add_hex(spec, piece, out.bytes);
    }
    if (out.bytes.size() > kMostStructBytes) {
      refuse(spec.substr(0, 60), fmt::format("the struct has more than {} bytes, which no kernel "
                                             "takes",
                                             kMostStructBytes));
    }
  }
  return out;
}

std::vector<std::byte> parse_number(std::string_view spec, std::string_view kind,
                                    std::string_view text) {
  const bool is_bool = kind == "bool";
  auto bytes =
      text::parse_scalar(is_bool ? verify::ElementType::kU8 : *verify::element_type(kind), text);
  if (bytes && is_bool && bytes->front() > std::byte{1}) bytes.reset();
  if (!bytes) {
    refuse(spec, fmt::format("{} is not a number of type {}{}", quoted(text), kind,
                             is_bool ? ", which is 0 or 1" : ""));
  }
  return *std::move(bytes);
}

// The number in `text` as a signed or unsigned integer of `bytes` bytes.
std::optional<std::vector<std::byte>> whole_number(std::string_view text, std::size_t bytes) {
  using verify::ElementType;
  for (const auto type :
       {ElementType::kI8, ElementType::kU8, ElementType::kI16, ElementType::kU16, ElementType::kI32,
        ElementType::kU32, ElementType::kI64, ElementType::kU64}) {
    if (verify::size_of(type) != bytes) continue;
    if (auto out = text::parse_scalar(type, text)) return out;
  }
  return std::nullopt;
}

}  // namespace

bool fit_width(ArgumentSpec& spec, std::size_t bytes) {
  auto number = whole_number(std::string_view(spec.text).substr(kAnyWidth.size()), bytes);
  if (!number) return false;
  spec.value = *std::move(number);
  return true;
}

void refuse(std::string_view spec, const std::string& why) {
  throw base::UsageError(fmt::format("--arg {}: {}", base::escape_controls(spec), why));
}

std::size_t ArgumentSpec::bytes() const {
  if (const auto* number = std::get_if<std::vector<std::byte>>(&value)) return number->size();
  const auto* structure = std::get_if<StructSpec>(&value);
  return structure == nullptr ? kAddressBytes : structure->bytes.size();
}

ArgumentSpec parse_argument(std::string_view spec) {
  auto rest = spec;
  const auto kind = take(rest);
  if (is_buffer_kind(kind)) return {std::string(spec), parse_buffer(spec, kind, rest), false};
  if (kind == "same") return {std::string(spec), parse_same(spec, rest), false};
  if (kind == "struct") return {std::string(spec), parse_struct(spec, rest), false};
  if (kind == "int") {
    auto number = whole_number(rest, kAddressBytes);
    if (!number) refuse(spec, fmt::format("{} is not a whole number", quoted(rest)));
    return {std::string(spec), *std::move(number), /*fits_width=*/true};
  }
  const bool known =
      std::find(kScalarTypes.begin(), kScalarTypes.end(), kind) != kScalarTypes.end();
  if (!known) {
    refuse(spec,
           fmt::format("{} is neither in, inout, out, same, struct, int nor a type of numbers ({})",
                       quoted(kind), text::joined(kScalarTypes)));
  }
  return {std::string(spec), parse_number(spec, kind, rest), false};
}

}  // namespace warpgrade::grader::profile
