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

std::uint64_t elements(const BufferParameter& parameter, const Variables& variables) {
  return evaluate_count(parameter.rows, variables) * evaluate_count(parameter.columns, variables);
}

// Makes the argument for a parameter or field.
class ArgumentMaker {
 public:
  ArgumentMaker(const std::vector<Parameter>& parameters, const Variables& variables)
      : buffers_(buffers_of(parameters)), variables_(variables) {}

  run::Argument operator()(const BufferParameter& buffer) const { return address(buffer.name); }
  run::Argument operator()(const SameParameter& same) const { return address(same.of); }

  run::Argument operator()(const ValueParameter& parameter) const {
    const auto value = evaluate(parameter.value, variables_);
    if (auto bytes = encode(parameter.type, value)) return *std::move(bytes);
    const auto& where = parameter.value.where;
    throw base::UsageError(fmt::format("{}:{}:{}: parameter `{}` is {}, which does not fit type {}",
                                       where.file, where.line, where.column, parameter.name, value,
                                       name(parameter.type)));
  }

  run::Argument operator()(const StructParameter& structure) const {
    const auto layout = layout_of(structure);
    run::StructArgument out{run::ValueArgument(layout.bytes), {}};
    for (std::size_t i = 0; i < structure.fields.size(); ++i) {
      const auto field = std::visit(*this, structure.fields[i]);
      if (const auto* buffer = std::get_if<run::BufferArgument>(&field)) {
        out.pointers.push_back({layout.offsets[i], buffer->index});
      } else {
        const auto& bytes = std::get<run::ValueArgument>(field);
        std::copy(bytes.begin(), bytes.end(), out.bytes.begin() + layout.offsets[i]);
      }
    }
    return out;
  }

 private:
  run::Argument address(const std::string& buffer) const {
    return run::BufferArgument{buffer_called(buffers_, buffer)};
  }

  std::vector<const BufferParameter*> buffers_;
  const Variables& variables_;
};

// Makes `argument` point to its buffers' current places: buffer i is at `places[i]`.
void move_buffers(const std::vector<std::size_t>& places, run::Argument& argument) {
  if (auto* buffer = std::get_if<run::BufferArgument>(&argument)) {
    buffer->index = places[buffer->index];
  } else if (auto* structure = std::get_if<run::StructArgument>(&argument)) {
    for (auto& pointer : structure->pointers) pointer.buffer = places[pointer.buffer];
  }
}

constexpr std::uint64_t kNever = std::numeric_limits<std::uint64_t>::max();

// Makes the elements of `parameter` from byte `first` on.
std::function<void(std::uint64_t first, std::span<std::byte> to)> maker_of(
    const BufferParameter& parameter, const Variables& variables, std::uint64_t seed) {
  const auto type = parameter.type;
  const auto size = verify::size_of(type);
  if (const auto* fill = std::get_if<verify::Fill>(&parameter.content)) {
    return [=, how = *fill](std::uint64_t first, std::span<std::byte> to) {
      verify::fill(type, first / size, to, how, seed);
    };
  }
  if (const auto* indices = std::get_if<Indices>(&parameter.content)) {
    const verify::IndexFill how{indices->kind, evaluate_count(indices->bound, variables),
                                elements(parameter, variables)};
    return [=](std::uint64_t first, std::span<std::byte> to) {
      verify::fill_indices(type, first / size, to, how, seed);
    };
  }
  return [=](std::uint64_t first, std::span<std::byte> to) {
    verify::poison(type, first / size, to, seed);
  };
}

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
    const bool is_input = parameter->is_input();
    const auto count = count_of(*parameter);
    const auto size = verify::size_of(parameter->type);
    out.push_back({.name = parameter->name,
                   .element_bytes = size,
                   .read_only = parameter->is_read_only(),
                   .defined = is_input,
                   .is_compared = is_input || parameter->is_output(),
                   .bytes = count * size,
                   .period = (is_input ? count : std::min(count, poison_period)) * size,
                   .make = maker_of(*parameter, variables, own_seed)});
  }
  return out;
}

}  // namespace

std::vector<run::Buffer> make_buffers(const std::vector<Parameter>& parameters,
                                      const std::string& exercise, const std::string& case_name,
                                      const Variables& variables, std::uint64_t seed) {
  return run::made(
      make_each(parameters, exercise, case_name, variables, seed, kNever,
                [&](const BufferParameter& buffer) { return elements(buffer, variables); }));
}

std::vector<run::Buffer> make_outputs(const std::vector<Parameter>& parameters,
                                      const std::string& exercise, const std::string& case_name,
                                      const Variables& variables, std::uint64_t seed) {
  return run::made(make_each(parameters, exercise, case_name, variables, seed, kNever,
                             [&](const BufferParameter& buffer) {
                               return buffer.is_read_only() ? 0 : elements(buffer, variables);
                             }));
}

std::vector<run::Pattern> make_patterns(const std::vector<Parameter>& parameters,
                                        const std::string& exercise, const std::string& case_name,
                                        const Variables& variables, std::uint64_t seed) {
  return make_each(parameters, exercise, case_name, variables, seed, kPoisonPeriod,
                   [&](const BufferParameter& buffer) { return elements(buffer, variables); });
}

std::vector<bool> in_any_order(const std::vector<Parameter>& parameters) {
  std::vector<bool> out;
  for (const auto* buffer : buffers_of(parameters)) {
    const auto* fill = std::get_if<verify::Fill>(&buffer->content);
    const auto* indices = std::get_if<Indices>(&buffer->content);
    out.push_back((fill != nullptr && verify::is_seeded(*fill)) ||
                  (indices != nullptr && (indices->kind == verify::IndexKind::kBelow ||
                                          indices->kind == verify::IndexKind::kMostlyEqual)));
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
  const ArgumentMaker argument(parameters, variables);
  for (const auto which : arguments) {
    out.arguments.push_back(std::visit(argument, parameters.at(which)));
  }
  return out;
}

run::Sequence make_sequence(const KernelExercise& exercise, const std::vector<std::string>& kernels,
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
