// SPDX-License-Identifier: Apache-2.0
#include "grader/profile/argument_spec.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <system_error>

#include "common/base/error.h"
#include "common/base/text.h"
#include "grader/text/scalars.h"
#include "grader/text/suggestions.h"

namespace warpgrade::grader {
namespace {

constexpr std::array<std::string_view, 11> kTypes = {"i8",  "u8",  "i16", "u16", "i32", "u32",
                                                     "i64", "u64", "f16", "f32", "f64"};
constexpr std::array<std::string_view, 6> kScalarTypes = {"i32", "u32", "i64", "u64", "f32", "f64"};

[[noreturn]] void fail(std::string_view spec, const std::string& why) {
  throw base::UsageError(fmt::format("--arg {}: {}", base::escape_controls(spec), why));
}

// Cuts off what stands before the next ':'; `rest` becomes what follows it.
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
    const auto seed = parse_count(rest);
    if (!seed) fail(spec, fmt::format("the seed {} is no whole number", quoted(rest)));
    out.fill = verify::Fill::kRandom;
    out.seed = *seed;
  } else if (how == "file" && !rest.empty()) {
    out.file = std::string(rest);
  } else {
    fail(spec,
         fmt::format("{} is no content; use zeros, iota, random:SEED or file:PATH", quoted(init)));
  }
}

BufferSpec parse_buffer(std::string_view spec, bool is_input, std::string_view rest) {
  const std::string form = is_input ? "in:TYPE:COUNT:INIT" : "out:TYPE:COUNT";
  BufferSpec out;
  out.is_input = is_input;
  const auto type = take(rest);
  const auto known = verify::element_type(type);
  if (!known) {
    fail(spec, fmt::format("there is no type {}{}; a buffer is {} with one of {}", quoted(type),
                           did_you_mean(type, kTypes), form, joined(kTypes)));
  }
  out.type = *known;
  const auto text = take(rest);
  const auto count = parse_count(text);
  if (!count || *count == 0) {
    fail(spec, fmt::format("{} is no count of elements; a buffer is {}", quoted(text), form));
  }
  if (*count > kMostBufferBytes / verify::size_of(out.type)) {
    fail(spec, fmt::format("{} elements of {} are more than 8 GiB, the most that a launch may have",
                           *count, name(out.type)));
  }
  out.count = *count;
  if (is_input) {
    read_init(spec, rest, out);
  } else if (!rest.empty()) {
    fail(spec, fmt::format("{} is too much: an out buffer is {} and starts as zeros", quoted(rest),
                           form));
  }
  return out;
}

std::vector<std::byte> read_elements(const ArgumentSpec& spec, const BufferSpec& buffer) {
  const auto path = base::escape_controls(buffer.file.string());
  std::error_code error;
  const auto size = std::filesystem::file_size(buffer.file, error);
  if (error) fail(spec.text, fmt::format("{} cannot be read: {}", path, error.message()));
  if (size != buffer.bytes()) {
    fail(spec.text, fmt::format("{} has {} bytes, but {} elements of {} are {}", path, size,
                                buffer.count, name(buffer.type), buffer.bytes()));
  }
  std::vector<std::byte> out(size);
  std::ifstream in(buffer.file, std::ios::binary);
  in.read(reinterpret_cast<char*>(out.data()), static_cast<std::streamsize>(size));
  if (!in) fail(spec.text, fmt::format("{} cannot be read", path));
  return out;
}

}  // namespace

ArgumentSpec parse_argument(std::string_view spec) {
  auto rest = spec;
  const auto kind = take(rest);
  if (kind == "in" || kind == "out" || kind == "inout") {
    auto buffer = parse_buffer(spec, kind != "out", rest);
    buffer.is_inout = kind == "inout";
    return {std::string(spec), std::move(buffer)};
  }
  const bool known =
      std::find(kScalarTypes.begin(), kScalarTypes.end(), kind) != kScalarTypes.end();
  if (!known) {
    fail(spec, fmt::format("{} is neither in, out, inout nor a type of numbers ({})", quoted(kind),
                           joined(kScalarTypes)));
  }
  auto bytes = parse_scalar(*verify::element_type(kind), rest);
  if (!bytes) fail(spec, fmt::format("{} is no number of type {}", quoted(rest), kind));
  return {std::string(spec), std::move(*bytes)};
}

Arguments make_arguments(const std::vector<ArgumentSpec>& specs) {
  std::uint64_t sum = 0;
  for (const auto& spec : specs) {
    if (const auto* buffer = std::get_if<BufferSpec>(&spec.value)) sum += buffer->bytes();
  }
  if (sum > kMostBufferBytes) {
    throw base::UsageError(fmt::format(
        "the buffers have {} bytes together, more than 8 GiB, the most that a launch may have",
        sum));
  }
  Arguments out;
  for (const auto& spec : specs) {
    const auto* buffer = std::get_if<BufferSpec>(&spec.value);
    if (buffer == nullptr) {
      out.arguments.emplace_back(std::get<run::ValueArgument>(spec.value));
      continue;
    }
    out.arguments.emplace_back(run::BufferArgument{out.buffers.size()});
    run::Buffer content;
    content.name = fmt::format("argument {}", out.arguments.size() - 1);
    content.bytes = buffer->file.empty()
                        ? verify::fill(buffer->type, buffer->count, buffer->fill, buffer->seed)
                        : read_elements(spec, *buffer);
    content.element_bytes = verify::size_of(buffer->type);
    content.read_only = buffer->is_input && !buffer->is_inout;
    out.buffers.push_back(std::move(content));
  }
  return out;
}

}  // namespace warpgrade::grader
