// SPDX-License-Identifier: Apache-2.0
#include "grader/cases/sized_case.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "grader/cases/case_launch.h"
#include "grader/course/sequence_reader.h"

namespace warpgrade::grader::cases {
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
