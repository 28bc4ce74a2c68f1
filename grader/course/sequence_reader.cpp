// SPDX-License-Identifier: Apache-2.0
#include "grader/course/sequence_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <ranges>

#include "common/base/text.h"
#include "grader/course/exercise.h"
#include "grader/course/launch_reader.h"
#include "grader/course/parameter_reader.h"
#include "grader/course/vocabulary.h"
#include "grader/text/messages.h"

namespace warpgrade::grader::course {
namespace {

/// Launches of one case, at most.
constexpr std::uint64_t kMostLaunches = 1024;

// The index of the parameter `name`, the value of `key`, in `names`.
std::size_t place_of(const std::string& name, std::string_view key, const text::Table& table,
                     const std::vector<std::string>& names) {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
  table.fail(key, fmt::format("unknown parameter `{}`{}; the parameters are: {}",
                              base::escape_controls(name),
                              text::did_you_mean(name, std::span<const std::string>(names)),
                              text::joined(std::span<const std::string>(names))));
}

// The names of the parameters and their fields.
std::vector<std::string> all_names(const std::vector<Parameter>& parameters) {
  std::vector<std::string> out;
  for (const auto& parameter : parameters) {
    out.push_back(parameter_name(parameter));
    const auto* structure = std::get_if<StructParameter>(&parameter);
    if (structure == nullptr) continue;
    for (const auto& field : structure->fields) out.push_back(parameter_name(field));
  }
  return out;
}

// The index in `buffers` of a buffer that may be swapped with another.
std::size_t moving_buffer(const std::string& name, const text::Table& table,
                          const std::vector<const BufferParameter*>& buffers) {
  const auto found = buffer_called(buffers, name);
  if (found != buffers.size() && !buffers[found]->is_read_only()) return found;
  table.fail("swap", fmt::format("parameter `{}` is not a buffer that may be written: only those "
                                 "of role out, inout and scratch change places",
                                 name));
}

void read_swaps(text::Table& table, const std::vector<Parameter>& parameters, Step& out) {
  if (!table.accept("swap")) return;
  const auto given = table.texts("swap");
  if (given.empty() || given.size() % 2 != 0) {
    table.fail("swap", "names pairs of parameters whose buffers change places");
  }
  const auto names = all_names(parameters);
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

// The keys of a launch except its kernel and arguments.
void read_rest(text::Table& table, const std::vector<Parameter>& parameters, Step& out) {
  out.geometry = read_geometry(table);
  out.times = table.optional_expression("times").value_or(text::Expression{"1", table.where()});
  read_swaps(table, parameters, out);
}

// The prototype in `kernel`. A name without a list inherits the parameters through `like`.
Prototype read_prototype(text::Table& table) {
  const auto what = fmt::format("{}: `kernel`", table.what());
  const auto text = table.text("kernel");
  auto out = parse_prototype(text, table.where("kernel"), what);
  for (const auto& inherited : table.inherited_texts("kernel")) {
    if (out.has_list) break;
    auto other = parse_prototype(inherited, table.where("kernel"), what);
    out.parameters = std::move(other.parameters);
    out.has_list = other.has_list;
  }
  return out;
}

[[noreturn]] void fail_without_list(const text::Table& table, const Prototype& prototype) {
  table.fail("kernel", fmt::format("`{}` has no list of parameters; an example: kernel = \"copy("
                                   "float* out, const float* in, int width, int height)\"",
                                   base::escape_controls(prototype.kernel)));
}

// Adds the parameters of a further kernel. Parameters with the same name are one parameter.
void merge(const std::vector<Declared>& more, const text::Table& table,
           std::vector<Declared>& all) {
  for (const auto& one : more) {
    const auto same =
        std::ranges::find_if(all, [&](const Declared& other) { return other.name == one.name; });
    if (same == all.end()) {
      all.push_back(one);
      continue;
    }
    if (same->base != one.base || same->is_pointer != one.is_pointer) {
      table.fail("kernel", fmt::format("`{}` is {} here and {} in another kernel of the exercise; "
                                       "give one of them another name, or say with `arguments` "
                                       "which parameter it is",
                                       one.name, one.type, same->type));
    }
    same->is_constant = same->is_constant && one.is_constant;
  }
}

// The parameters of a kernel, as its prototype or `arguments` names them.
std::vector<std::size_t> arguments_of(text::Table& table, const Prototype& prototype,
                                      const std::vector<Parameter>& parameters, bool may_choose) {
  std::vector<std::string> names;
  for (const auto& parameter : parameters) names.push_back(parameter_name(parameter));
  std::vector<std::string> wanted;
  if (may_choose && table.accept("arguments")) {
    wanted = table.texts("arguments");
    if (prototype.has_list && wanted.size() != prototype.parameters.size()) {
      table.fail("arguments", fmt::format("are {}, but `{}` has {} parameters", wanted.size(),
                                          prototype.kernel, prototype.parameters.size()));
    }
  } else if (prototype.has_list) {
    for (const auto& one : prototype.parameters) wanted.push_back(one.name);
  } else {
    wanted = names;
  }
  std::vector<std::size_t> out;
  for (const auto& name : wanted) out.push_back(place_of(name, "arguments", table, names));
  return out;
}

// The default launch of the reference: one thread per element of the first result, in blocks of
// 256.
void launch_reference(const KernelExercise& exercise, const base::SourceLocation& where,
                      Geometry& launch, std::optional<text::Expression>& elements_per_block) {
  constexpr std::string_view kThreads = "256";
  auto results = buffers_of(exercise.parameters);
  std::erase_if(results, [](const auto* buffer) { return !buffer->is_output(); });
  const text::Expression one{"1", where};
  launch.block = {text::Expression{std::string(kThreads), where}, one, one};
  launch.grid = {one, one, one};
  launch.shared_bytes = {"0", where};
  if (results.empty()) return;
  const auto& first = *results.front();
  launch.grid[0] = {
      fmt::format("ceil_div(({}) * ({}), {})", first.rows.text(), first.columns.text(), kThreads),
      where};
  const bool is_by_block = results.size() == 1 && !first.is_input() && first.is_by_element();
  if (is_by_block) elements_per_block = text::Expression{std::string(kThreads), where};
}

// One launch's table, and the kernel that it launches.
struct KernelOfLaunch {
  text::Table table;
  Prototype kernel;
};

// The launches of an exercise with their kernels, whose parameters are added to `declared`.
std::vector<KernelOfLaunch> read_kernels(text::Table& table, bool is_sequence,
                                         std::vector<Declared>& declared) {
  std::optional<Prototype> common;
  if (!is_sequence || table.accept("kernel")) common = read_prototype(table);
  std::vector<text::Table> tables;
  if (is_sequence) {
    tables = table.tables("launch");
    if (tables.empty()) table.fail("launch", "there is no [[exercise.launch]]");
  } else {
    tables.push_back(table.table("launch"));
  }
  std::vector<KernelOfLaunch> out;
  for (auto& launch : tables) {
    const bool is_own = is_sequence && launch.accept("kernel");
    if (!is_own && !common) launch.text("kernel");  // Throws: the key is missing.
    auto kernel = is_own ? read_prototype(launch) : *common;
    if (is_sequence) {
      launch.rename(fmt::format("launch of `{}`", base::escape_controls(kernel.kernel)));
    }
    auto& owner = is_own ? launch : table;
    if (!kernel.has_list) fail_without_list(owner, kernel);
    if (!is_sequence || !launch.has("arguments")) merge(kernel.parameters, owner, declared);
    out.push_back({launch, std::move(kernel)});
  }
  return out;
}

// The reference: a table, or a kernel alone.
struct ReferenceTable {
  std::optional<text::Table> table;
  Prototype kernel;
};

ReferenceTable read_reference(text::Table& table, std::vector<Declared>& declared) {
  ReferenceTable out;
  if (table.has_table("reference")) {
    out.table = table.table("reference");
    out.kernel = read_prototype(*out.table);
    if (!out.table->has("arguments")) merge(out.kernel.parameters, *out.table, declared);
    return out;
  }
  const auto text = table.text("reference");
  out.kernel =
      parse_prototype(text, table.where("reference"), fmt::format("{}: `reference`", table.what()));
  merge(out.kernel.parameters, table, declared);
  return out;
}

void enter_reference(text::Table& exercise, ReferenceTable& reference, KernelExercise& out) {
  auto& table = reference.table ? *reference.table : exercise;
  const bool is_table = reference.table.has_value();
  out.reference_kernel = reference.kernel.kernel;
  out.reference_arguments = arguments_of(table, reference.kernel, out.parameters, is_table);
  if (is_table && (table.has("grid") || table.has("block"))) {
    out.reference_launch = read_geometry(table);
  } else {
    launch_reference(out, exercise.where("reference"), out.reference_launch,
                     out.elements_per_block);
  }
  if (!is_table) return;
  if (auto given = table.optional_expression("elements_per_block")) {
    out.elements_per_block = std::move(given);
  }
  table.finish();
}

std::uint64_t bytes_of(const BufferParameter& parameter, const text::Variables& variables) {
  return evaluate_count(parameter.rows, variables) * evaluate_count(parameter.columns, variables) *
         verify::size_of(parameter.type);
}

}  // namespace

void read_steps(text::Table& table, KernelExercise& out) {
  for (auto& launch : table.tables("launch")) {
    Step step;
    step.kernel = launch.text("kernel");
    launch.rename(fmt::format("launch of `{}`", base::escape_controls(step.kernel)));
    step.arguments = arguments_of(launch, {}, out.parameters, true);
    read_rest(launch, out.parameters, step);
    launch.finish();
    out.steps.push_back(std::move(step));
  }
  if (out.steps.empty()) table.fail("launch", "there is no [[launch]]");
  out.rounds = table.optional_expression("rounds").value_or(text::Expression{"1", table.where()});
}

void read_launches(text::Table& table, KernelExercise& out) {
  const bool is_sequence = table.is_list("launch");
  std::vector<Declared> declared;
  auto launches = read_kernels(table, is_sequence, declared);
  auto reference = read_reference(table, declared);
  out.parameters = read_parameters(table, declared);
  for (auto& [launch, kernel] : launches) {
    Step step;
    step.kernel = kernel.kernel;
    step.signature = kernel.signature();
    step.arguments = arguments_of(launch, kernel, out.parameters, is_sequence);
    if (is_sequence) {
      read_rest(launch, out.parameters, step);
    } else {
      step.geometry = read_geometry(launch);
      step.times = {"1", table.where()};
    }
    launch.finish();
    out.steps.push_back(std::move(step));
  }
  out.rounds = {"1", table.where()};
  if (is_sequence) out.rounds = table.optional_expression("rounds").value_or(out.rounds);
  enter_reference(table, reference, out);
}

void check_sequence(const KernelExercise& exercise, text::Table& table) {
  if (!exercise.is_sequence()) return;
  for (const auto& item : exercise.cases) {
    for (const auto* name : {"step", "round"}) {
      if (item.variables.contains(name)) {
        table.fail("cases",
                   fmt::format("case `{}`: the variable `{}` counts launches here; give it "
                               "another name",
                               item.name, name));
      }
    }
    const auto* key = item.sampled ? "sampled" : item.timed_variables ? "timed" : nullptr;
    if (key == nullptr) continue;
    table.fail(
        "cases",
        fmt::format("case `{}`: `{}` is for an exercise of one launch. A sequence of "
                    "launches is executed whole, and its speed is graded at the size of the case",
                    item.name, key));
  }
  for (const auto& gate : exercise.gates) {
    if (gate.metric != kWaves) continue;
    table.fail("gates",
               fmt::format("gate `{}`: {} is for an exercise of one launch", gate.id, gate.metric));
  }
}

// Sampling needs one output, compared by elements or by its total.
void check_sampling(const KernelExercise& exercise, text::Table& table) {
  auto outputs = buffers_of(exercise.parameters);
  std::erase_if(outputs, [](const auto* buffer) { return !buffer->is_output(); });
  const bool has_inout =
      std::ranges::any_of(outputs, [](const auto* output) { return output->is_input(); });
  const bool is_total = outputs.size() == 1 && outputs.front()->has_total();
  const bool is_by_element = outputs.size() == 1 && outputs.front()->is_by_element();
  if (exercise.elements_per_block && !is_by_element) {
    table.fail("reference", "`elements_per_block` is for one output that is compared by elements");
  }
  for (const auto& item : exercise.cases) {
    if (has_inout && (item.sampled || item.timed_variables)) {
      table.fail("cases",
                 fmt::format("case `{}`: of a launch with an \"inout\" buffer all blocks are "
                             "executed; leave out `{}` and give the size in the case itself",
                             item.name, item.sampled ? "sampled" : "timed"));
    }
    const bool is_partial = item.sampled || item.timed_variables;
    if (exercise.elements_per_block || is_total || !is_partial) continue;
    table.fail("reference",
               fmt::format("case `{}`, of which some blocks are executed, asks for "
                           "`elements_per_block`: which elements a block of the reference makes",
                           item.name));
  }
}

void check_launches(const KernelExercise& exercise, const text::Variables& variables,
                    std::uint64_t most_bytes) {
  check_geometry(exercise.reference_launch, variables);
  // Values may use `step` and `round`, shapes may not.
  auto at_first = variables;
  if (exercise.is_sequence()) at_first.insert({{"round", 0}, {"step", 0}});
  check_parameters(exercise.parameters, at_first, most_bytes);
  if (evaluate_count(exercise.rounds, variables) > kMostLaunches) {
    base::fail_at(exercise.rounds.where(), fmt::format("more than {} rounds", kMostLaunches));
  }
  std::uint64_t launches = 0;
  const auto check = [&](const Step& step, const text::Variables& now) {
    if (++launches > kMostLaunches) {
      base::fail_at(step.times.where(),
                    fmt::format("a case is more than {} launches", kMostLaunches));
    }
    check_geometry(step.geometry, now);
    for (const auto which : step.arguments) {
      check_values({&exercise.parameters[which], 1}, now);
    }
  };
  const auto buffers = buffers_of(exercise.parameters);
  for_each_launch(exercise, variables, check, [&](std::size_t a, std::size_t b) {
    const auto& one = *buffers[a];
    const auto& other = *buffers[b];
    if (bytes_of(one, variables) == bytes_of(other, variables)) return;
    base::fail_at(one.rows.where(),
                  fmt::format("`{}` and `{}` change places, but have not the same size", one.name,
                              other.name));
  });
  if (launches == 0) base::fail_at(exercise.steps.front().times.where(), "a case has no launch");
}

}  // namespace warpgrade::grader::course
