// SPDX-License-Identifier: Apache-2.0
// Reads a manifest: first each table for itself, then what must agree between them.
#include "grader/course/manifest.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <fstream>
#include <functional>
#include <limits>
#include <set>

#include "common/base/error.h"
#include "common/base/text.h"
#include "grader/course/include_folders.h"
#include "grader/course/launch_reader.h"
#include "grader/course/sequence_reader.h"
#include "grader/text/rot13.h"
#include "grader/text/suggestions.h"
#include "grader/text/toml_reader.h"

namespace warpgrade::grader {
namespace {

constexpr std::size_t kMostTextBytes = std::size_t{4} << 20;
// A size that is drawn is checked where it is likely to be least and largest.
constexpr std::array<std::uint32_t, 4> kCheckedDraws = {0, 15, 240, Case::kDraws - 1};

Case read_case(Table table) {
  Case out;
  out.name = table.text("name");
  table.rename(fmt::format("case `{}`", base::escape_controls(out.name)));
  out.variables = table.variables("variables");
  if (table.has("timed_variables")) {
    out.timed_variables = table.variable_expressions("timed_variables");
  }
  out.measured = table.flag_or("measured", false);
  out.secret = table.flag_or("secret", false);
  if (out.secret && out.measured) table.fail("secret", "a measured case cannot be secret");
  out.sampled = table.flag_or("sampled", false);
  if (out.sampled && out.measured) table.fail("sampled", "a measured case has `timed_variables`");
  if (out.timed_variables && !out.measured) {
    table.fail("timed_variables", "only a measured case is timed");
  }
  table.finish();
  return out;
}

std::string known_name(Table& table, std::string_view key, const std::vector<std::string>& names) {
  auto given = table.text(key);
  if (std::find(names.begin(), names.end(), given) == names.end()) {
    table.fail(key, fmt::format("there is no {} `{}`{}; the names are: {}", key,
                                base::escape_controls(given),
                                did_you_mean(given, std::span<const std::string>(names)),
                                joined(std::span<const std::string>(names))));
  }
  return given;
}

// The cases that decide a gate on `metric` of an exercise with `all` cases.
std::vector<std::string> deciding_cases(Table& table, std::string_view metric,
                                        const std::vector<Case>& all) {
  static constexpr std::array<std::string_view, 2> kWorstOf = {"measured", "all"};
  std::vector<std::string> names;
  std::vector<std::string> measured;
  for (const auto& item : all) {
    if (item.sampled) continue;  // Nothing is counted there.
    names.push_back(item.name);
    if (item.measured) measured.push_back(item.name);
  }
  if (measured.empty()) table.fail("metric", "no case of the exercise is `measured = true`");
  if (table.has("worst_of")) {
    if (table.has("case")) table.fail("case", "has no meaning beside `worst_of`");
    return table.choice("worst_of", kWorstOf) == 0 ? measured : names;
  }
  if (table.has("case") || measured.size() > 1) {
    return {known_name(table, "case", metric == kFractionOfCopy ? measured : names)};
  }
  return measured;
}

// "8.6", or "8".
Generation read_generation(Table& table) {
  const auto text = table.text("generation");
  const std::string_view digits = text;
  const auto number = [&](std::string_view part) {
    std::uint32_t out = 0;
    const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), out);
    if (part.empty() || error != std::errc() || end != part.data() + part.size()) {
      table.fail("generation", R"(must be a compute capability such as "8.6" or "8")");
    }
    return out;
  };
  const auto dot = digits.find('.');
  Generation out;
  out.major = number(digits.substr(0, dot));
  if (dot != std::string_view::npos) out.minor = number(digits.substr(dot + 1));
  return out;
}

// How a gate on speed is decided where there is a GPU.
void read_portability(Table& table, Gate& gate) {
  for (const auto* key : {"simulated", "share", "on"}) {
    if (!gate.is_performance() && table.has(key)) {
      table.fail(key, fmt::format("only a gate on {} is measured on a GPU", kFractionOfCopy));
    }
  }
  gate.simulated = table.flag_or("simulated", false);
  if (table.may_have("share")) {
    gate.share = table.number("share");
    if (*gate.share <= 0 || *gate.share > 1) table.fail("share", "must be above 0, at most 1");
  }
  for (auto& one : table.tables("on")) {
    GenerationBounds bounds;
    bounds.generation = read_generation(one);
    bounds.min = one.optional_expression("min");
    bounds.max = one.optional_expression("max");
    if (!bounds.min && !bounds.max) one.fail("min", "there must be `min`, `max` or both");
    one.finish();
    gate.on_generation.push_back(std::move(bounds));
  }
}

Gate read_gate(Table table, const Vocabulary& vocabulary, const std::vector<Case>& cases) {
  Gate out;
  out.id = table.text("id");
  table.rename(fmt::format("gate `{}`", base::escape_controls(out.id)));
  out.metric = known_name(table, "metric", vocabulary.metrics);
  out.device = known_name(table, "device", vocabulary.devices);
  out.cases = deciding_cases(table, out.metric, cases);
  out.min = table.optional_expression("min");
  out.max = table.optional_expression("max");
  if (!out.min && !out.max) table.fail("min", "a gate has `min`, `max` or both");
  out.points = table.count("points");
  if (table.has("needs")) out.needs = table.texts("needs");
  if (table.has("skeleton")) out.skeleton = table.number("skeleton");
  out.ideal = table.number("ideal");
  out.meaning = table.text("meaning");
  out.next = table.text("next");
  read_portability(table, out);
  table.finish();
  return out;
}

void check_bounds(const Exercise& exercise, const Gate& gate) {
  const auto check = [&](const Variables& variables) {
    constexpr auto kNone = std::numeric_limits<double>::infinity();
    const double min = gate.min ? evaluate(*gate.min, variables) : -kNone;
    const double max = gate.max ? evaluate(*gate.max, variables) : kNone;
    if (min > max) {
      fail_at(gate.min->where, fmt::format("gate `{}`: `min` is {}, more than `max`, which is {}",
                                           gate.id, min, max));
    }
  };
  for (const auto& name : gate.cases) {
    const auto& item = exercise.case_called(name);
    check(item.variables);
    for (const auto draw : kCheckedDraws) check(item.speed_variables(draw));
  }
}

// A gate needs others of its exercise.
void check_needed(const Exercise& exercise, const Gate& gate, const std::string& needed,
                  const Table& table) {
  const bool known = std::any_of(exercise.gates.begin(), exercise.gates.end(),
                                 [&](const Gate& other) { return other.id == needed; });
  if (known && needed != gate.id) return;
  table.fail("gate", fmt::format("gate `{}` needs `{}`, which is not another gate of this exercise",
                                 gate.id, base::escape_controls(needed)));
}

void check_variables(const Case& first, const Case& item, const Variables& given,
                     const base::SourceLocation& where) {
  const auto same_names = [](const auto& a, const auto& b) { return a.first == b.first; };
  if (!std::equal(first.variables.begin(), first.variables.end(), given.begin(), given.end(),
                  same_names)) {
    std::vector<std::string> names;
    for (const auto& [name, value] : first.variables) names.push_back(name);
    fail_at(where, fmt::format("case `{}`: the variables must be those of the first case: {}",
                               item.name, joined(std::span<const std::string>(names))));
  }
}

Question read_question(Table table, const Vocabulary& vocabulary) {
  static constexpr std::array<std::string_view, 2> kRules = {"shared_wavefronts",
                                                             "coarsening_factor"};
  static constexpr std::array<std::string_view, 2> kLevels = {"thread", "block"};
  Question out;
  out.id = table.text("id");
  table.rename(fmt::format("question `{}`", base::escape_controls(out.id)));
  out.rule = static_cast<QuestionRule>(table.choice("rule", kRules));
  out.device = known_name(table, "device", vocabulary.devices);
  out.points = table.count("points");
  out.meaning = table.text("meaning");
  const auto at_least = [&](std::string_view key, std::uint32_t least, std::uint32_t most) {
    const auto value = table.count(key);
    if (value < least || value > most) {
      table.fail(key, fmt::format("must be from {} to {}", least, most));
    }
    return value;
  };
  if (out.rule == QuestionRule::kSharedWavefronts) {
    if (!explains_wavefronts(out)) {
      table.fail("device", "its banks are not those of this rule: a device from Kepler on");
    }
    out.word_bytes = table.count("word_bytes");
    if (out.word_bytes != 4 && out.word_bytes != 8 && out.word_bytes != 16) {
      table.fail("word_bytes", "must be 4, 8 or 16");
    }
    out.strides = at_least("strides", 1, 64);
  } else {
    out.level = static_cast<CoarseningLevel>(table.choice("level", kLevels));
    out.threads = at_least("threads", 32, 1024);
    out.registers = at_least("registers", 1, 255);
    out.shared_bytes = at_least("shared_bytes", 0, 49152);
  }
  table.finish();
  return out;
}

// Reads the keys that every exercise has.
void read_head(Table& table, Exercise& out) {
  out.id = table.text("id");
  table.rename(fmt::format("exercise `{}`", base::escape_controls(out.id)));
  out.title = table.text("title");
  const auto* key = table.has("hints_rot13") ? "hints_rot13" : "hints";
  out.hints = table.texts(key);
  if (out.hints.empty()) table.fail(key, "must not be empty");
  if (key != std::string_view("hints")) {
    for (auto& hint : out.hints) hint = rot13(hint);
  }
}

Exercise read_questions(Table table, const Vocabulary& vocabulary) {
  Exercise out;
  read_head(table, out);
  std::set<std::string> seen;
  for (auto& question : table.tables("question")) {
    out.questions.push_back(read_question(question, vocabulary));
    check_id(question, "id", out.questions.back().id, seen);
  }
  if (out.questions.empty()) table.fail("question", "there is no [[exercise.question]]");
  table.finish();
  return out;
}

Exercise read_exercise(Table table, const Vocabulary& vocabulary) {
  Exercise out;
  read_head(table, out);
  out.correctness_points = table.count("correctness_points");

  std::set<std::string> seen;
  for (auto& parameter : table.tables("parameter")) {
    out.parameters.push_back(read_parameter(parameter));
    check_id(parameter, "name", out.parameters.back().name, seen);
  }
  const auto buffers = buffers_of(out.parameters);
  if (std::none_of(buffers.begin(), buffers.end(), [](auto* one) { return one->is_compared(); })) {
    table.fail("parameter",
               "no [[exercise.parameter]] has role \"out\" or \"inout\": there is nothing to "
               "check");
  }
  read_launches(table, out);

  seen.clear();
  for (auto& given : table.tables("case")) {
    out.cases.push_back(read_case(given));
    const auto& item = out.cases.back();
    check_id(given, "name", item.name, seen);
    check_variables(out.cases.front(), item, item.variables, given.where("variables"));
    check_variables(out.cases.front(), item, item.speed_variables(0),
                    given.where(item.timed_variables ? "timed_variables" : "variables"));
  }
  if (out.cases.empty()) table.fail("case", "there is no [[exercise.case]]");

  seen.clear();
  for (auto& gate : table.tables("gate")) {
    out.gates.push_back(read_gate(gate, vocabulary, out.cases));
    check_id(gate, "id", out.gates.back().id, seen);
  }
  if (out.gates.empty()) {
    table.fail("gate", "there is no [[exercise.gate]]: nothing names a device to grade on");
  }
  check_sequence(out, table);
  check_sampling(out, table);
  table.finish();

  for (const auto& item : out.cases) {
    check_launches(out, item.variables, item.sampled ? kMostSampledBytes : kMostCaseBytes);
    if (item.timed_variables) {
      for (const auto draw : kCheckedDraws) check_launches(out, item.speed_variables(draw));
    }
    for (const auto& step : out.steps) {
      try {
        kernel_name(step.kernel, item.variables);
      } catch (const base::UsageError& error) {
        table.fail("kernel", error.what());
      }
    }
  }
  for (const auto& gate : out.gates) {
    check_bounds(out, gate);
    for (const auto& needed : gate.needs) check_needed(out, gate, needed, table);
  }
  return out;
}

}  // namespace

Lab parse_manifest(std::string_view text, const std::string& shown, const std::string& lab,
                   const Vocabulary& vocabulary, const std::filesystem::path& folder) {
  const auto root = parse_toml(text, shown);
  Table table(root, shown, "lab");
  Lab out;
  out.id = lab;
  out.folder = folder;
  out.title = table.text("title");
  out.summary = table.text("summary");
  if (table.may_have("order")) out.order = table.count("order");
  if (table.has("include_folders")) {
    const auto given = table.texts("include_folders");
    out.include_folders = include_folders(folder, given, table.where("include_folders"));
  }
  std::set<std::string> seen;
  for (auto& exercise : table.tables("exercise")) {
    const bool asks = exercise.has("question");
    out.exercises.push_back(asks ? read_questions(exercise, vocabulary)
                                 : read_exercise(exercise, vocabulary));
    check_id(exercise, "id", out.exercises.back().id, seen);
  }
  table.finish();
  if (out.exercises.empty()) fail_at(table.where(), "lab: there is no [[exercise]]");
  return out;
}

Lab read_manifest(const std::filesystem::path& file, const std::string& shown,
                  const Vocabulary& vocabulary) {
  std::ifstream in(file, std::ios::binary);
  std::string text;
  std::array<char, 1 << 16> piece{};
  while (in && text.size() <= kMostTextBytes) {
    in.read(piece.data(), piece.size());
    text.append(piece.data(), static_cast<std::size_t>(in.gcount()));
  }
  if (!in.is_open() || in.bad()) {
    throw base::UsageError(fmt::format("{}: cannot be read", base::escape_controls(shown)));
  }
  if (text.size() > kMostTextBytes) {
    throw base::UsageError(fmt::format("{}: is larger than 4 MiB, which no manifest is",
                                       base::escape_controls(shown)));
  }
  const auto folder = file.parent_path();
  return parse_manifest(text, shown, folder.filename().string(), vocabulary, folder);
}

}  // namespace warpgrade::grader
