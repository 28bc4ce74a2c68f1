// SPDX-License-Identifier: Apache-2.0
#include "grader/course/sequence_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "common/base/text.h"
#include "grader/text/suggestions.h"

namespace warpgrade::grader {
namespace {

// The place of the parameter that `key` names, among the `names` of all.
std::size_t place_of(const std::string& name, std::string_view key, const Table& table,
                     const std::vector<std::string>& names) {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
  table.fail(key, fmt::format("there is no parameter `{}`{}; the parameters are: {}",
                              base::escape_controls(name),
                              did_you_mean(name, std::span<const std::string>(names)),
                              joined(std::span<const std::string>(names))));
}

// Their fields, too.
void add_names(const std::vector<Parameter>& parameters, std::vector<std::string>& names) {
  for (const auto& parameter : parameters) {
    names.push_back(parameter.name);
    add_names(parameter.fields, names);
  }
}

std::vector<std::size_t> read_arguments(Table& table, const std::vector<Parameter>& parameters) {
  std::vector<std::size_t> out;
  if (!table.may_have("arguments")) {
    out.resize(parameters.size());
    std::iota(out.begin(), out.end(), std::size_t{0});
    return out;
  }
  std::vector<std::string> names;
  for (const auto& parameter : parameters) names.push_back(parameter.name);
  for (const auto& name : table.texts("arguments")) {
    out.push_back(place_of(name, "arguments", table, names));
  }
  return out;
}

// The place among `buffers` of one that may change places with another.
std::size_t moving_buffer(const std::string& name, const Table& table,
                          const std::vector<const Parameter*>& buffers) {
  const auto found = buffer_called(buffers, name);
  if (found != buffers.size() && buffers[found]->role != Role::kIn) return found;
  table.fail("swap", fmt::format("parameter `{}` is not a buffer that may be written: only those "
                                 "of role out, inout and scratch change places",
                                 name));
}

void read_swaps(Table& table, const std::vector<Parameter>& parameters, Step& out) {
  if (!table.may_have("swap")) return;
  const auto given = table.texts("swap");
  if (given.empty() || given.size() % 2 != 0) {
    table.fail("swap", "names pairs of parameters whose buffers change places");
  }
  std::vector<std::string> names;
  add_names(parameters, names);
  const auto buffers = buffers_of(parameters);
  for (const auto& name : given) place_of(name, "swap", table, names);
  for (std::size_t i = 0; i < given.size(); i += 2) {
    const auto a = moving_buffer(given[i], table, buffers);
    const auto b = moving_buffer(given[i + 1], table, buffers);
    if (a == b) table.fail("swap", fmt::format("`{}` is there twice", given[i]));
    if (buffers[a]->type != buffers[b]->type) {
      table.fail("swap",
                 fmt::format("`{}` and `{}` have elements of other types", given[i], given[i + 1]));
    }
    out.swaps.emplace_back(a, b);
  }
}

Step read_step(Table table, const Step& common, Signatures signatures,
               const std::vector<Parameter>& parameters) {
  Step out = common;
  if (table.may_have("kernel") || common.kernel.empty()) out.kernel = table.text("kernel");
  table.rename(fmt::format("launch of `{}`", base::escape_controls(out.kernel)));
  if (signatures == Signatures::kGiven &&
      (table.may_have("signature") || common.signature.empty())) {
    out.signature = table.text("signature");
  }
  out.geometry = read_geometry(table);
  out.arguments = read_arguments(table, parameters);
  out.times = table.optional_expression("times").value_or(Expression{"1", table.where()});
  read_swaps(table, parameters, out);
  table.finish();
  return out;
}

std::uint64_t bytes_of(const Parameter& parameter, const Variables& variables) {
  return evaluate_count(parameter.rows, variables) * evaluate_count(parameter.columns, variables) *
         verify::size_of(parameter.type);
}

}  // namespace

void read_steps(Table& table, const Step& common, Signatures signatures, Exercise& out) {
  for (auto& launch : table.tables("launch")) {
    out.steps.push_back(read_step(launch, common, signatures, out.parameters));
  }
  if (out.steps.empty()) table.fail("launch", "there is no [[launch]]");
  out.rounds = table.optional_expression("rounds").value_or(Expression{"1", table.where()});
}

void read_launches(Table& table, Exercise& out) {
  Step common;
  out.rounds = {"1", table.where()};
  if (table.is_list("launch")) {
    if (table.may_have("kernel")) common.kernel = table.text("kernel");
    if (table.may_have("signature")) common.signature = table.text("signature");
    read_steps(table, common, Signatures::kGiven, out);
  } else {
    common.kernel = table.text("kernel");
    common.signature = table.text("signature");
    auto launch = table.table("launch");
    common.geometry = read_geometry(launch);
    launch.finish();
    common.arguments.resize(out.parameters.size());
    std::iota(common.arguments.begin(), common.arguments.end(), std::size_t{0});
    common.times = {"1", table.where()};
    out.steps = {common};
  }
  auto reference = table.table("reference");
  out.reference_kernel = reference.text("kernel");
  out.reference_launch = read_geometry(reference);
  out.reference_arguments = read_arguments(reference, out.parameters);
  out.elements_per_block = reference.optional_expression("elements_per_block");
  reference.finish();
}

void check_sequence(const Exercise& exercise, Table& table) {
  if (!exercise.is_sequence()) return;
  for (const auto& item : exercise.cases) {
    for (const auto* name : {"step", "round"}) {
      if (item.variables.contains(name)) {
        table.fail("case", fmt::format("case `{}`: the variable `{}` counts launches here; give it "
                                       "another name",
                                       item.name, name));
      }
    }
    const auto* key = item.sampled ? "sampled" : item.timed_variables ? "timed_variables" : nullptr;
    if (key == nullptr) continue;
    table.fail("case",
               fmt::format("case `{}`: `{}` is for an exercise of one launch. A sequence of "
                           "launches is executed whole; its speed is that at `variables`",
                           item.name, key));
  }
  for (const auto& gate : exercise.gates) {
    if (gate.metric != kWaves) continue;
    table.fail("gate",
               fmt::format("gate `{}`: {} is for an exercise of one launch", gate.id, gate.metric));
  }
}

// The only output is compared by elements, or only its total is defined.
void check_sampling(const Exercise& exercise, Table& table) {
  std::vector<OutputComparison> outputs;
  bool has_inout = false;
  for (const auto* buffer : buffers_of(exercise.parameters)) {
    if (buffer->is_compared()) outputs.push_back(buffer->comparison);
    has_inout = has_inout || buffer->role == Role::kInOut;
  }
  const bool is_by_bits = outputs.size() == 1 && outputs.front() == OutputComparison::kBits;
  if (exercise.elements_per_block && !is_by_bits) {
    table.fail("reference", "`elements_per_block` is for one output that is compared by bits");
  }
  const bool is_total = outputs.size() == 1 && outputs.front() == OutputComparison::kTotal;
  for (const auto& item : exercise.cases) {
    if (has_inout && (item.sampled || item.timed_variables)) {
      table.fail("case",
                 fmt::format("case `{}`: of a launch with an \"inout\" buffer all blocks are "
                             "executed; leave out `{}` and give the size in `variables`",
                             item.name, item.sampled ? "sampled" : "timed_variables"));
    }
    if (exercise.elements_per_block || (!item.sampled && (!item.timed_variables || is_total))) {
      continue;
    }
    table.fail("reference",
               fmt::format("case `{}`, of which some blocks are executed, asks for "
                           "`elements_per_block`: which elements a block of the reference makes",
                           item.name));
  }
}

void check_launches(const Exercise& exercise, const Variables& variables,
                    std::uint64_t most_bytes) {
  check_geometry(exercise.reference_launch, variables);
  // Values may use `step` and `round`, shapes may not.
  auto at_first = variables;
  if (exercise.is_sequence()) at_first.insert({{"round", 0}, {"step", 0}});
  check_parameters(exercise.parameters, at_first, most_bytes);
  if (evaluate_count(exercise.rounds, variables) > kMostLaunches) {
    fail_at(exercise.rounds.where, fmt::format("more than {} rounds", kMostLaunches));
  }
  std::uint64_t launches = 0;
  const auto check = [&](const Step& step, const Variables& now) {
    if (++launches > kMostLaunches) {
      fail_at(step.times.where, fmt::format("a case is more than {} launches", kMostLaunches));
    }
    check_geometry(step.geometry, now);
    for (const auto which : step.arguments) {
      check_value(exercise.parameters[which], now);
    }
  };
  const auto buffers = buffers_of(exercise.parameters);
  for_each_launch(exercise, variables, check, [&](std::size_t a, std::size_t b) {
    const auto& one = *buffers[a];
    const auto& other = *buffers[b];
    if (bytes_of(one, variables) == bytes_of(other, variables)) return;
    fail_at(one.rows.where, fmt::format("`{}` and `{}` change places, but have not the same size",
                                        one.name, other.name));
  });
  if (launches == 0) fail_at(exercise.steps.front().times.where, "a case has no launch");
}

}  // namespace warpgrade::grader
