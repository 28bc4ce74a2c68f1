// SPDX-License-Identifier: Apache-2.0
// The course on disk: its root, its labs, the exercises that a command line selects, and a hash
// of what their grades depend on.
// In: the working folder, the executable's folder, and selections. Out: labs and selected
// exercises.
// A lab is a folder labs/LAB with a grader.toml. A selection is LAB, LAB/EXERCISE, an EXERCISE
// that only one lab has, or the path of a skeleton. An unknown name is a base::UsageError with
// the nearest name.
#include "grader/course/course.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <system_error>
#include <vector>

#include "common/base/error.h"
#include "common/base/text.h"
#include "common/device/profile.h"
#include "grader/course/gate_reader.h"
#include "grader/course/manifest.h"
#include "grader/text/files.h"
#include "grader/text/messages.h"

namespace warpgrade::grader::course {

namespace fs = std::filesystem;

std::string manifest_hash(const Lab& lab) {
  std::vector<fs::path> files = {lab.folder / "grader.toml", lab.folder / "reference.cu",
                                 lab.folder / kSkeletonValuesFile,
                                 lab.folder.parent_path() / "gates.toml"};
  // Limits on a card follow from the solution's speed.
  for (const auto& exercise : lab.exercises) {
    files.push_back(lab.folder.parent_path().parent_path() / "solutions" / lab.id /
                    exercise.file_name());
  }
  for (const auto& folder : lab.include_folders) {
    std::error_code ignored;
    for (const auto& entry : fs::recursive_directory_iterator(folder, ignored)) {
      if (entry.is_regular_file(ignored)) files.push_back(entry.path());
    }
  }
  std::sort(files.begin(), files.end());
  std::string all;
  for (const auto& file : files) {
    std::error_code ignored;
    if (!fs::exists(file, ignored)) continue;
    all += fmt::format("{} {}\n", file.lexically_relative(lab.folder).string(),
                       base::sha256_hex(text::read_file(file, file.string())));
  }
  return base::sha256_hex(all);
}

namespace {

bool has_labs(const fs::path& folder) {
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder / "labs", ignored)) {
    if (fs::is_regular_file(entry.path() / "grader.toml", ignored)) return true;
  }
  return false;
}

fs::path upward(fs::path folder) {
  while (!folder.empty()) {
    if (has_labs(folder)) return folder;
    if (folder == folder.root_path()) break;
    folder = folder.parent_path();
  }
  return {};
}

fs::path this_program() {
  std::error_code ignored;
  return fs::read_symlink("/proc/self/exe", ignored);
}

// "the Tesla K40" of "NVIDIA Tesla K40".
std::string card_of(std::string_view product) {
  for (const std::string_view prefix : {"NVIDIA ", "GeForce "}) {
    if (product.starts_with(prefix)) product.remove_prefix(prefix.size());
  }
  return "the " + std::string(product);
}

[[noreturn]] void no_such(std::string_view what, std::string_view name,
                          const std::vector<std::string>& names) {
  constexpr std::size_t kMostNames = 12;  // Those of a course fill several lines.
  const std::span<const std::string> all(names);
  const auto others = all.size() > kMostNames
                          ? fmt::format("`{} list` prints all", base::program_call())
                          : "there is: " + text::joined(all);
  throw base::UsageError(fmt::format("there is no {} `{}`{}; {}", what, base::escape_controls(name),
                                     text::did_you_mean(name, all), others));
}

bool is_skeleton(const fs::path& file) {
  if (file.filename() == "grader.toml" || file.filename() == kSkeletonValuesFile) return false;
  const auto extension = file.extension();
  return (extension == ".cu" && file.stem() != "reference") || extension == ".toml";
}

// The exercises whose skeletons are in a lab's folder. This reads no manifest.
std::vector<std::string> skeletons_of(const fs::path& root, const std::string& lab) {
  std::vector<std::string> out;
  for (const auto& entry : fs::directory_iterator(root / "labs" / lab)) {
    const auto& file = entry.path();
    if (is_skeleton(file)) out.push_back(file.stem().string());
  }
  std::sort(out.begin(), out.end());
  return out;
}

// LAB/EXERCISE of a skeleton's path, as seen from the working folder or the root; nullopt for
// other files.
std::optional<std::string> exercise_of_path(const fs::path& root, const fs::path& file) {
  if (!is_skeleton(file)) return std::nullopt;
  std::error_code ignored;
  for (const auto& from : {fs::current_path(ignored), root}) {
    const auto whole = fs::weakly_canonical(from / file, ignored);
    const auto lab = whole.parent_path();
    if (lab.parent_path() != fs::weakly_canonical(root / "labs", ignored)) continue;
    return (lab.filename() / whole.stem()).generic_string();
  }
  return std::nullopt;
}

// `selection` as LAB or LAB/EXERCISE.
std::string full_name(const fs::path& root, const std::string& selection,
                      const std::vector<std::string>& labs) {
  if (const auto exercise = exercise_of_path(root, selection)) return *exercise;
  const bool is_lab = std::find(labs.begin(), labs.end(), selection) != labs.end();
  if (is_lab || selection.find('/') != std::string::npos) return selection;
  std::vector<std::string> found;
  auto names = labs;
  for (const auto& lab : labs) {
    for (const auto& exercise : skeletons_of(root, lab)) {
      names.push_back(exercise);
      if (exercise == selection) found.push_back(lab + "/" + exercise);
    }
  }
  if (found.empty()) no_such("lab or exercise", selection, names);
  if (found.size() > 1) {
    throw base::UsageError(fmt::format("several labs have an exercise `{}`; say which: {}",
                                       base::escape_controls(selection),
                                       text::joined(std::span<const std::string>(found))));
  }
  return found.front();
}

std::vector<std::string> full_names(const fs::path& root,
                                    const std::vector<std::string>& selections) {
  if (selections.empty()) return {};
  const auto labs = lab_names(root);
  std::vector<std::string> out;
  for (const auto& selection : selections) out.push_back(full_name(root, selection, labs));
  return out;
}

std::string lab_of(const std::string& selection) {
  return selection.substr(0, selection.find('/'));
}

// The labs called `names`, each once; `mistakes` receives the first one of each that has any.
Course read_labs(const fs::path& root, std::vector<std::string> names,
                 std::vector<std::string>& mistakes) {
  std::ranges::sort(names);
  names.erase(std::unique(names.begin(), names.end()), names.end());
  const auto known = course_vocabulary(root);
  Course out{root, {}};
  for (const auto& name : names) {
    const auto file = root / "labs" / name / "grader.toml";
    try {
      out.labs.push_back(read_manifest(file, shown_path(out, file), known));
    } catch (const base::UsageError& mistake) {
      mistakes.emplace_back(mistake.what());
    }
  }
  // 0, which means no place, becomes the largest number.
  std::ranges::stable_sort(out.labs, {}, [](const Lab& lab) { return lab.order - 1; });
  return out;
}

}  // namespace

std::vector<std::string> lab_names(const fs::path& root) {
  std::vector<std::string> out;
  for (const auto& entry : fs::directory_iterator(root / "labs")) {
    if (fs::is_regular_file(entry.path() / "grader.toml")) {
      out.push_back(entry.path().filename().string());
    }
  }
  std::sort(out.begin(), out.end());
  return out;
}

Vocabulary course_vocabulary(const fs::path& root) {
  Vocabulary out;
  out.metrics = metric_names();
  for (const auto* profile : device::profiles()) {
    out.devices.emplace_back(profile->name);
    out.cards[profile->name] = card_of(profile->product);
    out.missing[profile->name] = missing_metrics(*profile);
  }
  out.presets = std::make_shared<const GatePresets>(read_gate_presets(root));
  return out;
}

fs::path installed_course(const fs::path& program) {
  auto course = program.parent_path().parent_path() / "share" / "warpgrade";
  return has_labs(course) ? course : fs::path();
}

std::optional<fs::path> find_own_root() {
  std::error_code ignored;
  for (const auto& from : {fs::current_path(ignored), this_program().parent_path()}) {
    if (auto root = upward(from); !root.empty()) return root;
  }
  return std::nullopt;
}

namespace {

// WARPGRADE_ROOT, or the course around the working folder or the program.
std::optional<fs::path> given_or_own_root() {
  if (const auto* given = std::getenv("WARPGRADE_ROOT"); given != nullptr && *given != '\0') {
    if (has_labs(given)) return fs::absolute(given);
    throw base::UsageError(
        fmt::format("WARPGRADE_ROOT is {}, but it contains no labs/LAB/grader.toml",
                    base::escape_controls(given)));
  }
  return find_own_root();
}

bool is_hidden(const fs::path& folder) { return folder.filename().string().starts_with('.'); }

// The courses in folders up to two levels below `folder`, the nearest first. Looks at a limited
// number of folders, since the working folder may be a home with very many.
std::vector<std::string> courses_below(const fs::path& folder) {
  constexpr std::size_t kMostFolders = 2000;
  constexpr auto kSkip = fs::directory_options::skip_permission_denied;
  std::vector<fs::path> level = {folder};
  std::vector<std::string> out;
  std::size_t seen = 0;
  for (int depth = 0; depth < 2 && out.empty(); ++depth) {
    std::vector<fs::path> deeper;
    for (const auto& each : level) {
      std::error_code ignored;
      for (const auto& entry : fs::directory_iterator(each, kSkip, ignored)) {
        if (++seen > kMostFolders) break;
        if (!entry.is_directory(ignored) || is_hidden(entry.path())) continue;
        deeper.push_back(entry.path());
        if (has_labs(entry.path())) {
          out.push_back(entry.path().lexically_relative(folder).generic_string());
        }
      }
    }
    level = std::move(deeper);
  }
  std::ranges::sort(out);
  return out;
}

}  // namespace

fs::path find_working_root() {
  if (auto root = given_or_own_root()) return *root;
  std::error_code ignored;
  const auto here = fs::current_path(ignored);
  const auto none = fmt::format("there is no course in {} or in a folder above it",
                                base::escape_controls(here.string()));
  const auto below = courses_below(here);
  if (below.empty()) {
    throw base::UsageError(
        fmt::format("{}\nnext: {} init course && cd course", none, base::program_call()));
  }
  const auto all =
      below.size() == 1
          ? std::string()
          : fmt::format("; courses below it: {}",
                        base::escape_controls(text::joined(std::span<const std::string>(below))));
  throw base::UsageError(fmt::format("{}{}\nnext: cd {}", none, all,
                                     text::shell_word(base::escape_controls(below.front()))));
}

fs::path find_root() {
  if (auto root = given_or_own_root()) return *root;
  auto root = installed_course(this_program());
  if (root.empty()) {
    throw base::UsageError(
        "no labs found: neither above the program nor above this folder is there a "
        "labs/LAB/grader.toml; set WARPGRADE_ROOT to the course's folder");
  }
  return root;
}

fs::path find_root_of_studies() {
  auto root = find_root();
  std::error_code ignored;
  if (fs::is_directory(root / "studies", ignored)) return root;
  const auto installed = installed_course(this_program());
  return installed.empty() ? root : installed;
}

Course read_course(const fs::path& root, const std::vector<std::string>& given) {
  const auto selections = full_names(root, given);
  const auto names = lab_names(root);
  std::vector<std::string> wanted;
  for (const auto& selection : selections) {
    wanted.push_back(lab_of(selection));
    if (std::ranges::find(names, wanted.back()) == names.end())
      no_such("lab", wanted.back(), names);
  }
  std::vector<std::string> mistakes;
  auto out = read_labs(root, selections.empty() ? names : wanted, mistakes);
  expect_no_mistakes(mistakes);
  return out;
}

Course read_usable_labs(const fs::path& root, std::vector<std::string>& mistakes) {
  return read_labs(root, lab_names(root), mistakes);
}

void expect_no_mistakes(const std::vector<std::string>& mistakes) {
  if (mistakes.empty()) return;
  throw base::UsageError(text::joined(std::span<const std::string>(mistakes), "\n"));
}

std::vector<Selected> select(const Course& course, const std::vector<std::string>& given) {
  const auto selections = full_names(course.root, given);
  std::vector<Selected> out;
  const auto add = [&](const Lab& lab, const Exercise& exercise) {
    const bool there = std::any_of(out.begin(), out.end(),
                                   [&](const Selected& one) { return one.exercise == &exercise; });
    if (!there) out.push_back({&lab, &exercise});
  };
  const auto add_all = [&](const Lab& lab) {
    for (const auto& exercise : lab.exercises) add(lab, exercise);
  };
  if (selections.empty()) {
    for (const auto& lab : course.labs) add_all(lab);
  }
  for (const auto& selection : selections) {
    const auto lab = std::find_if(course.labs.begin(), course.labs.end(),
                                  [&](const Lab& one) { return one.id == lab_of(selection); });
    if (lab == course.labs.end()) no_such("lab", lab_of(selection), lab_names(course.root));
    if (lab->id == selection) {
      add_all(*lab);
      continue;
    }
    const auto id = selection.substr(lab->id.size() + 1);
    const auto exercise = std::find_if(lab->exercises.begin(), lab->exercises.end(),
                                       [&](const Exercise& one) { return one.id == id; });
    if (exercise == lab->exercises.end()) {
      std::vector<std::string> names;
      for (const auto& one : lab->exercises) names.push_back(one.id);
      no_such("exercise of " + lab->id, id, names);
    }
    add(*lab, *exercise);
  }
  return out;
}

std::string path_from_here(const fs::path& file) {
  std::error_code failure;
  const auto here = fs::current_path(failure);
  // As it is written, and behind links.
  for (const auto& whole :
       {fs::absolute(file, failure).lexically_normal(), fs::weakly_canonical(file, failure)}) {
    const auto relative = failure ? fs::path() : whole.lexically_relative(here);
    const bool is_inside = !relative.empty() && *relative.begin() != "..";
    if (is_inside) return base::escape_controls(relative.generic_string());
  }
  return base::escape_controls(file.string());
}

std::string shown_path(const Course& course, const fs::path& file) {
  std::error_code error;
  const auto relative = fs::relative(file, course.root, error);
  const bool inside = !error && !relative.empty() && *relative.begin() != "..";
  return inside ? relative.generic_string() : file.string();
}

}  // namespace warpgrade::grader::course
