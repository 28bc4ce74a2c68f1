// SPDX-License-Identifier: Apache-2.0
// A case of an exercise at one size: every expression of the manifest as a number.
// In: an exercise, a case and its variables. Out: launches with geometry and arguments, and
// buffers with their contents before a launch.
// Contents depend only on the seed, the exercise, the case and the parameter. The submission and
// the reference therefore get the same inputs on every device.
#include "grader/cases/sized_case.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "common/base/error.h"
#include "common/run/launch.h"
#include "common/run/runner.h"
#include "common/verify/values.h"
#include "grader/course/exercise.h"
#include "grader/course/sequence_reader.h"
#include "grader/text/numbers.h"

namespace warpgrade::grader::cases {
namespace {

base::Dim3 extents(const std::array<text::Expression, 3>& expressions,
                   const text::Variables& variables) {
  std::array<std::uint32_t, 3> out{};
  for (std::size_t i = 0; i < 3; ++i) {
    const auto value = evaluate_count(expressions.at(i), variables);
    if (value == 0 || value > std::numeric_limits<std::uint32_t>::max()) {
      throw base::UsageError(fmt::format("{}:{}: an extent of the launch is {}",
                                         expressions.at(i).where().file,
                                         expressions.at(i).where().line, value));
    }
    out.at(i) = static_cast<std::uint32_t>(value);
  }
  return {out[0], out[1], out[2]};
}

// Makes the argument for a parameter or field.
class ArgumentMaker {
 public:
  ArgumentMaker(const std::vector<course::Parameter>& parameters, const text::Variables& variables)
      : buffers_(buffers_of(parameters)), variables_(variables) {}

  run::Argument operator()(const course::BufferParameter& buffer) const {
    return address(buffer.name);
  }
  run::Argument operator()(const course::SameParameter& same) const { return address(same.of); }

  run::Argument operator()(const course::ValueParameter& parameter) const {
    const auto value = evaluate(parameter.value, variables_);
    if (auto bytes = text::encode(parameter.type, value)) return *std::move(bytes);
    const auto& where = parameter.value.where();
    throw base::UsageError(fmt::format("{}:{}:{}: parameter `{}` is {}, which does not fit type {}",
                                       where.file, where.line, where.column, parameter.name, value,
                                       text::name(parameter.type)));
  }

  run::Argument operator()(const course::StructParameter& structure) const {
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

  std::vector<const course::BufferParameter*> buffers_;
  const text::Variables& variables_;
};

}  // namespace

run::Launch make_launch(const std::vector<course::Parameter>& parameters,
                        const course::Geometry& geometry, const std::string& kernel,
                        const text::Variables& variables) {
  std::vector<std::size_t> all(parameters.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  return make_launch(parameters, all, geometry, kernel, variables);
}

run::Launch make_launch(const std::vector<course::Parameter>& parameters,
                        const std::vector<std::size_t>& arguments, const course::Geometry& geometry,
                        const std::string& kernel, const text::Variables& variables) {
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
  out.is_matrix = parameter.rows.text() != "1";
  if (const auto* fill = std::get_if<verify::Fill>(&parameter.content)) {
    out.content = *fill;
  } else if (const auto* indices = std::get_if<course::Indices>(&parameter.content)) {
    const bool has_edges = indices->has_edges && evaluate(*indices->has_edges, variables) != 0;
    out.content = verify::IndexFill{has_edges ? verify::IndexKind::kEdgeStarts : indices->kind,
                                    evaluate_count(indices->bound, variables), out.elements()};
  }
  if (parameter.has_total()) {
    out.comparison = course::EqualTotal{};
  } else if (const auto* pieces = std::get_if<course::EqualPieces>(&parameter.comparison)) {
    out.comparison = SizedPieces{evaluate_count(pieces->length, variables)};
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

SizedQuestion size_question(const course::AskedLaunch& asked) {
  return {make_launch(asked.parameters, asked.geometry, asked.kernel, {}),
          size_buffers(asked.parameters, {})};
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
                                          indices->kind == verify::IndexKind::kMostlyEqual ||
                                          indices->kind == verify::IndexKind::kShuffled)));
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

namespace {

// Makes `argument` point to its buffers' current places: buffer i is at `places[i]`.
void move_buffers(const std::vector<std::size_t>& places, run::Argument& argument) {
  if (auto* buffer = std::get_if<run::BufferArgument>(&argument)) {
    buffer->index = places[buffer->index];
  } else if (auto* structure = std::get_if<run::StructArgument>(&argument)) {
    for (auto& pointer : structure->pointers) pointer.buffer = places[pointer.buffer];
  }
}

}  // namespace

run::Sequence SizedLaunches::of(const std::vector<std::string>& kernels) const {
  auto out = sequence;
  for (std::size_t i = 0; i < steps.size(); ++i) out.launches[i].kernel = kernels.at(steps[i]);
  return out;
}

SizedLaunches size_launches(const course::KernelExercise& exercise,
                            const text::Variables& variables) {
  const auto& parameters = exercise.parameters;
  // The current buffer of each buffer parameter's name.
  std::vector<std::size_t> places(buffers_of(parameters).size());
  std::iota(places.begin(), places.end(), std::size_t{0});
  const auto unmoved = places;
  SizedLaunches out;
  const auto add = [&](const course::Step& step, const text::Variables& now) {
    out.steps.push_back(static_cast<std::size_t>(&step - exercise.steps.data()));
    auto& launch = out.sequence.launches.emplace_back(
        make_launch(parameters, step.arguments, step.geometry, {}, now));
    for (auto& argument : launch.arguments) move_buffers(places, argument);
  };
  for_each_launch(exercise, variables, add,
                  [&](std::size_t a, std::size_t b) { std::swap(places[a], places[b]); });
  if (places != unmoved) out.sequence.places = std::move(places);
  return out;
}

RequiredWork required_work(const course::KernelExercise& exercise,
                           const text::Variables& variables) {
  RequiredWork out;
  out.bytes = exercise.bytes ? evaluate_count(*exercise.bytes, variables)
                             : least_traffic(size_buffers(exercise.parameters, variables));
  if (exercise.operations) out.operations = evaluate(*exercise.operations, variables);
  out.arithmetic = exercise.arithmetic;
  return out;
}

const SizedBuffer* SizedCase::buffer_called(std::string_view wanted) const {
  const auto found = std::find_if(buffers.begin(), buffers.end(),
                                  [&](const SizedBuffer& one) { return one.name == wanted; });
  return found == buffers.end() ? nullptr : &*found;
}

SizedCase size_case(const course::Exercise& exercise, const std::string& name,
                    text::Variables variables) {
  const auto& kernel = std::get<course::KernelExercise>(exercise.form);
  SizedCase out;
  out.exercise = exercise.id;
  out.name = name;
  out.buffers = size_buffers(kernel.parameters, variables);
  out.launches = size_launches(kernel, variables);
  auto at_first = variables;
  if (kernel.is_sequence()) at_first.insert({{"round", 0}, {"step", 0}});
  out.reference =
      make_launch(kernel.parameters, kernel.reference_arguments, kernel.reference_launch,
                  course::kernel_name(kernel.reference_kernel, variables), at_first);
  if (kernel.elements_per_block) {
    out.elements_per_block = evaluate_count(*kernel.elements_per_block, variables);
  }
  out.work = required_work(kernel, variables);
  out.variables = std::move(variables);
  return out;
}

}  // namespace warpgrade::grader::cases
