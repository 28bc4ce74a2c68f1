// SPDX-License-Identifier: Apache-2.0
#include "grader/cases/case_buffers.h"

#include <algorithm>
#include <limits>

namespace warpgrade::grader::cases {
namespace {

constexpr std::uint64_t kPoisonPeriod = std::uint64_t{1} << 18;  // Elements.
constexpr std::uint64_t kNever = std::numeric_limits<std::uint64_t>::max();

// FNV-1a, so that the same seed gives the same contents on every machine and library.
std::uint64_t mix(std::uint64_t state, std::string_view text) {
  for (const char c : text) {
    state ^= static_cast<unsigned char>(c);
    state *= 0x100000001b3U;
  }
  return (state ^ 0xff) * 0x100000001b3U;  // an end mark: "ab", "c" is not "a", "bc"
}

SizedBuffer size_buffer(const course::BufferParameter& parameter,
                        const text::Variables& variables) {
  SizedBuffer out;
  out.name = parameter.name;
  out.type = parameter.type;
  out.rows = evaluate_count(parameter.rows, variables);
  out.columns = evaluate_count(parameter.columns, variables);
  out.is_matrix = parameter.rows.text != "1";
  if (const auto* fill = std::get_if<verify::Fill>(&parameter.content)) {
    out.content = *fill;
  } else if (const auto* indices = std::get_if<course::Indices>(&parameter.content)) {
    const bool has_edges = indices->has_edges && evaluate(*indices->has_edges, variables) != 0;
    out.content = verify::IndexFill{has_edges ? verify::IndexKind::kEdgeStarts : indices->kind,
                                    evaluate_count(indices->bound, variables), out.elements()};
  }
  if (parameter.has_total()) {
    out.comparison = course::EqualTotal{};
  } else if (parameter.is_output()) {
    out.comparison = parameter.tolerance(variables);
  }
  return out;
}

// Makes the elements of `buffer` from byte `first` on.
std::function<void(std::uint64_t first, std::span<std::byte> to)> maker_of(
    const SizedBuffer& buffer, std::uint64_t seed) {
  const auto type = buffer.type;
  const auto size = verify::size_of(type);
  if (const auto* fill = std::get_if<verify::Fill>(&buffer.content)) {
    return [=, how = *fill](std::uint64_t first, std::span<std::byte> to) {
      verify::fill(type, first / size, to, how, seed);
    };
  }
  if (const auto* indices = std::get_if<verify::IndexFill>(&buffer.content)) {
    return [=, how = *indices](std::uint64_t first, std::span<std::byte> to) {
      verify::fill_indices(type, first / size, to, how, seed);
    };
  }
  return [=](std::uint64_t first, std::span<std::byte> to) {
    verify::poison(type, first / size, to, seed);
  };
}

// `count` elements of `buffer`; poison repeats after `poison_period` elements.
run::Pattern make_pattern(const SizedBuffer& buffer, std::uint64_t seed,
                          std::uint64_t poison_period, std::uint64_t count) {
  const bool is_input = buffer.is_input();
  const auto size = verify::size_of(buffer.type);
  return {.name = buffer.name,
          .element_bytes = size,
          .read_only = buffer.is_read_only(),
          .defined = is_input,
          .is_compared = is_input || buffer.is_output(),
          .bytes = count * size,
          .period = (is_input ? count : std::min(count, poison_period)) * size,
          .make = maker_of(buffer, mix(seed, buffer.name))};
}

}  // namespace

verify::Tolerance SizedBuffer::tolerance() const {
  const auto* tolerance = std::get_if<verify::Tolerance>(&comparison);
  return tolerance == nullptr ? verify::Tolerance() : *tolerance;
}

std::vector<SizedBuffer> size_buffers(const std::vector<course::Parameter>& parameters,
                                      const text::Variables& variables) {
  std::vector<SizedBuffer> out;
  for (const auto* parameter : buffers_of(parameters)) {
    out.push_back(size_buffer(*parameter, variables));
  }
  // Outputs that are moved inputs may hold their NaNs.
  const auto has_any_bits = [](const SizedBuffer& buffer) {
    const auto* fill = std::get_if<verify::Fill>(&buffer.content);
    return fill != nullptr && *fill == verify::Fill::kAnyBits;
  };
  const bool moves_bits = std::any_of(out.begin(), out.end(), has_any_bits);
  for (auto& buffer : out) {
    auto* tolerance = std::get_if<verify::Tolerance>(&buffer.comparison);
    if (tolerance != nullptr) tolerance->moves_bits = moves_bits;
  }
  return out;
}

std::uint64_t contents_seed(std::string_view exercise, std::string_view case_name,
                            std::uint64_t seed) {
  return mix(mix(seed ^ 0xcbf29ce484222325U, exercise), case_name);
}

std::vector<run::Buffer> make_buffers(const std::vector<SizedBuffer>& buffers, std::uint64_t seed) {
  std::vector<run::Buffer> out;
  for (const auto& buffer : buffers) {
    out.push_back(run::made(make_pattern(buffer, seed, kNever, buffer.elements())));
  }
  return out;
}

std::vector<run::Buffer> make_outputs(const std::vector<SizedBuffer>& buffers, std::uint64_t seed) {
  std::vector<run::Buffer> out;
  for (const auto& buffer : buffers) {
    const auto count = buffer.is_read_only() ? 0 : buffer.elements();
    out.push_back(run::made(make_pattern(buffer, seed, kNever, count)));
  }
  return out;
}

std::vector<run::Pattern> make_patterns(const std::vector<SizedBuffer>& buffers,
                                        std::uint64_t seed) {
  std::vector<run::Pattern> out;
  for (const auto& buffer : buffers) {
    out.push_back(make_pattern(buffer, seed, kPoisonPeriod, buffer.elements()));
  }
  return out;
}

std::vector<bool> in_any_order(const std::vector<SizedBuffer>& buffers) {
  std::vector<bool> out;
  for (const auto& buffer : buffers) {
    const auto* fill = std::get_if<verify::Fill>(&buffer.content);
    const auto* indices = std::get_if<verify::IndexFill>(&buffer.content);
    out.push_back((fill != nullptr && verify::is_seeded(*fill)) ||
                  (indices != nullptr && (indices->kind == verify::IndexKind::kBelow ||
                                          indices->kind == verify::IndexKind::kMostlyEqual)));
  }
  return out;
}

std::uint64_t buffer_bytes(const std::vector<run::Buffer>& buffers) {
  std::uint64_t sum = 0;
  for (const auto& buffer : buffers) sum += buffer.bytes.size();
  return sum;
}

std::uint64_t least_traffic(const std::vector<SizedBuffer>& buffers) {
  return run::least_traffic(make_patterns(buffers, 0));
}

}  // namespace warpgrade::grader::cases
