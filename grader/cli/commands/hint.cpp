// SPDX-License-Identifier: Apache-2.0
// `warpgrade hint`: the hints of an exercise one after the other, as far as they were asked for.
//
// How many a student has seen of an exercise is kept in `hints.json` of the program's cache folder,
// by the path of the exercise. Where that cannot be written, --next shows the second hint each
// time.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "common/base/error.h"
#include "common/base/text.h"
#include "grader/cli/commands/commands.h"
#include "grader/course/course.h"
#include "grader/text/files.h"
#include "grader/text/terminal.h"

namespace warpgrade::grader {
namespace {

namespace fs = std::filesystem;

// What was kept; an empty object where there is none or it is damaged: a hint is no secret.
nlohmann::json kept_hints(const fs::path& file) {
  try {
    auto kept = nlohmann::json::parse(read_file(file, file.string()));
    if (kept.is_object()) return kept;
  } catch (const base::UsageError&) {
  } catch (const nlohmann::json::exception&) {
  }
  return nlohmann::json::object();
}

std::size_t shown_before(const nlohmann::json& kept, const std::string& key) {
  const auto found = kept.find(key);
  return found != kept.end() && found->is_number_unsigned() ? found->get<std::size_t>() : 1;
}

}  // namespace

int run_hint(const HintOptions& options) {
  const auto course = read_course(find_root(), {options.exercise});
  const auto selected = select(course, {options.exercise});
  if (selected.size() != 1) {
    throw base::UsageError(fmt::format("'{}' has {} exercises: name one, such as {}/{}",
                                       base::escape_controls(options.exercise), selected.size(),
                                       selected.front().lab->id, selected.front().exercise->id));
  }
  const auto& exercise = *selected.front().exercise;
  const auto name = selected.front().lab->id + "/" + exercise.id;
  const auto key = (course.root / "labs" / name).string();
  const auto file = cache_folder() / "hints.json";
  auto kept = kept_hints(file);
  const auto before = shown_before(kept, key);
  const auto count =
      std::clamp<std::size_t>(options.all ? exercise.hints.size() : before + (options.next ? 1 : 0),
                              1, exercise.hints.size());
  std::string out;
  for (std::size_t i = 0; i < count; ++i) {
    out += base::escape_controls(exercise.shown_hint(i)) + '\n';
  }
  out += count < exercise.hints.size()
             ? fmt::format("The next one: warpgrade hint {} --next\n", name)
             : std::string("These are all.\n");
  if (count != before && file.is_absolute()) {
    kept[key] = count;
    write_if_possible(file, kept.dump(1, ' ', false, nlohmann::json::error_handler_t::replace));
  }
  print(out);
  return 0;
}

}  // namespace warpgrade::grader
