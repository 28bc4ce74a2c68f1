// SPDX-License-Identifier: Apache-2.0
#include "grader/cli/completion.h"

#include <algorithm>
#include <filesystem>
#include <sstream>

#include "common/base/error.h"
#include "common/device/profile.h"
#include "grader/course/course.h"

namespace warpgrade::grader::cli {
namespace {

namespace fs = std::filesystem;
using Names = std::vector<std::string>;

// The members of a set, as CLI11 shows them: "TEXT:{auto,sim,gpu}".
Names members(const std::string& type) {
  const auto open = type.find('{');
  const auto close = type.rfind('}');
  Names out;
  if (open == std::string::npos || close == std::string::npos) return out;
  std::istringstream in(type.substr(open + 1, close - open - 1));
  for (std::string name; std::getline(in, name, ',');) out.push_back(name);
  return out;
}

Names values_of(const CLI::Option& option, const ValueNames& values) {
  const auto known = values.find(option.get_name());
  return known != values.end() ? known->second() : members(option.get_type_name());
}

// The long names of all options; -h only repeats --help.
Names option_names(const CLI::App& command) {
  Names out;
  for (const auto* option : command.get_options()) {
    if (option->get_group().empty()) continue;
    for (const auto& name : option->get_lnames()) out.push_back("--" + name);
  }
  return out;
}

// The option in the word before the last one, if it still needs a value.
const CLI::Option* waiting_option(const CLI::App& command, const Names& words) {
  if (words.size() < 2) return nullptr;
  const auto& before = words[words.size() - 2];
  if (!before.starts_with("-")) return nullptr;
  const auto* option = command.get_option_no_throw(before);
  return option != nullptr && option->get_items_expected_max() > 0 ? option : nullptr;
}

Names candidates(const CLI::App& command, const Names& words, const ValueNames& values) {
  if (const auto* option = waiting_option(command, words)) return values_of(*option, values);
  if (words.back().starts_with("-")) return option_names(command);
  Names out;
  for (const auto* option : command.get_options(
           [](const CLI::Option* candidate) { return candidate->get_positional(); })) {
    const auto more = values_of(*option, values);
    out.insert(out.end(), more.begin(), more.end());
  }
  return out;
}

// The course's names; none if it cannot be read, since completion must not print messages.
template <typename Read>
auto unless_broken(Read read) {
  return [read] {
    try {
      return read();
    } catch (const base::UsageError&) {
      return Names();
    } catch (const fs::filesystem_error&) {
      return Names();
    }
  };
}

Names exercises() {
  Names out;
  std::vector<std::string> mistakes;
  for (const auto& lab : course::read_usable_labs(course::find_root(), mistakes).labs) {
    out.push_back(lab.id);
    for (const auto& exercise : lab.exercises) out.push_back(lab.id + '/' + exercise.id);
  }
  return out;
}

Names studies() {
  Names out;
  for (const auto& entry : fs::directory_iterator(course::find_root() / "studies")) {
    if (entry.path().extension() == ".toml") out.push_back(entry.path().stem().string());
  }
  return out;
}

Names devices() {
  Names out;
  for (const auto* profile : device::profiles()) out.emplace_back(profile->name);
  return out;
}

}  // namespace

std::vector<std::string> completions(const CommandModel& model,
                                     const std::vector<std::string>& words,
                                     const ValueNames& values) {
  // "--device = k40" and "--device k40" are the same; before a value, "=" marks its beginning.
  Names cut;
  for (const auto& word : words) {
    if (word != "=") cut.push_back(word);
  }
  if (words.empty() || words.back() == "=") cut.emplace_back();

  Names out;
  const auto all = model.commands();
  const auto named = std::ranges::find(all, cut.front(), &CLI::App::get_name);
  if (cut.size() > 1) {
    if (named == all.end()) return {};
    const auto parts = (*named)->get_subcommands([](const CLI::App*) { return true; });
    const auto part = std::ranges::find(parts, cut[1], &CLI::App::get_name);
    if (parts.empty()) {
      out = candidates(**named, cut, values);
    } else if (cut.size() > 2 && part != parts.end()) {
      out = candidates(**part, cut, values);
    } else if (cut.size() == 2) {
      for (const auto* each : parts) out.push_back(each->get_name());
    }
  } else if (cut.front().starts_with("-")) {
    out = option_names(model.app);
  } else {
    for (const auto* command : all) out.push_back(command->get_name());
  }
  std::erase_if(out, [&](const std::string& name) { return !name.starts_with(cut.back()); });
  std::ranges::sort(out);
  return out;
}

std::string completion_lines(const CommandModel& model, const std::vector<std::string>& words) {
  const ValueNames values = {{"--device", devices},
                             {"LAB[/EXERCISE]", unless_broken(exercises)},
                             {"NAME", devices},
                             {"NAME|FILE.toml", unless_broken(studies)}};
  std::string out;
  for (const auto& name : completions(model, words, values)) out += name + '\n';
  return out;
}

std::string bash_completion() {
  return R"(# bash completion for warpgrade, which says itself what may come next.
_warpgrade() {
  local word
  COMPREPLY=()
  while IFS= read -r word; do
    COMPREPLY+=("$word")
  done < <("${COMP_WORDS[0]}" complete "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o bashdefault -o default -F _warpgrade warpgrade
)";
}

}  // namespace warpgrade::grader::cli
