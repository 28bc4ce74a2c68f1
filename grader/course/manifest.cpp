// SPDX-License-Identifier: Apache-2.0
// Reads a lab: labs/LAB/grader.toml, the folders of its own headers, and the values of its
// skeletons.
// In: the lab's files and the vocabulary of the course. Out: a checked and typed Lab
// (exercise.h). Each table is read by itself first; then follows the consistency between them.
// The first mistake is a base::UsageError that begins with file:line:column and names the key.
// docs/manifest.md lists every key.
#include "grader/course/manifest.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <variant>
#include <vector>

#include "common/base/diagnostic.h"
#include "common/base/error.h"
#include "common/base/text.h"
#include "common/device/profile.h"
#include "common/timing/speed_of_light.h"
#include "grader/course/case_reader.h"
#include "grader/course/cause_id.h"
#include "grader/course/exercise.h"
#include "grader/course/gate_reader.h"
#include "grader/course/launch_reader.h"
#include "grader/course/parameter_reader.h"
#include "grader/course/questions.h"
#include "grader/course/sequence_reader.h"
#include "grader/course/vocabulary.h"
#include "grader/text/messages.h"
#include "grader/text/toml_reader.h"

namespace warpgrade::grader::course {
namespace {

constexpr std::string_view kHead =
    "# SPDX-License-Identifier: Apache-2.0\n"
    "# Values of the untouched skeletons. `warpgrade check --write` measures them and writes this "
    "file;\n"
    "# do not edit it.\n";

void enter_values_of(text::Table table, Exercise& exercise) {
  table.rename(fmt::format("exercise `{}`", exercise.id));
  auto* kernel = exercise.kernel();
  for (const auto& id : table.keys()) {
    const auto value = table.number(id);
    if (kernel == nullptr) continue;
    const auto gate = std::ranges::find(kernel->gates, id, &Gate::id);
    if (gate != kernel->gates.end()) gate->skeleton = value;
  }
}

}  // namespace

void enter_skeleton_values(std::string_view text, const std::string& shown, Lab& lab) {
  const auto root = base::parse_toml(text, shown);
  text::Table table(root, shown, "skeletons");
  for (const auto& id : table.keys()) {
    const auto exercise = std::ranges::find(lab.exercises, id, &Exercise::id);
    if (exercise != lab.exercises.end()) enter_values_of(table.table(id), *exercise);
  }
}

std::string skeleton_values_text(const Lab& lab) {
  std::string out;
  for (const auto& exercise : lab.exercises) {
    const auto* kernel = exercise.kernel();
    if (kernel == nullptr) continue;
    std::string values;
    for (const auto& gate : kernel->gates) {
      if (gate.skeleton) values += fmt::format("{} = {}\n", gate.id, *gate.skeleton);
    }
    if (!values.empty()) out += fmt::format("\n[{}]\n{}", exercise.id, values);
  }
  return out.empty() ? out : std::string(kHead) + out;
}

namespace {

namespace fs = std::filesystem;

// In the course's root: what students do not get.
constexpr std::array<std::string_view, 3> kKeptBack = {"solutions", "studies", "tests"};

// The reason to refuse `folder` in the course at `root`; empty if it is allowed.
std::string why_not(const fs::path& folder, const fs::path& root) {
  std::error_code error;
  if (!fs::is_directory(folder, error)) return "the folder does not exist";
  const auto inside = folder.lexically_relative(root);
  if (inside.empty() || *inside.begin() == "..") {
    return "it lies outside the course, so no pack could bring it along";
  }
  if (std::ranges::count(kKeptBack, inside.begin()->string()) != 0) {
    return "it is in a part of the course that students do not receive";
  }
  if (inside == "." || inside == "labs" || fs::exists(folder / "grader.toml", error)) {
    return "it holds a manifest; put the headers into a folder of their own";
  }
  return {};
}

}  // namespace

std::vector<fs::path> include_folders(const fs::path& lab, const std::vector<std::string>& given,
                                      const base::SourceLocation& where) {
  std::vector<fs::path> out;
  std::error_code error;
  const auto root = fs::weakly_canonical(lab / ".." / "..", error);
  for (const auto& name : given) {
    auto folder = fs::weakly_canonical(lab / name, error);
    // "include/" would have an empty last part.
    if (!folder.has_filename()) folder = folder.parent_path();
    const auto why = error ? error.message() : why_not(folder, root);
    if (!why.empty()) {
      base::fail_at(where,
                    fmt::format("include folder `{}`: {}", base::escape_controls(name), why));
    }
    out.push_back(std::move(folder));
  }
  return out;
}

namespace {

constexpr std::size_t kMostTextBytes = std::size_t{4} << 20;
// A drawn size is checked at these draws, which are likely to make it smallest and largest.
constexpr std::array<std::uint32_t, 4> kCheckedDraws = {0, 15, 240, Case::kDraws - 1};

std::string shown_place(const base::SourceLocation& place) {
  return fmt::format("{}:{}", place.file, place.line);
}

void check_bounds(const KernelExercise& exercise, const Gate& gate) {
  const auto check = [&](const text::Variables& variables) {
    constexpr auto kNone = std::numeric_limits<double>::infinity();
    const double min = gate.min ? evaluate(*gate.min, variables) : -kNone;
    const double max = gate.max ? evaluate(*gate.max, variables) : kNone;
    if (min > max) {
      // One of them may be a preset's; the author's place is where both met.
      base::fail_at(
          gate.place,
          fmt::format("gate `{}`: `min` is {}, more than `max`, which is {} (`min` is at {}, "
                      "`max` at {})",
                      gate.id, min, max, shown_place(gate.min->where()),
                      shown_place(gate.max->where())));
    }
  };
  for (const auto& name : gate.cases) {
    const auto& item = exercise.case_called(name);
    check(item.variables);
    for (const auto draw : kCheckedDraws) check(item.speed_variables(draw));
  }
}

// Throws base::UsageError unless `needed` is another gate of the exercise.
void check_needed(const KernelExercise& exercise, const Gate& gate, const std::string& needed) {
  const bool known = std::any_of(exercise.gates.begin(), exercise.gates.end(),
                                 [&](const Gate& other) { return other.id == needed; });
  if (known && needed != gate.id) return;
  base::fail_at(gate.place,
                fmt::format("gate `{}` needs `{}`, which is not another gate of this exercise",
                            gate.id, base::escape_controls(needed)));
}

constexpr std::string_view kMemoryThroughput =
    "gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed";

// The number at `key`, which must be from `least` to `most`.
std::uint32_t count_within(text::Table& table, std::string_view key, std::uint32_t least,
                           std::uint32_t most) {
  const auto value = table.count(key);
  if (value < least || value > most) {
    table.fail(key, fmt::format("must be from {} to {}", least, most));
  }
  return value;
}

BlockNeeds read_block_needs(text::Table& table) {
  return {count_within(table, "threads", 32, 1024), count_within(table, "registers", 1, 255),
          count_within(table, "shared_bytes", 0, 49152)};
}

SharedWavefronts read_shared_wavefronts(text::Table& table, const std::string& device) {
  if (!explains_wavefronts(device)) {
    table.fail("on", "its banks are not those of this rule: a device from Kepler on");
  }
  const auto word_bytes = table.count("word_bytes");
  if (word_bytes != 4 && word_bytes != 8 && word_bytes != 16) {
    table.fail("word_bytes", "must be 4, 8 or 16");
  }
  return {word_bytes, count_within(table, "strides", 1, 64)};
}

CoarseningFactor read_coarsening_factor(text::Table& table) {
  static constexpr std::array<std::string_view, 2> kLevels = {"thread", "block"};
  const auto block = read_block_needs(table);
  return {static_cast<CoarseningLevel>(table.choice("level", kLevels)), block};
}

LittlesLaw read_littles_law(text::Table& table, const std::string& device) {
  static constexpr std::array<std::string_view, 3> kInFlight = {"bytes", "warps", "loads"};
  const auto block = read_block_needs(table);
  const auto asked = static_cast<InFlight>(table.choice("asked", kInFlight));
  const auto latency_ns = count_within(table, "latency_ns", 1, 10000);
  if (resident_warps(device, block) == 0) {
    table.fail("threads", "no such block fits on this device");
  }
  return {asked, block, latency_ns};
}

LaunchProfile read_launch_profile(text::Table& table, const std::string& device,
                                  const std::vector<AskedLaunch>& launches) {
  static constexpr std::array<std::string_view, 3> kAsked = {"limit", "occupancy", "bytes"};
  LaunchProfile out;
  out.kernel = table.text("of");
  std::vector<std::string> kernels;
  for (const auto& launch : launches) kernels.push_back(launch.kernel);
  if (std::ranges::find(kernels, out.kernel) == kernels.end()) {
    table.fail("of",
               fmt::format("`launches` has no kernel `{}`{}", base::escape_controls(out.kernel),
                           text::did_you_mean(out.kernel, kernels)));
  }
  out.asked = static_cast<ProfileAsked>(table.choice("asked", kAsked));
  if (!timing::is_modelled(device::find(device), kMemoryThroughput)) {
    table.fail("on", "its Speed of Light is not modelled: a device from Hopper on");
  }
  return out;
}

QuestionRule read_rule(text::Table& table, const std::string& device,
                       const std::vector<AskedLaunch>& launches) {
  static constexpr std::array<std::string_view, 4> kRules = {
      "shared_wavefronts", "coarsening_factor", "littles_law", "profile"};
  switch (table.choice("rule", kRules)) {
    case 0:
      return read_shared_wavefronts(table, device);
    case 1:
      return read_coarsening_factor(table);
    case 2:
      return read_littles_law(table, device);
    default:
      return read_launch_profile(table, device, launches);
  }
}

Question read_question(text::Table table, const Vocabulary& vocabulary,
                       const std::vector<AskedLaunch>& launches) {
  Question out;
  out.device = table.text("on");
  check_known(table, "on", out.device, vocabulary.devices);
  auto choice = choice_on(out.device, vocabulary);
  for (const auto* key : {"word_bytes", "level", "asked", "of"}) {
    if (table.has(key)) choice.placeholders[key] = table.text_of(key, {}).value_or("");
  }
  table.choose(choice);
  out.id = table.text("id");
  table.rename(fmt::format("question `{}`", base::escape_controls(out.id)));
  out.points = table.count("points");
  out.rule = read_rule(table, out.device, launches);
  const auto* profile = std::get_if<LaunchProfile>(&out.rule);
  out.meaning = profile == nullptr
                    ? table.text("meaning")
                    : table.text_or("meaning", default_meaning(*profile, out.device));
  table.finish();
  return out;
}

// Reads the keys that every exercise has.
void read_head(text::Table& table, Exercise& out) {
  out.id = table.text("id");
  table.rename(fmt::format("exercise `{}`", base::escape_controls(out.id)));
  out.title = table.text("title");
  const auto* key = table.has("hints_rot13") ? "hints_rot13" : "hints";
  out.hints = table.texts(key);
  if (out.hints.empty()) table.fail(key, "must not be empty");
  if (key != std::string_view("hints")) {
    for (auto& hint : out.hints) hint = text::rot13(hint);
  }
  if (!table.has("hint_for")) return;
  for (const auto& [cause, number] : table.variables("hint_for")) {
    const auto id = cause_called(cause);
    if (!id) table.fail("hint_for", text::not_one_of(cause, kCauseNames));
    if (number < 1 || number > static_cast<double>(out.hints.size()) ||
        number != std::floor(number)) {
      table.fail("hint_for",
                 fmt::format("{} = {}: there are hints 1 to {}", cause, number, out.hints.size()));
    }
    out.hint_for[*id] = static_cast<std::size_t>(number) - 1;
  }
}

// The launches that questions ask about: a table each.
std::vector<AskedLaunch> read_asked_launches(text::Table& table) {
  std::vector<AskedLaunch> out;
  std::set<std::string> seen;
  for (auto& launch : table.tables("launches")) {
    const auto prototype =
        parse_prototype(launch.text("kernel"), launch.where("kernel"), "launches: `kernel`");
    launch.rename(fmt::format("launch of `{}`", base::escape_controls(prototype.kernel)));
    check_id(launch, "kernel", prototype.kernel, seen);
    AskedLaunch made{prototype.kernel, prototype.signature(), read_geometry(launch),
                     read_parameters(launch, prototype.parameters)};
    launch.finish();
    for (const auto& parameter : made.parameters) {
      if (std::holds_alternative<BufferParameter>(parameter)) continue;
      launch.fail("kernel", "its parameters must be buffers");
    }
    check_geometry(made.geometry, {});
    check_parameters(made.parameters, {});
    out.push_back(std::move(made));
  }
  return out;
}

QuestionsExercise read_questions(text::Table& table, const Vocabulary& vocabulary) {
  QuestionsExercise out;
  std::set<std::string> seen;
  if (table.accept("launches")) out.launches = read_asked_launches(table);
  std::optional<text::Table> every;
  if (table.accept("every_question")) every = table.table("every_question");
  for (auto& question : table.tables("questions")) {
    if (every) question.inherit_from(*every, {});
    out.questions.push_back(read_question(question, vocabulary, out.launches));
    check_id(question, "id", out.questions.back().id, seen);
  }
  if (out.questions.empty()) table.fail("questions", "must not be empty");
  table.finish();
  return out;
}

// A scalar without an entry in `values` needs a case variable of its name.
void check_scalars(const KernelExercise& exercise, const text::Table& table) {
  const auto& variables = exercise.cases.front().variables;
  for (const auto* parameter : all_of_kind<ValueParameter>(exercise.parameters)) {
    const auto name = parameter->name.substr(parameter->name.find('.') + 1);
    if (parameter->value.text() != name) continue;
    const bool counts = exercise.is_sequence() && (name == "step" || name == "round");
    if (variables.contains(name) || counts) continue;
    const auto names = text::keys_of(variables);
    base::fail_at(
        parameter->value.where(),
        fmt::format("{}: parameter `{}` takes the variable of its name, which no case has{}; "
                    "the cases have: {}; an example: values = {{ {} = \"2 * {}\" }}",
                    table.what(), parameter->name, text::did_you_mean(name, names),
                    text::joined(names), parameter->name, names.empty() ? "n" : names.front()));
  }
}

void check_exercise(const KernelExercise& out, text::Table& table,
                    const std::vector<GivenCases>& given) {
  check_sequence(out, table);
  check_sampling(out, table);
  check_scalars(out, table);
  for (const auto& one : given) {
    for (const auto& item : one.cases) {
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
  }
}

KernelExercise read_kernel(text::Table& table, const Vocabulary& vocabulary, const CaseSets& sets) {
  KernelExercise out;
  out.correctness_points = table.count("correctness_points");
  if (table.accept("kind")) {
    out.kind = static_cast<device::KernelKind>(table.choice("kind", device::kKernelKinds));
  }
  read_launches(table, out);
  const auto buffers = buffers_of(out.parameters);
  if (std::ranges::none_of(buffers, [](const auto* one) { return one->is_output(); })) {
    table.fail("kernel",
               "writes through none of its pointers: there is nothing to check; an "
               "example: kernel = \"copy(float* out, const float* in, int n)\"");
  }
  const auto given = read_cases(table, sets);
  for (const auto& one : given) {
    out.cases.insert(out.cases.end(), one.cases.begin(), one.cases.end());
  }
  check_exercise(out, table, given);
  read_gates(table, vocabulary, out);
  check_sequence(out, table);
  table.accept("like");
  table.finish();
  for (const auto& gate : out.gates) {
    check_bounds(out, gate);
    for (const auto& needed : gate.needs) check_needed(out, gate, needed);
  }
  return out;
}

Exercise read_exercise(text::Table& table, const Vocabulary& vocabulary, const CaseSets& sets) {
  Exercise out;
  read_head(table, out);
  if (table.has("questions")) {
    out.form = read_questions(table, vocabulary);
  } else {
    out.form = read_kernel(table, vocabulary, sets);
  }
  return out;
}

// The tables of the exercises, with the keys that they inherit through `like`.
std::vector<text::Table> exercise_tables(text::Table& lab) {
  auto out = lab.tables("exercise");
  for (auto& one : out) {
    one.give_examples(exercise_examples());
    refuse_unknown_keys(one, exercise_keys());
  }
  std::vector<std::string> ids;
  for (auto& one : out) ids.push_back(one.has("id") ? one.text("id") : std::string());
  const auto bare = out;
  for (std::size_t i = 0; i < out.size(); ++i) {
    std::set<std::size_t> seen = {i};
    for (auto below = bare[i]; below.accept("like");) {
      const auto name = below.text("like");
      const auto at = static_cast<std::size_t>(std::ranges::find(ids, name) - ids.begin());
      below.rename(fmt::format("exercise `{}`", base::escape_controls(ids[i])));
      if (at == ids.size()) {
        below.fail("like", fmt::format("unknown exercise `{}`{}; the lab has: {}",
                                       base::escape_controls(name), text::did_you_mean(name, ids),
                                       text::joined(ids)));
      }
      if (!seen.insert(at).second) {
        below.fail("like",
                   fmt::format("`{}` is like itself in the end", base::escape_controls(name)));
      }
      below = bare[at];
      out[i].inherit_from(below, {"id", "title", "hints", "hints_rot13", "hint_for", "like"});
    }
  }
  return out;
}

std::string text_of_file(const std::filesystem::path& file, const std::string& shown) {
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
  return text;
}

}  // namespace

Lab parse_manifest(std::string_view text, const std::string& shown, const std::string& lab,
                   const Vocabulary& vocabulary, const std::filesystem::path& folder) {
  const auto root = base::parse_toml(text, shown);
  text::Table table(root, shown, "lab");
  table.give_examples(lab_examples());
  Lab out;
  out.id = lab;
  out.folder = folder;
  out.title = table.text("title");
  out.summary = table.text("summary");
  if (table.accept("order")) out.order = table.count("order");
  if (table.has("include_folders")) {
    const auto given = table.texts("include_folders");
    out.include_folders = include_folders(folder, given, table.where("include_folders"));
  }
  std::set<std::string> seen;
  const auto sets = read_case_sets(table);
  for (auto& exercise : exercise_tables(table)) {
    out.exercises.push_back(read_exercise(exercise, vocabulary, sets));
    check_id(exercise, "id", out.exercises.back().id, seen);
  }
  table.finish();
  if (out.exercises.empty()) base::fail_at(table.where(), "lab: there is no [[exercise]]");
  return out;
}

Lab read_manifest(const std::filesystem::path& file, const std::string& shown,
                  const Vocabulary& vocabulary) {
  const auto folder = file.parent_path();
  auto out = parse_manifest(text_of_file(file, shown), shown, folder.filename().string(),
                            vocabulary, folder);
  const auto values = folder / kSkeletonValuesFile;
  std::error_code ignored;
  if (std::filesystem::is_regular_file(values, ignored)) {
    const auto parent = shown.substr(0, shown.rfind('/') + 1);
    const auto shown_values = parent + std::string(kSkeletonValuesFile);
    enter_skeleton_values(text_of_file(values, shown_values), shown_values, out);
  }
  return out;
}

}  // namespace warpgrade::grader::course
