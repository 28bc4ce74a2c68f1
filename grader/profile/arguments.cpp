// SPDX-License-Identifier: Apache-2.0
// The kernel arguments of `warpgrade profile`: as written on the command line, and as a runner's
// input.
// In: the text of each --arg, and raw files that it names. Out: arguments by value, and buffers
// with their contents.
// A buffer that the kernel writes starts as zeros, but a read of an element that was never
// written is a finding.
#include "grader/profile/arguments.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <variant>
#include <vector>

#include "common/base/error.h"
#include "common/base/text.h"
#include "common/run/launch.h"
#include "common/verify/values.h"
#include "grader/profile/numpy_file.h"
#include "grader/text/messages.h"
#include "grader/text/numbers.h"

namespace warpgrade::grader::profile {

/// Throws base::UsageError with the spec and `why`.
[[noreturn]] static void refuse(std::string_view spec, const std::string& why);

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

// The size of a record: "r12" is 12.
std::optional<std::uint64_t> record_bytes(std::string_view type) {
  const auto bytes = type.starts_with('r') ? text::parse_count(type.substr(1)) : std::nullopt;
  return bytes && *bytes > 0 && *bytes <= kMostStructBytes ? bytes : std::nullopt;
}

// The position of the "x" between two extents, as in 16x32, (2 * 8)x32 and 4 * 4 x max(3, 5), but
// not that in a name; npos without one.
std::size_t find_cross(std::string_view text) {
  for (auto at = text.find('x'); at != std::string_view::npos; at = text.find('x', at + 1)) {
    if (at == 0 || at + 1 == text.size()) continue;
    const auto is_end = [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; };
    const char before = text[at - 1];
    const char behind = text[at + 1];
    const bool begins = before == ' ' || before == ')' || is_end(before);
    if (begins && (behind == ' ' || behind == '(' || is_end(behind))) return at;
  }
  return std::string_view::npos;
}

// A whole number, or an expression of numbers; nullopt if it has no such value.
std::optional<std::uint64_t> read_extent(std::string_view text) {
  if (const auto number = text::parse_count(text)) return number;
  try {
    return text::evaluate_count({std::string(text), {}}, {});
  } catch (const base::UsageError&) {
    return std::nullopt;
  }
}

// "16x32" and "4*4x32" as 16 and 32; empty if one of the extents is not a count.
std::vector<std::uint64_t> read_extents(std::string_view text) {
  std::vector<std::uint64_t> out;
  for (bool more = true; more;) {
    const auto cross = find_cross(text);
    const auto extent = read_extent(text.substr(0, cross));
    if (!extent || *extent == 0) return {};
    out.push_back(*extent);
    more = cross != std::string_view::npos;
    if (more) text.remove_prefix(cross + 1);
  }
  return out;
}

// `rest` is the text after "in:", "out:" or "inout:".
BufferSpec parse_buffer(std::string_view spec, std::string_view kind, std::string_view rest) {
  const bool is_filled = kind != "out";
  const auto form = fmt::format("{}:TYPE:COUNT{}", kind, is_filled ? ":INIT" : "");
  BufferSpec out;
  out.is_input = kind == "in";
  out.is_output = !is_filled;
  const auto type = take(rest);
  if (const auto bytes = record_bytes(type)) {
    out.type = verify::ElementType::kU8;
    out.record_bytes = *bytes;
  } else if (const auto known = verify::element_type(type)) {
    out.type = *known;
  } else {
    refuse(spec,
           fmt::format("unknown type {}{}; a buffer is {} with one of {}, or rBYTES", quoted(type),
                       text::did_you_mean(type, kTypes), form, text::joined(kTypes)));
  }
  const auto text = take(rest);
  out.extents = read_extents(text);
  if (out.extents.empty()) {
    refuse(spec, fmt::format("{} is not a count of elements (a number such as 1024*1024, or an "
                             "extent for each dimension, such as 64x32); a buffer is {}",
                             quoted(text), form));
  }
  out.count = std::max<std::uint64_t>(out.record_bytes, 1);
  for (const auto extent : out.extents) {
    if (extent > kMostBufferBytes / verify::size_of(out.type) / out.count) {
      refuse(spec,
             fmt::format("{} elements of {} are more than 8 GiB, the most that a launch may have",
                         text, type));
    }
    out.count *= extent;
  }
  if (out.extents.size() == 1) out.extents.clear();
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

static void refuse(std::string_view spec, const std::string& why) {
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

namespace {

// The elements in a file of NumPy, whose header must agree with the spec.
std::vector<std::byte> read_array(const ArgumentSpec& spec, const BufferSpec& buffer) {
  const auto path = base::escape_controls(buffer.file.string());
  auto array = read_numpy_file(buffer.file);
  if (const auto* wrong = std::get_if<std::string>(&array)) {
    refuse(spec.text, fmt::format("{}: {}", path, *wrong));
  }
  auto& [type, item_bytes, shape, bytes] = std::get<NumpyArray>(array);
  const bool is_type =
      buffer.record_bytes == 0 ? type == buffer.type : !type && item_bytes == buffer.record_bytes;
  if (!is_type) {
    const auto wanted = buffer.record_bytes == 0 ? std::string(text::name(buffer.type))
                                                 : fmt::format("r{}", buffer.record_bytes);
    const auto found = type ? std::string(text::name(*type)) : fmt::format("r{}", item_bytes);
    refuse(spec.text, fmt::format("{} has elements of {}, not of {}", path, found, wanted));
  }
  const auto count = buffer.count / std::max<std::uint64_t>(buffer.record_bytes, 1);
  const auto extents = buffer.extents.empty() ? std::vector{count} : buffer.extents;
  const bool is_flat = extents.size() == 1 || shape.size() == 1;
  if (bytes.size() != buffer.bytes() || (!is_flat && shape != extents)) {
    refuse(spec.text, fmt::format("{} has the shape {}, but COUNT is {}", path,
                                  fmt::join(shape, "x"), fmt::join(extents, "x")));
  }
  return std::move(bytes);
}

std::vector<std::byte> read_elements(const ArgumentSpec& spec, const BufferSpec& buffer) {
  if (buffer.file.extension() == ".npy") return read_array(spec, buffer);
  const auto path = base::escape_controls(buffer.file.string());
  std::error_code error;
  const auto size = std::filesystem::file_size(buffer.file, error);
  if (error) refuse(spec.text, fmt::format("{} cannot be read: {}", path, error.message()));
  if (size != buffer.bytes()) {
    refuse(spec.text, fmt::format("{} has {} bytes, but {} elements of {} are {}", path, size,
                                  buffer.count, text::name(buffer.type), buffer.bytes()));
  }
  std::vector<std::byte> out(size);
  std::ifstream in(buffer.file, std::ios::binary);
  in.read(reinterpret_cast<char*>(out.data()), static_cast<std::streamsize>(size));
  if (!in) refuse(spec.text, fmt::format("{} cannot be read", path));
  return out;
}

// Collects buffers in the order of the parameters, and each parameter's position among them.
class ArgumentMaker {
 public:
  explicit ArgumentMaker(const std::vector<ArgumentSpec>& specs) : specs_(specs) {
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < specs.size(); ++i) {
      if (const auto* buffer = std::get_if<BufferSpec>(&specs[i].value)) {
        add(i, fmt::format("argument {}", i), *buffer, sum);
      } else if (const auto* structure = std::get_if<StructSpec>(&specs[i].value)) {
        for (std::size_t p = 0; p < structure->pointers.size(); ++p) {
          const auto* own = std::get_if<BufferSpec>(&structure->pointers[p].to);
          if (own != nullptr) add(i, fmt::format("argument {}, address {}", i, p), *own, sum);
        }
      }
    }
    if (sum > kMostBufferBytes) {
      throw base::UsageError(fmt::format(
          "the buffers have {} bytes together, more than 8 GiB, the most that a launch may have",
          sum));
    }
  }

  Arguments make() {
    Arguments out;
    for (const auto& spec : specs_) out.arguments.push_back(argument(spec));
    for (const auto& one : buffers_) out.buffers.push_back(filled(one));
    return out;
  }

  std::size_t place_to_dump(std::string_view index) const {
    const auto dot = index.find('.');
    const auto parameter = text::parse_count(index.substr(0, dot));
    if (parameter && *parameter < specs_.size()) {
      const auto made = argument(specs_[*parameter]);
      if (dot == std::string_view::npos) {
        if (const auto* buffer = std::get_if<run::BufferArgument>(&made)) return buffer->index;
      } else if (const auto* structure = std::get_if<run::StructArgument>(&made)) {
        const auto which = text::parse_count(index.substr(dot + 1));
        if (which && *which < structure->pointers.size()) return structure->pointers[*which].buffer;
      }
    }
    throw base::UsageError(fmt::format(
        "--dump: parameter {} is not a buffer; the first address in a struct is INDEX.0",
        base::escape_controls(index)));
  }

 private:
  struct Named {
    std::size_t parameter;
    std::string name;
    const BufferSpec* spec;
  };

  void add(std::size_t parameter, std::string name, const BufferSpec& spec, std::uint64_t& sum) {
    buffers_.push_back({parameter, std::move(name), &spec});
    sum += spec.bytes();
  }

  std::size_t place_of(const BufferSpec& spec) const {
    const auto found = std::find_if(buffers_.begin(), buffers_.end(),
                                    [&](const Named& one) { return one.spec == &spec; });
    return static_cast<std::size_t>(found - buffers_.begin());
  }

  std::size_t place_of(const ArgumentSpec& from, const SameSpec& same) const {
    if (same.parameter < specs_.size()) {
      const auto* buffer = std::get_if<BufferSpec>(&specs_[same.parameter].value);
      if (buffer != nullptr) return place_of(*buffer);
    }
    refuse(from.text, fmt::format("parameter {} is not a buffer; name one that is in, inout or out",
                                  same.parameter));
  }

  run::Argument argument(const ArgumentSpec& spec) const {
    if (const auto* number = std::get_if<std::vector<std::byte>>(&spec.value)) return *number;
    if (const auto* buffer = std::get_if<BufferSpec>(&spec.value)) {
      return run::BufferArgument{place_of(*buffer)};
    }
    if (const auto* same = std::get_if<SameSpec>(&spec.value)) {
      return run::BufferArgument{place_of(spec, *same)};
    }
    const auto& structure = std::get<StructSpec>(spec.value);
    run::StructArgument out{structure.bytes, {}};
    for (const auto& [offset, to] : structure.pointers) {
      const auto* own = std::get_if<BufferSpec>(&to);
      out.pointers.push_back(
          {offset, own != nullptr ? place_of(*own) : place_of(spec, std::get<SameSpec>(to))});
    }
    return out;
  }

  run::Buffer filled(const Named& one) const {
    const auto& spec = *one.spec;
    run::Buffer out;
    out.name = one.name;
    out.bytes = spec.file.empty() ? verify::fill(spec.type, spec.count, spec.fill, spec.seed)
                                  : read_elements(specs_[one.parameter], spec);
    out.element_bytes = spec.record_bytes == 0 ? verify::size_of(spec.type)
                                               : static_cast<std::uint32_t>(spec.record_bytes);
    out.extents = spec.extents;
    out.read_only = spec.is_input;
    out.defined = !spec.is_output;
    return out;
  }

  const std::vector<ArgumentSpec>& specs_;
  std::vector<Named> buffers_;
};

}  // namespace

Arguments make_arguments(const std::vector<ArgumentSpec>& specs) {
  return ArgumentMaker(specs).make();
}

run::Buffer make_buffer(const ArgumentSpec& spec) {
  if (!std::holds_alternative<BufferSpec>(spec.value)) {
    refuse(spec.text,
           "is not a buffer; use in:TYPE:COUNT:INIT, inout:TYPE:COUNT:INIT or "
           "out:TYPE:COUNT");
  }
  return std::move(make_arguments({spec}).buffers.front());
}

std::size_t buffer_to_dump(std::string_view index, const std::vector<ArgumentSpec>& specs) {
  return ArgumentMaker(specs).place_to_dump(index);
}

}  // namespace warpgrade::grader::profile
