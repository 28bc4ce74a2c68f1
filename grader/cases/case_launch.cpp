// SPDX-License-Identifier: Apache-2.0
#include "grader/cases/case_launch.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <string_view>

#include "common/base/error.h"
#include "grader/course/sequence_reader.h"
#include "grader/text/scalars.h"

namespace warpgrade::grader {
namespace {

constexpr std::uint64_t kPoisonPeriod = std::uint64_t{1} << 18;  // Elements.

// FNV-1a, so that the same seed gives the same contents on every machine and library.
std::uint64_t mix(std::uint64_t state, std::string_view text) {
  for (const char c : text) {
    state ^= static_cast<unsigned char>(c);
    state *= 0x100000001b3U;
  }
  return (state ^ 0xff) * 0x100000001b3U;  // an end mark: "ab", "c" is not "a", "bc"
}

base::Dim3 extents(const std::array<Expression, 3>& expressions, const Variables& variables) {
  std::array<std::uint32_t, 3> out{};
  for (std::size_t i = 0; i < 3; ++i) {
    const auto value = evaluate_count(expressions.at(i), variables);
    if (value == 0 || value > std::numeric_limits<std::uint32_t>::max()) {
      throw base::UsageError(fmt::format("{}:{}: an extent of the launch is {}",
                                         expressions.at(i).where.file, expressions.at(i).where.line,
                                         value));
    }
    out.at(i) = static_cast<std::uint32_t>(value);
  }
  return {out[0], out[1], out[2]};
}

std::uint64_t elements(const Parameter& parameter, const Variables& variables) {
  return evaluate_count(parameter.rows, variables) * evaluate_count(parameter.columns, variables);
}

run::ValueArgument value_of(const Parameter& parameter, const Variables& variables) {
  const auto value = evaluate(parameter.value, variables);
  if (auto bytes = encode(parameter.type, value)) return *std::move(bytes);
  const auto& where = parameter.value.where;
  throw base::UsageError(fmt::format("{}:{}:{}: parameter `{}` is {}, which does not fit type {}",
                                     where.file, where.line, where.column, parameter.name, value,
                                     name(parameter.type)));
}

// The argument for a parameter of any role but kStruct.
run::Argument plain_argument(const Parameter& parameter,
                             const std::vector<const Parameter*>& buffers,
                             const Variables& variables) {
  if (parameter.role == Role::kValue) return value_of(parameter, variables);
  const auto& name = parameter.role == Role::kSame ? parameter.of : parameter.name;
  return run::BufferArgument{buffer_called(buffers, name)};
}

run::Argument struct_argument(const Parameter& structure,
                              const std::vector<const Parameter*>& buffers,
                              const Variables& variables) {
  const auto layout = layout_of(structure);
  run::StructArgument out{run::ValueArgument(layout.bytes), {}};
  for (std::size_t i = 0; i < structure.fields.size(); ++i) {
    const auto field = plain_argument(structure.fields[i], buffers, variables);
    if (const auto* buffer = std::get_if<run::BufferArgument>(&field)) {
      out.pointers.push_back({layout.offsets[i], buffer->index});
    } else {
      const auto& bytes = std::get<run::ValueArgument>(field);
      std::copy(bytes.begin(), bytes.end(), out.bytes.begin() + layout.offsets[i]);
    }
  }
  return out;
}

// Makes `argument` point to its buffers' current places: buffer i is at `places[i]`.
void move_buffers(const std::vector<std::size_t>& places, run::Argument& argument) {
  if (auto* buffer = std::get_if<run::BufferArgument>(&argument)) {
    buffer->index = places[buffer->index];
  } else if (auto* structure = std::get_if<run::StructArgument>(&argument)) {
    for (auto& pointer : structure->pointers) pointer.buffer = places[pointer.buffer];
  }
}

constexpr std::uint64_t kNever = std::numeric_limits<std::uint64_t>::max();

// One buffer per buffer parameter, with `count_of` elements for its parameter; poison repeats after
// `poison_period` elements.
template <class Count>
std::vector<run::Pattern> make_each(const std::vector<Parameter>& parameters,
                                    const std::string& exercise, const std::string& case_name,
                                    const Variables& variables, std::uint64_t seed,
                                    std::uint64_t poison_period, const Count& count_of) {
  std::vector<run::Pattern> out;
  for (const auto* parameter : buffers_of(parameters)) {
    const auto own_seed =
        mix(mix(mix(seed ^ 0xcbf29ce484222325U, exercise), case_name), parameter->name);
    const bool is_filled = parameter->is_filled();
    const auto count = count_of(*parameter);
    const auto size = verify::size_of(parameter->type);
    std::optional<verify::IndexFill> indices;
    if (parameter->indices) {
      const auto bound = evaluate_count(parameter->index_bound, variables);
      indices = verify::IndexFill{*parameter->indices, bound, elements(*parameter, variables)};
    }
    out.push_back({.name = parameter->name,
                   .element_bytes = size,
                   .read_only = parameter->role == Role::kIn,
                   .defined = is_filled,
                   .is_compared = parameter->role != Role::kScratch,
                   .bytes = count * size,
                   .period = (is_filled ? count : std::min(count, poison_period)) * size,
                   .make = [=, type = parameter->type, how = parameter->fill](
                               std::uint64_t first, std::span<std::byte> to) {
                     if (indices) {
                       verify::fill_indices(type, first / size, to, *indices, own_seed);
                     } else if (is_filled) {
                       verify::fill(type, first / size, to, how, own_seed);
                     } else {
                       verify::poison(type, first / size, to, own_seed);
                     }
                   }});
  }
  return out;
}

}  // namespace

std::vector<run::Buffer> make_buffers(const std::vector<Parameter>& parameters,
                                      const std::string& exercise, const std::string& case_name,
                                      const Variables& variables, std::uint64_t seed) {
  return run::made(
      make_each(parameters, exercise, case_name, variables, seed, kNever,
                [&](const Parameter& parameter) { return elements(parameter, variables); }));
}

std::vector<run::Buffer> make_outputs(const std::vector<Parameter>& parameters,
                                      const std::string& exercise, const std::string& case_name,
                                      const Variables& variables, std::uint64_t seed) {
  return run::made(make_each(
      parameters, exercise, case_name, variables, seed, kNever, [&](const Parameter& parameter) {
        return parameter.role == Role::kIn ? 0 : elements(parameter, variables);
      }));
}

std::vector<run::Pattern> make_patterns(const std::vector<Parameter>& parameters,
                                        const std::string& exercise, const std::string& case_name,
                                        const Variables& variables, std::uint64_t seed) {
  return make_each(parameters, exercise, case_name, variables, seed, kPoisonPeriod,
                   [&](const Parameter& parameter) { return elements(parameter, variables); });
}

std::vector<bool> in_any_order(const std::vector<Parameter>& parameters) {
  std::vector<bool> out;
  for (const auto* buffer : buffers_of(parameters)) {
    out.push_back(buffer->is_filled() &&
                  (buffer->indices ? buffer->indices == verify::IndexKind::kBelow ||
                                         buffer->indices == verify::IndexKind::kMostlyEqual
                                   : verify::is_seeded(buffer->fill)));
  }
  return out;
}

run::Launch make_launch(const std::vector<Parameter>& parameters, const Geometry& geometry,
                        const std::string& kernel, const Variables& variables) {
  std::vector<std::size_t> all(parameters.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  return make_launch(parameters, all, geometry, kernel, variables);
}

run::Launch make_launch(const std::vector<Parameter>& parameters,
                        const std::vector<std::size_t>& arguments, const Geometry& geometry,
                        const std::string& kernel, const Variables& variables) {
  run::Launch out;
  out.kernel = kernel;
  out.grid = extents(geometry.grid, variables);
  out.block = extents(geometry.block, variables);
  out.dynamic_shared_bytes =
      static_cast<std::uint32_t>(evaluate_count(geometry.shared_bytes, variables));
  out.cooperative = geometry.cooperative;
  if (geometry.cluster) out.cluster = extents(*geometry.cluster, variables);
  const auto buffers = buffers_of(parameters);
  for (const auto which : arguments) {
    const auto& parameter = parameters.at(which);
    out.arguments.push_back(parameter.role == Role::kStruct
                                ? struct_argument(parameter, buffers, variables)
                                : plain_argument(parameter, buffers, variables));
  }
  return out;
}

run::Sequence make_sequence(const Exercise& exercise, const std::vector<std::string>& kernels,
                            const Variables& variables) {
  const auto& parameters = exercise.parameters;
  // The current buffer of each buffer parameter's name.
  std::vector<std::size_t> places(buffers_of(parameters).size());
  std::iota(places.begin(), places.end(), std::size_t{0});
  const auto unmoved = places;
  run::Sequence out;
  const auto add = [&](const Step& step, const Variables& now) {
    const auto& kernel = kernels.at(static_cast<std::size_t>(&step - exercise.steps.data()));
    auto& launch = out.launches.emplace_back(
        make_launch(parameters, step.arguments, step.geometry, kernel, now));
    for (auto& argument : launch.arguments) move_buffers(places, argument);
  };
  for_each_launch(exercise, variables, add,
                  [&](std::size_t a, std::size_t b) { std::swap(places[a], places[b]); });
  if (places != unmoved) out.places = std::move(places);
  return out;
}

std::uint64_t buffer_bytes(const std::vector<run::Buffer>& buffers) {
  std::uint64_t sum = 0;
  for (const auto& buffer : buffers) sum += buffer.bytes.size();
  return sum;
}

std::uint64_t least_traffic(const std::vector<Parameter>& parameters, const Variables& variables) {
  return run::least_traffic(make_patterns(parameters, {}, {}, variables, 0));
}

}  // namespace warpgrade::grader
