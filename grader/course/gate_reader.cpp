// SPDX-License-Identifier: Apache-2.0
#include "grader/course/gate_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "common/base/text.h"
#include "common/timing/arithmetic.h"
#include "grader/course/exercise.h"
#include "grader/course/launch_reader.h"
#include "grader/course/vocabulary.h"
#include "grader/text/messages.h"
#include "grader/text/toml_reader.h"

namespace warpgrade::grader::course {
namespace {

constexpr std::array<std::string_view, 31> kExerciseKeys = {
    "id",         "title",  "hints",     "hints_rot13",    "like",
    "kernel",     "launch", "rounds",    "shapes",         "roles",
    "fill",       "values", "same",      "types",          "structs",
    "compare",    "ulps",   "reference", "cases",          "correctness_points",
    "gates",      "change", "questions", "every_question", "bytes",
    "operations", "kind",   "magnitude", "hint_for",       "arithmetic",
    "launches"};

// Keys of presets alone, then keys of both, then keys of gates alone.
constexpr std::array<std::string_view, 20> kGateAndPresetKeys = {
    "like",  "parameters", "guards",    "case",     "each",   "generations", "id",
    "ideal", "max",        "meaning",   "min",      "metric", "needs",       "next",
    "on",    "share",      "simulated", "worst_of", "points", "use"};
// Values of `arithmetic`, and what they select.
constexpr std::array<std::string_view, 2> kArithmeticNames = {"f32", "tensor_f16"};
constexpr std::array<timing::ArithmeticKind, 2> kArithmetics = {timing::ArithmeticKind::kF32,
                                                                timing::ArithmeticKind::kTensorF16};
constexpr std::string_view kTensorProducts = "sm__inst_executed_pipe_tensor_op_hmma.sum";
constexpr std::size_t kOnlyOfPresets = 3;
constexpr std::size_t kOnlyOfGates = 2;

}  // namespace

std::span<const std::string_view> exercise_keys() { return kExerciseKeys; }

/// Keys of a gate in a manifest. Parameters of its preset are keys, too.
static std::span<const std::string_view> gate_keys() {
  return std::span<const std::string_view>(kGateAndPresetKeys).subspan(kOnlyOfPresets);
}

static std::span<const std::string_view> preset_keys() {
  return std::span<const std::string_view>(kGateAndPresetKeys)
      .first(kGateAndPresetKeys.size() - kOnlyOfGates);
}

void refuse_unknown_keys(const text::Table& table, std::span<const std::string_view> known) {
  for (const auto& key : table.keys()) {
    if (std::ranges::find(known, key) != known.end()) continue;
    base::fail_at(table.where(key),
                  fmt::format("{}: unknown key `{}`{}", table.what(), base::escape_controls(key),
                              text::did_you_mean(key, known)));
  }
}

const text::KeyExamples& lab_examples() {
  static const text::KeyExamples kExamples = {
      {"title", "\"Coalescing\""},
      {"summary", "\"Make the lanes of a warp read neighbouring words.\""},
      {"cases", "{ squares = { small = { n = 32 }, large = { n = 1024, measured = true } } }"},
      {"include_folders", "[\"../include\"]"},
  };
  return kExamples;
}

const text::KeyExamples& exercise_examples() {
  static const text::KeyExamples kExamples = {
      {"id", "\"copy\""},
      {"title", "\"Copy a matrix\""},
      {"kind", "\"stencil\""},
      {"arithmetic", "\"tensor_f16\""},
      {"hints", "[\"Which words do lanes 0 and 1 load?\"]"},
      {"hint_for", "{ bank_conflicts = 2 }"},
      {"kernel", "\"copy(float* out, const float* in, int n)\""},
      {"launch", "{ grid = [\"ceil_div(n, 256)\"], block = [256] }"},
      {"grid", "[\"ceil_div(n, 256)\"]"},
      {"block", "[32, 8]"},
      {"shapes", "{ in = \"height x width\" }"},
      {"roles", "{ data = \"inout\" }"},
      {"reference", "\"copy_reference\""},
      {"cases",
       "[{ name = \"ragged\", n = 1001 }, { name = \"large\", n = 65536, measured = true }]"},
      {"name", "\"ragged\""},
      {"timed", "{ n = \"65536 + 32 * draw\" }"},
      {"correctness_points", "2"},
      {"points", "2"},
      {"gates", "[{ use = \"coalesced_loads\", points = 2 }]"},
      {"use", "\"coalesced_loads\""},
      {"metric", "\"launch__shared_mem_per_block_static\""},
      {"on", "\"h200\""},
      {"ideal", "32"},
      {"min", "28"},
      {"max", "4096"},
      {"needs", "[\"sectors_loaded\"]"},
      {"meaning", "\"Bytes used of each sector that your loads move.\""},
      {"next", "\"Neighbouring lanes must load neighbouring words.\""},
  };
  return kExamples;
}

namespace {

std::string titled(const std::string& name) {
  return fmt::format("preset `{}`", base::escape_controls(name));
}

}  // namespace

GatePresets::GatePresets(std::string_view text, std::string shown)
    : shown_(std::move(shown)), root_(base::parse_toml(text, shown_)) {
  for (const auto& name : names()) {
    auto one = preset(name);
    refuse_unknown_keys(one, preset_keys());
    if (one.has("parameters")) {
      const auto parameters = one.table("parameters");
      for (const auto& key : parameters.keys()) {
        if (std::ranges::find(gate_keys(), key) == gate_keys().end()) continue;
        parameters.fail(key, "is a key of gates; give the parameter another name");
      }
    }
    inherit_like(one, name);
  }
}

std::vector<std::string> GatePresets::names() const {
  return text::Table(root_, shown_, "presets").keys();
}

text::Table GatePresets::preset(const std::string& name) const {
  auto out = text::Table(root_, shown_, "presets").table(name);
  out.rename(titled(name));
  return out;
}

void GatePresets::inherit_like(text::Table& table, std::string name) const {
  std::set<std::string> seen = {name};
  for (auto below = preset(name); below.has("like");) {
    name = below.text("like");
    if (!root_.contains(name)) {
      const auto known = names();
      below.fail("like", fmt::format("unknown preset `{}`{}", base::escape_controls(name),
                                     text::did_you_mean(name, known)));
    }
    if (!seen.insert(name).second) {
      below.fail("like",
                 fmt::format("`{}` is like itself in the end", base::escape_controls(name)));
    }
    below = preset(name);
    table.inherit_from(below, {});
  }
}

std::string GatePresets::unknown(const std::string& name) const {
  const auto known = names();
  return fmt::format("unknown preset `{}`{}; {}", base::escape_controls(name),
                     text::did_you_mean(name, known),
                     known.empty() ? shown_ + " has none"
                                   : fmt::format("{} has: {}", shown_, text::joined(known)));
}

void GatePresets::complete(text::Table& gate, const std::string& name) const {
  if (!has(name)) gate.fail("use", unknown(name));
  gate.inherit_from(preset(name), {});
  inherit_like(gate, name);
}

GatePresets read_gate_presets(const std::filesystem::path& root) {
  const std::string shown = "labs/gates.toml";
  std::ifstream in(root / shown, std::ios::binary);
  if (!in.is_open()) return GatePresets(shown);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  return {text, shown};
}

namespace {

// The names `bytes_in`, `bytes_out`, `elements_in` and `elements_out` in expressions of a manifest:
// sums over the buffers of an exercise.

/// Expressions of the case's variables for the names of sizes.
class SizeWords {
 public:
  explicit SizeWords(const KernelExercise& exercise) {
    for (const auto* buffer : buffers_of(exercise.parameters)) {
      const auto elements = fmt::format("({}) * ({})", buffer->rows.text(), buffer->columns.text());
      const auto bytes = fmt::format("{} * {}", elements, verify::size_of(buffer->type));
      if (buffer->is_input()) add("in", elements, bytes);
      if (buffer->is_output()) add("out", elements, bytes);
    }
  }

  std::optional<text::Expression> replaced(std::optional<text::Expression> given) const {
    if (!given) return given;
    const auto& formula = given->text();
    std::string out;
    for (std::size_t i = 0; i < formula.size();) {
      auto end = i;
      while (end < formula.size() && base::is_word_letter(formula[end])) ++end;
      const auto word = formula.substr(i, std::max(end, i + 1) - i);
      const auto known = words_.find(word);
      out += known == words_.end() ? word : '(' + known->second + ')';
      i += word.size();
    }
    return text::Expression{std::move(out), given->where()};
  }

 private:
  void add(const std::string& which, const std::string& elements, const std::string& bytes) {
    for (const auto& [name, text] :
         {std::pair{"elements_" + which, elements}, {"bytes_" + which, bytes}}) {
      auto& all = words_[name];
      all += (all.empty() ? "" : " + ") + text;
    }
  }

  std::map<std::string, std::string> words_;
};

constexpr std::array<std::string_view, 2> kWorstOf = {"measured", "all"};
constexpr std::array<std::string_view, 1> kEach = {"measured"};
constexpr std::size_t kMostGates = 1000;

// "8.6", or "8".
Generation generation_of(const text::Table& table, const std::string& text) {
  const auto number = [&](std::string_view part) {
    std::uint32_t out = 0;
    const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), out);
    if (part.empty() || error != std::errc() || end != part.data() + part.size()) {
      table.fail(text, R"(must be a compute capability such as "8.6" or "8")");
    }
    return out;
  };
  const std::string_view digits = text;
  const auto dot = digits.find('.');
  Generation out;
  out.major = number(digits.substr(0, dot));
  if (dot != std::string_view::npos) out.minor = number(digits.substr(dot + 1));
  return out;
}

// Keys that decide a gate on speed on a GPU.
void read_portability(text::Table& table, Gate& gate) {
  for (const auto* key : {"simulated", "share", "generations"}) {
    if (!gate.is_performance() && table.has(key)) {
      table.fail(key, fmt::format("only a gate on {} or {} is measured on a GPU", kFractionOfCopy,
                                  kFractionOfRoofline));
    }
  }
  gate.simulated = table.flag_or("simulated", false);
  if (table.accept("share")) {
    gate.share = table.number("share");
    if (*gate.share <= 0 || *gate.share > 1) table.fail("share", "must be above 0, at most 1");
  }
  if (!table.accept("generations")) return;
  auto generations = table.table("generations");
  for (const auto& name : generations.keys()) {
    auto one = generations.table(name);
    GenerationBounds bounds;
    bounds.generation = generation_of(generations, name);
    bounds.min = one.optional_expression("min");
    bounds.max = one.optional_expression("max");
    if (!bounds.min && !bounds.max) one.fail("min", "there must be `min`, `max` or both");
    one.finish();
    gate.on_generation.push_back(std::move(bounds));
  }
}

class GateReader {
 public:
  GateReader(text::Table& exercise, const Vocabulary& vocabulary, KernelExercise& out)
      : table_(exercise), vocabulary_(vocabulary), out_(out), sizes_(out) {
    for (const auto& item : out.cases) {
      if (item.sampled) continue;  // A sampled case has no counters.
      counted_.push_back(item.name);
      if (item.measured) measured_.push_back(item.name);
    }
  }

  void read() {
    read_required_work();
    changes_ = table_.tables_beside("change", "gates");
    for (auto& entry : entries()) add(std::move(entry));
    std::vector<Gate> guards;
    for (std::size_t i = 0; i < guard_sources_.size(); ++i) {
      const auto one = guard_sources_[i];  // A copy, since guards may add to guard_sources_.
      add_guards(one, guards);
    }
    const auto speed =
        std::ranges::find_if(out_.gates, [](const Gate& gate) { return gate.is_performance(); });
    out_.gates.insert(speed, guards.begin(), guards.end());
    for (const auto& change : changes_) {
      for (const auto& id : change.keys()) {
        if (!changed_.contains(id)) {
          change.fail(id, "is neither the id of a gate nor the preset of one" + nearest_id(id));
        }
      }
    }
  }

 private:
  // Bytes and operations that any solution needs.
  void read_required_work() {
    for (const auto& [key, to] :
         {std::pair{"bytes", &out_.bytes}, {"operations", &out_.operations}}) {
      *to = sizes_.replaced(table_.optional_expression(key));
      if (!*to) continue;
      for (const auto& item : out_.cases) {
        const double value = evaluate(**to, item.variables);
        if (value > 0) continue;
        base::fail_at((*to)->where(),
                      fmt::format("{}: `{}` is {} in case `{}`, and must be above 0", table_.what(),
                                  key, value, item.name));
      }
    }
    if (!table_.accept("arithmetic")) return;
    if (!out_.operations) table_.fail("arithmetic", "has no meaning without `operations`");
    out_.arithmetic = kArithmetics.at(table_.choice("arithmetic", kArithmeticNames));
  }

  // A gate whose preset has guards, with its device and cases.
  struct GuardSource {
    std::string id;
    text::Table table;
    std::string device;
    std::vector<std::string> cases;
  };

  std::vector<text::Table> entries() {
    std::vector<text::Table> out;
    for (const auto* node : table_.elements("gates")) {
      out.push_back(table_.within("gates", *node, "gate"));
    }
    if (out.empty()) {
      table_.fail("gates",
                  "the list is empty, so no device is named; an example: gates = [ "
                  "{ use = \"coalesced_loads\", points = 3 } ]");
    }
    return out;
  }

  // Adds the gates that an entry makes.
  void add(text::Table entry) {
    apply_preset(entry);
    const auto devices = devices_of(entry);
    const bool is_each = entry.accept("each");
    if (is_each) entry.choice("each", kEach);
    if (measured_.empty())
      table_.fail("cases", "none is `measured = true`, and gates are measured");
    for (const auto& device : devices) {
      for (std::size_t i = 0; i < (is_each ? measured_.size() : 1); ++i) {
        auto one = entry;
        std::vector<std::string> cases;
        if (is_each) cases = {measured_[i]};
        const auto index = is_each ? std::optional(i) : std::nullopt;
        add_gate(read_gate(one, device, std::move(cases), index), out_.gates);
      }
    }
  }

  void add_gate(Gate gate, std::vector<Gate>& to) {
    if (to.size() >= kMostGates) table_.fail("gates", fmt::format("are more than {}", kMostGates));
    to.push_back(std::move(gate));
  }

  void apply_preset(text::Table& entry) {
    if (!entry.accept("use")) return refuse_unknown_keys(entry, gate_keys());
    const auto name = entry.text("use");
    entry.rename(fmt::format("gate of `{}`", base::escape_controls(name)));
    presets(entry, "use").complete(entry, name);
    for (const auto* key : {"like", "parameters", "guards"}) entry.accept(key);
  }

  const GatePresets& presets(const text::Table& table, std::string_view key) const {
    if (vocabulary_.presets == nullptr) table.fail(key, "presets are not available here");
    return *vocabulary_.presets;
  }

  std::vector<std::string> devices_of(text::Table& entry) const {
    auto out = entry.text_or_texts("on");
    if (out.empty()) entry.fail("on", "must not be empty");
    for (const auto& device : out) check_known(entry, "on", device, vocabulary_.devices);
    return out;
  }

  // The placeholders of a gate on `device`; `item` is its only case, or nullptr.
  text::Choice choice_of(text::Table& entry, const std::string& device, const Case* item,
                         std::optional<std::size_t> index) const {
    auto out = choice_on(device, vocabulary_);
    out.item = index;
    if (item != nullptr) {
      out.placeholders["case"] = item->name;
      for (const auto& [name, value] : item->variables) {
        out.placeholders[name] = fmt::format("{}", value);
      }
    }
    for (auto& parameters : entry.tables_beside("parameters", "")) {
      parameters.choose(out);
      for (const auto& name : parameters.keys()) {
        // The gate can override a parameter.
        const auto own = entry.text_of(name, out);
        auto value = own ? *own : parameters.text_of(name, out).value_or("");
        out.placeholders.try_emplace(name, std::move(value));
      }
    }
    return out;
  }

  Gate read_gate(text::Table& entry, const std::string& device, std::vector<std::string> cases,
                 std::optional<std::size_t> index) {
    const auto* item = cases.size() == 1 ? &out_.case_called(cases.front()) : nullptr;
    entry.choose(choice_of(entry, device, item, index));
    Gate out;
    out.id = entry.text("id");
    entry.rename(fmt::format("gate `{}`", base::escape_controls(out.id)));
    check_id(entry, "id", out.id, ids_);
    auto table = entry;
    const auto used = entry.accept("use") ? entry.text("use") : std::string();
    for (auto at = changes_.rbegin(); at != changes_.rend(); ++at) {
      auto& change = *at;
      for (const auto& key : {used, out.id}) {
        if (key.empty() || !change.has(key)) continue;
        changed_.insert(key);
        auto changed = change.table(key);
        changed.rename(table.what());
        changed.inherit_from(table, {});
        changed.choose(choice_of(changed, device, item, index));
        table = std::move(changed);
      }
    }
    out.place = table.where();
    out.metric = table.text("metric");
    check_known(table, "metric", out.metric, vocabulary_.metrics);
    if (out.metric == kFractionOfCopy && out_.operations) {
      table.fail("metric", fmt::format("an exercise with `operations` has {} instead of {}",
                                       kFractionOfRoofline, kFractionOfCopy));
    }
    refuse_missing(table, out.metric, device);
    out.device = device;
    out.cases = cases.empty() ? deciding_cases(table, out.metric) : std::move(cases);
    out.min = sizes_.replaced(table.optional_expression("min"));
    out.max = sizes_.replaced(table.optional_expression("max"));
    if (!out.min && !out.max) {
      table.fail("min", "a gate has `min`, `max` or both; an example: min = 28");
    }
    out.points = table.accept("points") ? table.count("points") : 0;
    out.ideal = ideal_of(table, out);
    out.meaning = table.text("meaning");
    out.next = table.text("next");
    read_portability(table, out);
    if (table.accept("needs")) {
      out.needs = table.texts("needs");
    } else if (table.has("guards")) {
      guard_sources_.push_back({out.id, table, device, out.cases});
    }
    for (const auto* key : {"use", "on", "each", "worst_of", "case", "id"}) table.accept(key);
    table.finish();
    return out;
  }

  // Refuses a metric that `device` lacks: its gate could never be decided. A speed of products on
  // tensor cores needs tensor cores.
  void refuse_missing(const text::Table& table, const std::string& gated,
                      const std::string& device) const {
    const bool is_of_tensor = out_.arithmetic == timing::ArithmeticKind::kTensorF16;
    const auto metric = is_speed(gated) && is_of_tensor ? std::string(kTensorProducts) : gated;
    const auto lacks = [&](const std::string& name) {
      const auto found = vocabulary_.missing.find(name);
      return found != vocabulary_.missing.end() && std::ranges::count(found->second, metric) > 0;
    };
    if (!lacks(device)) return;
    auto others = vocabulary_.devices;
    std::erase_if(others, lacks);
    table.fail("on", fmt::format("{} has no `{}`; devices with it: {}",
                                 choice_on(device, vocabulary_).placeholders["card"], metric,
                                 others.empty() ? "none" : text::joined(others)));
  }

  // The cases that decide a gate on `metric`.
  std::vector<std::string> deciding_cases(text::Table& table, std::string_view metric) const {
    if (table.accept("case")) {
      if (table.has("worst_of")) table.fail("case", "has no meaning beside `worst_of`");
      const auto name = table.text("case");
      check_known(table, "case", name, is_speed(metric) ? measured_ : counted_);
      return {name};
    }
    return table.choice_or("worst_of", kWorstOf, 0) == 0 ? measured_ : counted_;
  }

  // The least value over the deciding cases. It must meet the bounds of its gate.
  double ideal_of(text::Table& table, const Gate& gate) const {
    const auto given = sizes_.replaced(table.expression("ideal"));
    constexpr auto kNone = std::numeric_limits<double>::infinity();
    double out = kNone;
    bool is_met = false;
    for (const auto& name : gate.cases) {
      const auto& variables = out_.case_called(name).variables;
      const double value = evaluate(*given, variables);
      const double min = gate.min ? evaluate(*gate.min, variables) : -kNone;
      const double max = gate.max ? evaluate(*gate.max, variables) : kNone;
      is_met = is_met || min > max || (value >= min && value <= max);
      out = std::min(out, value);
    }
    if (!is_met) {
      base::fail_at(
          given->where(),
          fmt::format("gate `{}`: `ideal` is {}, which its own bounds stop", gate.id, out));
    }
    return out;
  }

  // Adds the guards of a gate's preset, and makes the gate require them.
  void add_guards(const GuardSource& one, std::vector<Gate>& guards) {
    auto table = one.table;
    std::vector<std::string> needs;
    for (const auto* node : table.elements("guards")) {
      static const toml::table kEmpty;
      auto guard = node->is_table() ? table.within("guards", *node, "guard")
                                    : text::Table(kEmpty, table.where("guards").file, "guard");
      const auto name = node->value_exact<std::string>().value_or(
          node->is_table() ? guard.text("use") : std::string());
      if (name.empty()) table.fail("guards", "is a list of presets");
      const auto& known = presets(table, "guards");
      if (!known.has(name)) table.fail("guards", known.unknown(name));
      known.complete(guard, name);
      for (const auto* key : {"use", "like", "parameters", "guards"}) guard.accept(key);
      const auto device = guard.has_itself("on") ? guard.text("on") : one.device;
      const auto* item = one.cases.size() == 1 ? &out_.case_called(one.cases.front()) : nullptr;
      guard.choose(choice_of(guard, device, item, std::nullopt));
      const auto id = guard.text("id");
      if (!ids_.contains(id)) {
        guard.choose({});
        auto made = read_gate(guard, device, one.cases, std::nullopt);
        // A guard given by its name has the place of the list.
        if (!node->is_table()) made.place = table.where("guards");
        add_gate(std::move(made), guards);
      }
      needs.push_back(id);
    }
    for (auto* gates : {&out_.gates, &guards}) {
      for (auto& gate : *gates) {
        if (gate.id == one.id) gate.needs = needs;
      }
    }
  }

  std::string nearest_id(const std::string& id) const {
    const std::vector<std::string> known(ids_.begin(), ids_.end());
    return fmt::format("{}; there is: {}", text::did_you_mean(id, known), text::joined(known));
  }

  text::Table& table_;
  const Vocabulary& vocabulary_;
  KernelExercise& out_;
  SizeWords sizes_;
  std::vector<std::string> counted_;
  std::vector<std::string> measured_;
  std::vector<text::Table> changes_;
  std::vector<GuardSource> guard_sources_;
  std::set<std::string> ids_;
  std::set<std::string> changed_;  ///< Keys of `change` that match a gate.
};

}  // namespace

void check_known(const text::Table& table, std::string_view key, const std::string& given,
                 const std::vector<std::string>& names) {
  if (std::ranges::find(names, given) != names.end()) return;
  // A long list would hide the names that help.
  constexpr std::size_t kShown = 24;
  const auto list = names.size() > kShown
                        ? fmt::format("docs/glossary.md lists all {}", names.size())
                        : "the names are: " + text::joined(names);
  table.fail(key,
             fmt::format("there is no {} `{}`{}; {}", key == "on" ? "device" : key,
                         base::escape_controls(given), text::did_you_mean(given, names), list));
}

text::Choice choice_on(const std::string& device, const Vocabulary& vocabulary) {
  text::Choice out;
  out.device = device;
  out.placeholders["device"] = device;
  const auto card = vocabulary.cards.find(device);
  out.placeholders["card"] = card == vocabulary.cards.end() ? device : card->second;
  return out;
}

void read_gates(text::Table& table, const Vocabulary& vocabulary, KernelExercise& out) {
  GateReader(table, vocabulary, out).read();
}

}  // namespace warpgrade::grader::course
