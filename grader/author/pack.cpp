// SPDX-License-Identifier: Apache-2.0
// Makes the students' course.
//
// In: the course, its studies, and an empty folder. Out: the students' files, with encoded hints
// and manifests without secret cases, in which comments and order are kept; the drawn figures, and
// all chapters as one HTML page in the course's order. The files to copy are listed by name, so a
// stray file in the tree never reaches students. leaks() checks the result independently, by
// content and by loading it with the program. Students get no studies, since their kernels solve
// exercises, and they have no pandoc. They get the figures and the finished page.
#include "grader/author/pack.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/base/embedded_file.h"
#include "common/base/error.h"
#include "common/base/text.h"
#include "common/base/toml_text.h"
#include "common/compile/child.h"
#include "grader/author/template_files.h"
#include "grader/course/course.h"
#include "grader/course/manifest.h"
#include "grader/study/canvas.h"
#include "grader/study/figure.h"
#include "grader/study/run_study.h"
#include "grader/study/study_reader.h"
#include "grader/text/files.h"
#include "grader/text/messages.h"

namespace warpgrade::grader::author {

namespace {

constexpr std::string_view kBlank = " \t\r";

// A half-open range of offsets.
struct Cut {
  std::size_t begin = 0;
  std::size_t end = 0;
};

class CutFinder {
 public:
  explicit CutFinder(std::string_view text) : text_(text) {}

  void add_set(const toml::table& set) {
    for (const auto& [name, value] : set) {
      const auto* item = value.as_table();
      if (item == nullptr || !is_secret(*item)) continue;
      if (item->is_inline()) {
        add_value(offset(name.source().begin), offset(item->source().end));
      } else {
        add_section(offset(item->source().begin));
      }
    }
  }

  void add_list(const toml::array& list) {
    for (const auto& value : list) {
      const auto* item = value.as_table();
      if (item == nullptr || !is_secret(*item)) continue;
      if (item->is_inline()) {
        add_value(offset(item->source().begin), offset(item->source().end));
      } else {
        add_section(offset(item->source().begin));
      }
    }
  }

  // The text without the ranges found.
  std::string rest() {
    std::ranges::sort(cuts_, {}, &Cut::begin);
    std::string out;
    std::size_t at = 0;
    for (const auto& cut : cuts_) {
      if (cut.begin > at) out += text_.substr(at, cut.begin - at);
      at = std::max(at, cut.end);
    }
    return out += text_.substr(std::min(at, text_.size()));
  }

  std::size_t count() const { return cuts_.size(); }

 private:
  static bool is_secret(const toml::table& item) {
    const auto* flag = item.get("secret");
    return flag != nullptr && flag->value_or(false);
  }

  // Columns count code points.
  std::size_t offset(const toml::source_position& place) const {
    std::size_t at = 0;
    for (toml::source_index line = 1; line < place.line; ++line) at = text_.find('\n', at) + 1;
    for (toml::source_index column = 1; column < place.column && at < text_.size(); ++column) {
      do {
        ++at;
      } while (at < text_.size() && (static_cast<unsigned char>(text_[at]) & 0xC0U) == 0x80U);
    }
    return at;
  }

  std::size_t line_begin(std::size_t at) const {
    const auto before = at == 0 ? std::string_view::npos : text_.rfind('\n', at - 1);
    return before == std::string_view::npos ? 0 : before + 1;
  }

  std::size_t after_blanks(std::size_t at) const {
    return std::min(text_.find_first_not_of(kBlank, at), text_.size());
  }

  // A value with its comma, or the whole line if nothing else is on it.
  void add_value(std::size_t begin, std::size_t end) {
    auto next = after_blanks(end);
    const bool has_comma = next < text_.size() && text_[next] == ',';
    if (has_comma) end = next + 1;
    next = after_blanks(end);
    const auto start = line_begin(begin);
    const bool is_alone = after_blanks(start) == begin &&
                          (next == text_.size() || text_[next] == '\n' || text_[next] == '#');
    if (is_alone) {
      const auto line_end = text_.find('\n', next);
      begin = start;
      end = line_end == std::string_view::npos ? text_.size() : line_end + 1;
    } else if (!has_comma) {
      const auto last = text_.find_last_not_of(" \t\r\n", begin - 1);
      if (last != std::string_view::npos && text_[last] == ',') begin = last;
    }
    cuts_.push_back({begin, end});
  }

  // A header with the lines up to the next one.
  void add_section(std::size_t begin) {
    if (begin >= text_.size() || text_[begin] != '[') {
      const auto line =
          static_cast<std::uint32_t>(1 + std::ranges::count(text_.substr(0, begin), '\n'));
      base::fail_at({"grader.toml", line, 1},
                    "a secret case must be a line `name = { ..., secret = true }` or a table "
                    "[cases.SET.NAME]");
    }
    const auto end = text_.find("\n[", begin);
    cuts_.push_back({begin, end == std::string_view::npos ? text_.size() : end + 1});
  }

  std::string_view text_;
  std::vector<Cut> cuts_;
};

}  // namespace

std::string without_secret_cases(std::string_view manifest, std::size_t& count) {
  const auto root = base::parse_toml(manifest, "grader.toml");
  CutFinder finder(manifest);
  if (const auto* sets = root["cases"].as_table()) {
    for (const auto& [name, set] : *sets) {
      if (set.is_table()) finder.add_set(*set.as_table());
    }
  }
  if (const auto* exercises = root["exercise"].as_array()) {
    for (const auto& exercise : *exercises) {
      const auto* table = exercise.as_table();
      const auto* list = table == nullptr ? nullptr : (*table)["cases"].as_array();
      if (list != nullptr) finder.add_list(*list);
    }
  }
  count += finder.count();
  return finder.rest();
}

namespace {

namespace fs = std::filesystem;

// Relative to the project's root. Folders are copied with their contents, except for files that
// is_kept() rejects. studies/ is missing because its kernels solve exercises.
constexpr std::array<std::string_view, 14> kPackedPaths = {
    ".clang-format", ".devcontainer", ".gitignore", ".vscode", "LICENSE",     "README.md",
    "common",        "grader",        "handouts",   "labs",    "meson.build", "meson_options.txt",
    "subprojects",   "warpgrade"};
// The files of a working folder. The installed program has the rest.
constexpr std::array<std::string_view, 6> kCourseFolder = {".clang-format", ".vscode",  "LICENSE",
                                                           "README.md",     "handouts", "labs"};
// The parts of them that only a build reads.
constexpr std::array<std::string_view, 5> kOfBuild = {"meson.build", "make_book.sh", "book.css",
                                                      "book_search.html", "print"};
// The plan of the course has links to every chapter, and a pack may lack some.
constexpr std::array<std::string_view, 2> kInstructors = {"handouts/README.md",
                                                          "handouts/instructors.md"};
// Students read it instead of the project's README.
constexpr std::string_view kStudentsReadme = "handouts/students.md";
// The last chapter of the book. The project has it among its documents.
constexpr std::string_view kGlossary = "handouts/glossary.md";
constexpr std::string_view kGlossaryOfProject = "docs/glossary.md";

std::string content_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// The labs in the course's folder that `course` lacks, for example because of `--labs`.
std::set<std::string> labs_left_out(const course::Course& course) {
  const auto names = course::lab_names(course.root);
  std::set<std::string> out(names.begin(), names.end());
  for (const auto& lab : course.labs) out.erase(lab.id);
  return out;
}

// Whether `relative` is the folder or the chapter of one of `labs`.
bool belongs_to(const std::set<std::string>& labs, const fs::path& relative) {
  if (relative.parent_path() == "labs") return labs.contains(relative.filename().string());
  return relative.parent_path() == "handouts" && relative.extension() == ".md" &&
         labs.contains(relative.stem().string());
}

bool is_kept(const fs::path& relative) {
  const auto name = relative.filename().string();
  // Meson fetches unpacked sources again when a build needs them.
  const bool unpacked = relative.parent_path() == "subprojects" &&
                        relative.extension() != ".wrap" && name != "packagefiles";
  const bool is_for_instructors = std::find(kInstructors.begin(), kInstructors.end(),
                                            relative.generic_string()) != kInstructors.end();
  return !is_for_instructors && relative != fs::path(kStudentsReadme) && name != "__pycache__" &&
         !unpacked;
}

// Adds the files of the folder `name` of `root`, as seen from there, except those of `left_out`.
void add_files(const fs::path& root, const fs::path& name, const std::set<std::string>& left_out,
               std::set<fs::path>& out) {
  auto entries = fs::recursive_directory_iterator(root / name);
  for (; entries != fs::recursive_directory_iterator(); ++entries) {
    const auto relative = entries->path().lexically_relative(root);
    if (!is_kept(relative) || belongs_to(left_out, relative)) {
      entries.disable_recursion_pending();
    } else if (entries->is_regular_file()) {
      out.insert(relative);
    }
  }
}

std::set<fs::path> packed_files(const course::Course& course,
                                std::span<const std::string_view> names) {
  const auto& root = course.root;
  const auto left_out = labs_left_out(course);
  std::set<fs::path> out;
  for (const auto name : names) {
    if (fs::is_regular_file(root / name)) out.emplace(name);
    if (fs::is_directory(root / name)) add_files(root, name, left_out, out);
  }
  if (fs::is_regular_file(root / kGlossaryOfProject)) out.emplace(kGlossary);
  for (const auto& lab : course.labs) {
    for (const auto& folder : lab.include_folders) {
      add_files(root, folder.lexically_relative(fs::canonical(root)), left_out, out);
    }
  }
  return out;
}

bool is_manifest(const fs::path& relative) {
  return relative.filename() == "grader.toml" && *relative.begin() == "labs";
}

// A line of TOML in ROT13, except for letters of escapes such as `\n`.
std::string without_sense(std::string_view line) {
  std::string out = text::rot13(line);
  for (auto at = line.find('\\'); at < line.size(); at = line.find('\\', at + 2)) {
    out.replace(at, 2, line.substr(at, 2));
  }
  return out;
}

std::size_t secret_cases(const course::Course& course) {
  std::size_t count = 0;
  for (const auto& lab : course.labs) {
    for (const auto& exercise : lab.exercises) {
      const auto* kernel = exercise.kernel();
      if (kernel == nullptr) continue;
      count +=
          static_cast<std::size_t>(std::ranges::count_if(kernel->cases, &course::Case::secret));
    }
  }
  return count;
}

bool is_of_build(const fs::path& relative) {
  return std::ranges::any_of(relative, [](const fs::path& part) {
    return std::ranges::find(kOfBuild, part.string()) != kOfBuild.end();
  });
}

// `text` with the command of a checkout, `./warpgrade`, as `call`.
std::string called(std::string text, std::string_view call) {
  constexpr std::string_view kOfCheckout = "./warpgrade";
  for (auto at = text.find(kOfCheckout); at != std::string::npos;
       at = text.find(kOfCheckout, at + call.size())) {
    // "../warpgrade" and the like are paths.
    if (at > 0 && (text[at - 1] == '.' || text[at - 1] == '/')) {
      at += kOfCheckout.size();
      continue;
    }
    text.replace(at, kOfCheckout.size(), call);
  }
  return text;
}

// The files for clangd, which VS Code and other editors use: its options, with the include folders
// of the labs, and the declarations of CUDA, so that it needs no toolkit. Paths in
// compile_flags.txt are relative to its folder, so the course can be moved.
void write_clangd_files(const course::Course& course, const fs::path& folder) {
  // These headers replace the toolkit's. One file has all declarations.
  const fs::path headers = ".clangd_cuda";
  const auto declarations = headers / "declarations.h";
  constexpr std::string_view kDeclared[] = {"cuda_fp16.h", "cuda_pipeline.h", "mma.h"};
  std::string options = fmt::format(
      "-xcuda\n-std=c++17\n-nocudainc\n-nocudalib\n-include\n{}\n-Wno-unknown-cuda-version\n"
      "--cuda-gpu-arch=sm_80\n-I{}\n",
      declarations.string(), headers.string());
  for (const auto& lab : course.labs) {
    for (const auto& include : lab.include_folders) {
      options += "-I" + include.lexically_relative(fs::canonical(course.root)).string() + '\n';
    }
  }
  text::write_atomically(folder / "compile_flags.txt", options);
  // The grader has the toolkit's headers; clangd need not.
  text::write_atomically(folder / ".clangd", "Diagnostics:\n  Suppress: [pp_file_not_found]\n");
  fs::create_directories(folder / headers);
  text::write_atomically(folder / declarations,
                         base::embedded(kTemplateFiles, "clangd_declarations.h").text);
  for (const auto name : kDeclared) {
    text::write_atomically(folder / headers / name, "// See declarations.h.\n");
  }
}

Packed pack_parts(const course::Course& course, const fs::path& folder,
                  std::span<const std::string_view> names, const std::string& call = {}) {
  Packed out;
  try {
    if (fs::exists(folder) && !(fs::is_directory(folder) && fs::is_empty(folder))) {
      throw base::UsageError(fmt::format("{} is there and no empty folder; name a new one",
                                         base::escape_controls(folder.string())));
    }
    for (const auto& relative : packed_files(course, names)) {
      const bool is_readme =
          relative == "README.md" && fs::is_regular_file(course.root / kStudentsReadme);
      const bool is_glossary =
          relative == kGlossary && fs::is_regular_file(course.root / kGlossaryOfProject);
      const auto from = course.root / (is_readme     ? fs::path(kStudentsReadme)
                                       : is_glossary ? fs::path(kGlossaryOfProject)
                                                     : relative);
      const auto to = folder / relative;
      const bool is_course_folder = !call.empty();
      if (is_course_folder && is_of_build(relative)) continue;
      fs::create_directories(to.parent_path());
      if (is_manifest(relative)) {
        const auto whole = is_course_folder ? called(content_of(from), call) : content_of(from);
        text::write_atomically(to,
                               with_hidden_hints(without_secret_cases(whole, out.secret_cases)));
      } else if (is_course_folder && relative.extension() != ".svg") {
        text::write_atomically(to, called(content_of(from), call));
      } else {
        fs::copy_file(from, to);
      }
      ++out.files;
    }
  } catch (const fs::filesystem_error& failure) {
    const auto& path = failure.path2().empty() ? failure.path1() : failure.path2();
    throw base::ToolError(fmt::format("{}: cannot be written: {}",
                                      base::escape_controls(path.string()),
                                      failure.code().message()));
  }
  return out;
}

}  // namespace

std::string with_hidden_hints(std::string_view manifest) {
  constexpr std::string_view kKey = "hints = [";
  std::string out;
  bool is_hint = false;
  while (!manifest.empty()) {
    auto line = manifest.substr(0, std::min(manifest.find('\n'), manifest.size() - 1) + 1);
    manifest.remove_prefix(line.size());
    if (line.starts_with(kKey)) {
      is_hint = true;
      out += "hints_rot13 = [";
      line.remove_prefix(kKey.size());
    }
    out += is_hint ? without_sense(line) : std::string(line);
    const auto last = line.find_last_not_of(" \n");
    if (last != std::string_view::npos && line[last] == ']') is_hint = false;
  }
  return out;
}

Packed pack(const course::Course& course, const fs::path& folder) {
  // Otherwise a later pack would contain this one.
  std::error_code ignored;
  const auto inside =
      fs::weakly_canonical(folder, ignored).lexically_relative(fs::canonical(course.root, ignored));
  if (!inside.empty() && *inside.begin() != "..") {
    throw base::UsageError("the folder lies inside the project; name one outside it");
  }
  return pack_parts(course, folder, kPackedPaths);
}

Packed write_course_folder(const course::Course& course, const fs::path& folder,
                           const std::string& call) {
  auto out = pack_parts(course, folder, kCourseFolder, call);
  write_clangd_files(course, folder);
  return out;
}

std::vector<std::string> leaks(const course::Course& course, const fs::path& folder) {
  std::map<std::string, fs::path> kept_back;
  for (const auto* part : {"solutions", "tests/labs"}) {
    if (!fs::is_directory(course.root / part)) continue;
    for (const auto& entry : fs::recursive_directory_iterator(course.root / part)) {
      if (entry.is_regular_file()) {
        kept_back.emplace(content_of(entry.path()), entry.path().lexically_relative(course.root));
      }
    }
  }
  std::vector<std::string> out;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (!entry.is_regular_file()) continue;
    const auto found = kept_back.find(content_of(entry.path()));
    if (found == kept_back.end() || found->first.empty()) continue;
    out.push_back(fmt::format("{} has the content of {}",
                              entry.path().lexically_relative(folder).generic_string(),
                              found->second.generic_string()));
  }
  try {
    const auto packed = course::read_course(folder, {});
    if (const auto count = secret_cases(packed); count != 0) {
      out.push_back(fmt::format("{} cases are secret and were left in their manifests", count));
    }
    if (packed.labs.size() != course.labs.size()) {
      out.push_back(fmt::format("{} of {} labs are there", packed.labs.size(), course.labs.size()));
    }
  } catch (const base::UsageError& error) {
    out.emplace_back(error.what());
  }
  return out;
}

namespace {

fs::path file_of(const fs::path& folder, const std::string& figure) {
  return folder / "handouts" / "figures" / (figure + ".svg");
}

bool has_content(const fs::path& file) {
  std::error_code ignored;
  return fs::is_regular_file(file, ignored) && fs::file_size(file, ignored) > 0;
}

// Runs the study `name` of `root` and returns its figure.
std::string draw_figure(const fs::path& root, const std::string& name) {
  std::error_code ignored;
  if (!fs::is_directory(root / "studies", ignored)) {
    throw base::ToolError("this course has no studies, which draw them");
  }
  const auto study = study::read_study(study::find_study(root, name), "studies/" + name + ".toml");
  const auto result = study::run_simulated(study, {});
  if (result.exit_code() != 0) {
    throw base::ToolError(
        fmt::format("the study `{0}` fails, so its figure cannot be drawn: run "
                    "{1} study {0}",
                    name, base::program_call()));
  }
  return study::draw_svg(study::figure_script(result));
}

}  // namespace

std::vector<std::string> figures_in(std::string_view chapter) {
  constexpr std::string_view kBegin = "](figures/";
  constexpr std::string_view kEnd = ".svg";
  std::vector<std::string> out;
  for (auto at = chapter.find(kBegin); at != std::string_view::npos; at = chapter.find(kBegin)) {
    chapter.remove_prefix(at + kBegin.size());
    auto name = chapter.substr(0, chapter.find(')'));
    if (!name.ends_with(kEnd)) continue;
    name.remove_suffix(kEnd.size());
    out.emplace_back(name);
  }
  return out;
}

std::vector<std::string> figures_of(const fs::path& folder) {
  std::set<std::string> names;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder / "handouts", ignored)) {
    if (entry.path().extension() != ".md") continue;
    std::ifstream in(entry.path(), std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    for (auto& name : figures_in(text)) names.insert(std::move(name));
  }
  return {names.begin(), names.end()};
}

std::size_t add_figures(const FigureSource& source, const fs::path& folder) {
  const auto names = figures_of(folder);
  std::size_t number = 0;
  for (const auto& name : names) {
    ++number;
    const auto file = file_of(folder, name);
    if (has_content(file)) continue;
    fs::create_directories(file.parent_path());
    const auto drawn = source.drawn / (name + ".svg");
    if (!source.drawn.empty() && has_content(drawn)) {
      fs::copy_file(drawn, file, fs::copy_options::overwrite_existing);
      continue;
    }
    if (source.progress) source.progress(number, names.size(), name);
    text::write_atomically(file, draw_figure(source.root, name));
  }
  return names.size();
}

std::vector<std::string> missing_figures(const fs::path& folder) {
  std::vector<std::string> out;
  for (const auto& name : figures_of(folder)) {
    if (has_content(file_of(folder, name))) continue;
    out.push_back(fmt::format("a chapter shows handouts/figures/{}.svg, which is not there",
                              base::escape_controls(name)));
  }
  return out;
}

namespace {

constexpr int kNotFound = 127;  // A shell's exit code for a program that does not exist.

}  // namespace

fs::path book_of(const fs::path& folder) { return folder / "handouts" / "book.html"; }

bool make_course_book(const course::Course& course, const fs::path& folder) {
  const auto handouts = folder / "handouts";
  const auto script = course.root / "handouts" / "make_book.sh";
  compile::Command command{"/bin/sh",
                           {script.string(), "pandoc", book_of(folder).string(), handouts.string()},
                           /*whole_environment=*/true};
  const auto fixed = command.arguments.size();
  for (const auto& lab : course.labs) {
    const auto chapter = handouts / (lab.id + ".md");
    if (fs::is_regular_file(chapter)) command.arguments.push_back(chapter.string());
  }
  if (!fs::is_regular_file(script) || command.arguments.size() == fixed) return false;
  if (fs::is_regular_file(folder / kGlossary)) {
    command.arguments.push_back((folder / kGlossary).string());
  }
  constexpr std::chrono::minutes kTime{5};
  const auto child = compile::run_child(command, {}, kTime);
  if (child.exit_code == kNotFound) return false;
  std::error_code ignored;
  const bool is_made = fs::is_regular_file(book_of(folder), ignored);
  if (child.timed_out || child.signal != 0 || child.exit_code != 0 || !is_made) {
    throw base::ToolError(fmt::format("{}: pandoc could not make the book of the chapters{}",
                                      base::escape_controls(book_of(folder).string()),
                                      child.timed_out ? ": out of time" : ""));
  }
  return true;
}

}  // namespace warpgrade::grader::author
