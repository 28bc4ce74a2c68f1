// SPDX-License-Identifier: Apache-2.0
#include "grader/profile/numpy_file.h"

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "common/base/text.h"
#include "common/verify/element.h"
#include "grader/text/numbers.h"

namespace warpgrade::grader::profile {
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr std::uint32_t kMostHeaderBytes = 1 << 16;

// The value of `key` in the text of a Python dictionary: "'<f4'", "False", "(3, 4)".
std::string_view value_of(std::string_view header, std::string_view key) {
  const auto at = header.find(fmt::format("'{}':", key));
  if (at == std::string_view::npos) return {};
  auto out = header.substr(at + key.size() + 3);
  while (out.starts_with(' ')) out.remove_prefix(1);
  const auto end = out.starts_with('(') ? out.find(')') : out.find(',');
  return end == std::string_view::npos ? out : out.substr(0, end + (out.starts_with('(') ? 1 : 0));
}

// "(3, 4)", "(3,)" and "()"; nullopt if it is something else.
std::optional<std::vector<std::uint64_t>> shape_of(std::string_view text) {
  if (!text.starts_with('(') || !text.ends_with(')')) return std::nullopt;
  text = text.substr(1, text.size() - 2);
  std::vector<std::uint64_t> out;
  while (!text.empty()) {
    const auto comma = text.find(',');
    const auto extent = text::parse_count(text.substr(0, comma));
    if (!extent) return std::nullopt;
    out.push_back(*extent);
    text.remove_prefix(comma == std::string_view::npos ? text.size() : comma + 1);
    while (text.starts_with(' ')) text.remove_prefix(1);
  }
  if (out.empty()) out.push_back(1);  // A single number.
  return out;
}

// "<f4" without quotes.
std::optional<verify::ElementType> type_of(std::string_view descr) {
  using verify::ElementType;
  static const std::map<std::string_view, ElementType> kNumpyTypes = {
      {"i1", ElementType::kI8},  {"u1", ElementType::kU8},  {"b1", ElementType::kU8},
      {"i2", ElementType::kI16}, {"u2", ElementType::kU16}, {"i4", ElementType::kI32},
      {"u4", ElementType::kU32}, {"i8", ElementType::kI64}, {"u8", ElementType::kU64},
      {"f2", ElementType::kF16}, {"f4", ElementType::kF32}, {"f8", ElementType::kF64}};
  const auto found = kNumpyTypes.find(descr.substr(1));
  return found == kNumpyTypes.end() ? std::nullopt : std::optional(found->second);
}

std::uint32_t little_endian(std::string_view bytes) {
  std::uint32_t out = 0;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    out |= static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[i])) << (8 * i);
  }
  return out;
}

// The header's text, with `in` behind it; empty if the file has none.
std::string header_of(std::ifstream& in) {
  std::string begin(kMagic.size() + 2, '\0');
  if (!in.read(begin.data(), static_cast<std::streamsize>(begin.size()))) return {};
  if (!begin.starts_with(kMagic)) return {};
  std::string size(begin[kMagic.size()] == 1 ? 2 : 4, '\0');
  if (!in.read(size.data(), static_cast<std::streamsize>(size.size()))) return {};
  const auto bytes = little_endian(size);
  if (bytes > kMostHeaderBytes) return {};
  std::string out(bytes, '\0');
  return in.read(out.data(), bytes) ? out : std::string();
}

}  // namespace

std::variant<NumpyArray, std::string> read_numpy_file(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) return "cannot be read";
  const auto header = header_of(in);
  if (header.empty()) return "is not a file of NumPy: its header is missing";
  auto descr = value_of(header, "descr");
  const auto shape = shape_of(value_of(header, "shape"));
  if (!descr.starts_with('\'') || descr.size() < 4 || !shape) {
    return fmt::format("has a header that is not supported: {}",
                       base::escape_controls(base::excerpt(header, 0, 120).text));
  }
  descr = descr.substr(1, descr.size() - 2);
  NumpyArray out{type_of(descr), 0, *shape, {}};
  const auto shown = base::escape_controls(descr);
  if (descr.front() == '>') {
    return fmt::format("has elements of {}, in big-endian order; save it as '<{}'", shown,
                       shown.substr(1));
  }
  if (!out.type && descr[1] != 'V') return fmt::format("has elements of the type {}", shown);
  out.item_bytes = text::parse_count(descr.substr(2)).value_or(0);
  if (value_of(header, "fortran_order") != "False" && shape->size() > 1) {
    return "has its elements in the order of columns; save numpy.ascontiguousarray(...)";
  }
  std::error_code error;
  const auto most = std::filesystem::file_size(file, error);
  std::uint64_t bytes = out.item_bytes;
  for (const auto extent : *shape) {
    if (error || (extent != 0 && bytes > most / extent)) return "is shorter than its header says";
    bytes *= extent;
  }
  out.bytes.resize(bytes);
  in.read(reinterpret_cast<char*>(out.bytes.data()), static_cast<std::streamsize>(bytes));
  const bool is_short = static_cast<std::uint64_t>(in.gcount()) != bytes;
  if (is_short || in.peek() != std::ifstream::traits_type::eof()) {
    return fmt::format("is not as long as its header says, which is {} bytes of elements",
                       base::grouped(bytes));
  }
  return out;
}

}  // namespace warpgrade::grader::profile
