// SPDX-License-Identifier: Apache-2.0
#include "grader/course/gate_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <optional>
#include <set>
#include <span>

#include "common/base/text.h"
#include "grader/course/gate_presets.h"
#include "grader/course/launch_reader.h"
#include "grader/course/manifest_keys.h"
#include "grader/course/size_words.h"
#include "grader/text/suggestions.h"

namespace warpgrade::grader::course {
namespace {

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
  if (table.may_have("share")) {
    gate.share = table.number("share");
    if (*gate.share <= 0 || *gate.share > 1) table.fail("share", "must be above 0, at most 1");
  }
  if (!table.may_have("generations")) return;
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
        base::fail_at((*to)->where, fmt::format("{}: `{}` is {} in case `{}`, and must be above 0",
                                                table_.what(), key, value, item.name));
      }
    }
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
    lay_on_preset(entry);
    const auto devices = devices_of(entry);
    const bool is_each = entry.may_have("each");
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

  void lay_on_preset(text::Table& entry) {
    if (!entry.may_have("use")) return refuse_unknown_keys(entry, gate_keys());
    const auto name = entry.text("use");
    entry.rename(fmt::format("gate of `{}`", base::escape_controls(name)));
    presets(entry, "use").lay_below(entry, name);
    for (const auto* key : {"like", "parameters", "guards"}) entry.may_have(key);
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
    const auto used = entry.may_have("use") ? entry.text("use") : std::string();
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
    out.metric = table.text("metric");
    check_known(table, "metric", out.metric, vocabulary_.metrics);
    if (out.metric == kFractionOfCopy && out_.operations) {
      table.fail("metric", fmt::format("an exercise with `operations` has {} instead of {}",
                                       kFractionOfRoofline, kFractionOfCopy));
    }
    out.device = device;
    out.cases = cases.empty() ? deciding_cases(table, out.metric) : std::move(cases);
    out.min = sizes_.replaced(table.optional_expression("min"));
    out.max = sizes_.replaced(table.optional_expression("max"));
    if (!out.min && !out.max) {
      table.fail("min", "a gate has `min`, `max` or both; an example: min = 28");
    }
    out.points = table.may_have("points") ? table.count("points") : 0;
    out.ideal = ideal_of(table, out);
    out.meaning = table.text("meaning");
    out.next = table.text("next");
    read_portability(table, out);
    if (table.may_have("needs")) {
      out.needs = table.texts("needs");
    } else if (table.has("guards")) {
      guard_sources_.push_back({out.id, table, device, out.cases});
    }
    for (const auto* key : {"use", "on", "each", "worst_of", "case", "id"}) table.may_have(key);
    table.finish();
    return out;
  }

  // The cases that decide a gate on `metric`.
  std::vector<std::string> deciding_cases(text::Table& table, std::string_view metric) const {
    if (table.may_have("case")) {
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
      base::fail_at(given->where, fmt::format("gate `{}`: `ideal` is {}, which its own bounds stop",
                                              gate.id, out));
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
      presets(table, "guards").lay_below(guard, name);
      for (const auto* key : {"use", "like", "parameters", "guards"}) guard.may_have(key);
      const auto device = guard.has_itself("on") ? guard.text("on") : one.device;
      const auto* item = one.cases.size() == 1 ? &out_.case_called(one.cases.front()) : nullptr;
      guard.choose(choice_of(guard, device, item, std::nullopt));
      const auto id = guard.text("id");
      if (!ids_.contains(id)) {
        guard.choose({});
        add_gate(read_gate(guard, device, one.cases, std::nullopt), guards);
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
                        ? fmt::format("docs/manifest.md lists all {}", names.size())
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
