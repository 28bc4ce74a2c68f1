// SPDX-License-Identifier: Apache-2.0
#include "grader/author/new_exercise.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "common/base/error.h"
#include "common/base/text.h"
#include "grader/author/template_files.h"
#include "grader/course/course.h"
#include "grader/course/gate_reader.h"
#include "grader/course/manifest.h"
#include "grader/text/files.h"

namespace warpgrade::grader::author {
namespace {

// The text of a file of grader/author/templates, which the build embeds. It contains the words LAB,
// EXERCISE, REFERENCE and CALL as placeholders for names. The licence is stripped, since an
// instructor's files have one of their own.
consteval std::string_view template_of(std::string_view name) {
  return base::embedded(kTemplateFiles, name).body();
}

namespace fs = std::filesystem;

constexpr std::string_view kFillIn = "FILL IN";
constexpr std::string_view kGates = "labs/gates.toml";
// Far below the limit on names of files, with room for "_no_bounds.cu".
constexpr std::size_t kMostLetters = 64;

bool is_plain_name(std::string_view name) {
  const auto is_letter = [](char c) { return c >= 'a' && c <= 'z'; };
  return !name.empty() && name.size() <= kMostLetters && is_letter(name.front()) &&
         std::ranges::all_of(
             name, [&](char c) { return is_letter(c) || (c >= '0' && c <= '9') || c == '_'; });
}

struct Names {
  std::string lab;
  std::string exercise;
};

Names names_of(const std::string& given) {
  const auto slash = given.find('/');
  Names out{given.substr(0, slash),
            slash == std::string::npos ? std::string() : given.substr(slash + 1)};
  if (!is_plain_name(out.lab) || !is_plain_name(out.exercise)) {
    throw base::UsageError(
        fmt::format("`{}` is not LAB/EXERCISE: each name has 1 to {} lowercase letters, digits and "
                    "underscores and begins with a letter, as in reversal/in_place",
                    base::escape_controls(given), kMostLetters));
  }
  if (out.exercise == "reference") {
    throw base::UsageError(
        "an exercise cannot be called `reference`: reference.cu has the lab's "
        "reference kernels");
  }
  return out;
}

using Replacements = std::map<std::string, std::string, std::less<>>;

// `text` with each word in capitals that `replacements` has replaced, also before "_kernel".
std::string filled(std::string_view text, const Replacements& replacements) {
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    auto end = i;
    while (end < text.size() && text[end] >= 'A' && text[end] <= 'Z') ++end;
    const bool begins = i == 0 || !base::is_word_letter(text[i - 1]);
    const auto found = replacements.find(text.substr(i, end - i));
    if (begins && found != replacements.end()) {
      out += found->second;
      i = end;
    } else {
      out += text[i++];
    }
  }
  return out;
}

bool is_file(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored);
}

bool is_there(const fs::path& path) {
  std::error_code ignored;
  return fs::exists(fs::symlink_status(path, ignored));
}

// A name for the reference kernel that `source` does not use.
std::string reference_name(const std::string& exercise, const std::string& source) {
  const auto first = exercise + "_reference";
  auto out = first;
  for (int i = 2; source.find(out) != std::string::npos; ++i) out = fmt::format("{}_{}", first, i);
  return out;
}

// The file `path` with `addition` at its end, or with `head` before it if it is new.
ComposedFile extended(const fs::path& root, const fs::path& path, const std::string& addition,
                      const std::string& head) {
  ComposedFile out{path, head, is_there(root / path)};
  if (out.is_extended) out.content = text::read_file(root / path, path.generic_string());
  if (!out.content.empty() && out.content.back() != '\n') out.content += '\n';
  out.content += addition;
  return out;
}

ComposedFile created(const fs::path& root, fs::path path, std::string content) {
  if (is_there(root / path)) {
    throw base::UsageError(fmt::format("{} exists; remove it or choose another name",
                                       base::escape_controls(path.generic_string())));
  }
  return {std::move(path), std::move(content)};
}

// Throws base::UsageError if the new manifest would have a mistake.
void check_manifest(const fs::path& root, const ComposedFile& manifest, const Names& names,
                    std::string_view gates) {
  auto known = course::course_vocabulary(root);
  if (!gates.empty()) {
    known.presets = std::make_shared<const course::GatePresets>(gates, std::string(kGates));
  }
  parse_manifest(manifest.content, manifest.path.generic_string(), names.lab, known,
                 root / manifest.path.parent_path());
}

// Throws base::UsageError if the lab's manifest already has the exercise, or has a mistake.
void check_is_new(const fs::path& root, const fs::path& manifest, const Names& names) {
  if (!is_there(root / manifest)) return;
  const auto lab =
      read_manifest(root / manifest, manifest.generic_string(), course::course_vocabulary(root));
  if (std::ranges::find(lab.exercises, names.exercise, &course::Exercise::id) ==
      lab.exercises.end()) {
    return;
  }
  throw base::UsageError(
      fmt::format("{}/{} exists in {}", names.lab, names.exercise, manifest.generic_string()));
}

void add_places(const course::Course& course, const fs::path& file, std::vector<std::string>& out) {
  const auto shown = shown_path(course, file);
  const auto text = text::read_file(file, shown);
  const std::string_view all = text;
  std::size_t line = 1;
  for (std::size_t begin = 0; begin < all.size(); ++line) {
    const auto end = std::min(all.find('\n', begin), all.size());
    const auto one = all.substr(begin, end - begin);
    begin = end + 1;
    // The head of a manifest explains the mark.
    const auto at = one.find(fmt::format("{}:", kFillIn));
    if (at == std::string_view::npos) continue;
    auto what = one.substr(at);
    while (what.ends_with(']') || what.ends_with('"')) what.remove_suffix(1);
    out.push_back(fmt::format("{}:{}: {}", shown, line, base::escape_controls(what)));
  }
}

}  // namespace

std::vector<ComposedFile> compose_exercise(const fs::path& root, const std::string& name,
                                           const std::string& call) {
  const auto names = names_of(name);
  const auto lab = fs::path("labs") / names.lab;
  const auto solutions = fs::path("solutions") / names.lab;
  const auto manifest = lab / "grader.toml";
  check_is_new(root, manifest, names);
  const auto reference = lab / "reference.cu";
  const auto present = is_file(root / reference)
                           ? text::read_file(root / reference, reference.generic_string())
                           : "";
  const Replacements words = {{"LAB", names.lab},
                              {"EXERCISE", names.exercise},
                              {"REFERENCE", reference_name(names.exercise, present)},
                              {"CALL", call}};
  const auto of = [&](std::string_view text) { return filled(text, words); };
  std::vector<ComposedFile> out;
  out.push_back(created(root, lab / (names.exercise + ".cu"), of(template_of("skeleton.cu"))));
  out.push_back(
      created(root, solutions / (names.exercise + ".cu"), of(template_of("solution.cu"))));
  out.push_back(created(root, solutions / "wrong" / (names.exercise + "_no_bounds.cu"),
                        of(template_of("wrong.cu"))));
  const auto kernel = of(template_of("reference.cu"));
  out.push_back(extended(root, reference, present.empty() ? kernel : '\n' + kernel, ""));
  const auto gates = base::embedded(kTemplateFiles, "gates.toml").text;
  const bool has_gates = is_there(root / kGates);
  if (!has_gates) out.push_back({fs::path(kGates), std::string(gates)});
  // The manifest comes last, so it lists the exercise only once all its files exist.
  out.push_back(
      extended(root, manifest, of(template_of("exercise.toml")), of(template_of("lab.toml"))));
  check_manifest(root, out.back(), names, has_gates ? std::string_view() : gates);
  return out;
}

void write_exercise(const fs::path& root, const std::vector<ComposedFile>& files) {
  std::vector<fs::path> written;
  try {
    for (const auto& file : files) {
      fs::create_directories((root / file.path).parent_path());
      text::write_atomically(root / file.path, file.content);
      if (!file.is_extended) written.push_back(root / file.path);
    }
  } catch (const std::exception& failure) {
    std::error_code ignored;
    for (const auto& file : written) fs::remove(file, ignored);
    const auto* of_files = dynamic_cast<const fs::filesystem_error*>(&failure);
    if (of_files == nullptr) throw;
    throw base::ToolError(fmt::format("{}: cannot be written: {}",
                                      base::escape_controls(of_files->path1().string()),
                                      of_files->code().message()));
  }
}

std::vector<std::string> places_to_fill_in(const course::Course& course) {
  std::vector<std::string> out;
  for (const auto& lab : course.labs) {
    std::vector<fs::path> files;
    for (const auto& folder : {lab.folder, course.root / "solutions" / lab.id}) {
      std::error_code ignored;
      for (const auto& entry : fs::recursive_directory_iterator(folder, ignored)) {
        const auto extension = entry.path().extension();
        const bool is_source = extension == ".cu" || extension == ".toml";
        if (is_source && is_file(entry.path())) files.push_back(entry.path());
      }
    }
    std::ranges::sort(files);
    for (const auto& file : files) add_places(course, file, out);
  }
  return out;
}

}  // namespace warpgrade::grader::author
