// SPDX-License-Identifier: Apache-2.0
#include "grader/course/gate_presets.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <set>
#include <span>

#include "common/base/text.h"
#include "grader/course/manifest_keys.h"
#include "grader/text/suggestions.h"

namespace warpgrade::grader::course {
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
    add_below(one, name);
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

void GatePresets::add_below(text::Table& table, std::string name) const {
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

void GatePresets::lay_below(text::Table& gate, const std::string& name) const {
  if (!root_.contains(name)) {
    const auto known = names();
    gate.fail("use",
              fmt::format("unknown preset `{}`{}; {}", base::escape_controls(name),
                          text::did_you_mean(name, known),
                          known.empty() ? shown_ + " has none"
                                        : fmt::format("{} has: {}", shown_, text::joined(known))));
  }
  gate.inherit_from(preset(name), {});
  add_below(gate, name);
}

GatePresets read_gate_presets(const std::filesystem::path& root) {
  const std::string shown = "labs/gates.toml";
  std::ifstream in(root / shown, std::ios::binary);
  if (!in.is_open()) return GatePresets(shown);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  return {text, shown};
}

}  // namespace warpgrade::grader::course
