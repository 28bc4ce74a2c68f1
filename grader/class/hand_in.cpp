// SPDX-License-Identifier: Apache-2.0
// Submissions: attempts at exercises, and the use of every file.
//
// In: the files of a student with their names, and the exercises of the class. Out: attempts with
// the headers that belong to them, and a state for each file.
// Every file is accounted for: it is an attempt, a part of one, open with its reason, unused or
// ignored. A name that is not quite an exercise's counts if no other exercise fits.
#include "grader/class/hand_in.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "common/base/text.h"
#include "common/base/wire.h"
#include "common/compile/compiler.h"
#include "grader/class/found_file.h"
#include "grader/class/names.h"
#include "grader/class/source_text.h"
#include "grader/course/course.h"
#include "grader/text/files.h"

namespace warpgrade::grader::class_book {
namespace {

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

std::string_view last_part(std::string_view path) {
  return path.substr(path.find_last_of('/') + 1);
}

constexpr std::array<std::string_view, 6> kSources = {".cu", ".cpp", ".cc", ".cxx", ".c", ".txt"};

// The name without its suffix ("copy.cu.txt" has two), in lower case.
std::string stem_of(std::string_view path) {
  auto name = ascii_lower(last_part(path));
  for (const auto suffix : {".txt", ".toml", ".cu", ".cpp", ".cc", ".cxx", ".c"}) {
    if (name.ends_with(suffix)) name.resize(name.size() - std::string_view(suffix).size());
  }
  return name;
}

bool has_suffix_for(const course::Exercise& exercise, std::string_view path) {
  const auto name = ascii_lower(last_part(path));
  if (exercise.kernel() == nullptr) return name.ends_with(".toml") || name.ends_with(".toml.txt");
  return std::ranges::any_of(kSources, [&](auto suffix) {
    return suffix == ".txt" ? name.ends_with(".cu.txt") : name.ends_with(suffix);
  });
}

// Removes the number that browsers (" (1)") and platforms ("-1") append to the name. Returns
// nullopt if the name has none.
std::optional<std::int64_t> take_number(std::string& stem) {
  auto text = std::string_view(stem);
  const bool in_brackets = text.ends_with(')');
  if (in_brackets) text.remove_suffix(1);
  std::size_t digits = 0;
  while (digits < text.size() && digits < 4 && text[text.size() - 1 - digits] >= '0' &&
         text[text.size() - 1 - digits] <= '9') {
    ++digits;
  }
  if (digits == 0 || digits == text.size()) return std::nullopt;
  const auto number = std::stoll(std::string(text.substr(text.size() - digits)));
  text.remove_suffix(digits);
  if (!text.ends_with(in_brackets ? '(' : '-')) return std::nullopt;
  text.remove_suffix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  if (text.empty()) return std::nullopt;
  stem = std::string(text);
  return number;
}

// Whether `id` is in `stem` as whole words: "reduce_many" in "my reduce-many v2".
bool has_words(std::string_view stem, std::string_view id) {
  auto normal = [](std::string_view text) {
    std::string out = "_";
    for (const char c : text) {
      const char next = is_word(c) || static_cast<unsigned char>(c) >= 0x80 ? c : '_';
      if (next != '_' || out.back() != '_') out += next;
    }
    return out.back() == '_' ? out : out + '_';
  };
  return normal(stem).find(normal(id)) != std::string::npos;
}

// The exercise that fits alone; a longer name that has another one in it is the better one.
std::optional<course::Selected> only_one(std::vector<course::Selected> fitting) {
  const auto is_inside = [&](const course::Selected& one) {
    return std::ranges::any_of(fitting, [&](const course::Selected& other) {
      return other.exercise->id.size() > one.exercise->id.size() &&
             has_words(other.exercise->id, one.exercise->id);
    });
  };
  std::vector<course::Selected> best;
  std::ranges::copy_if(fitting, std::back_inserter(best),
                       [&](const course::Selected& one) { return !is_inside(one); });
  return best.size() == 1 ? std::optional(best.front()) : std::nullopt;
}

template <typename Fits>
std::optional<course::Selected> one_that(const std::vector<course::Selected>& selected,
                                         std::string_view path, const Fits& fits) {
  std::vector<course::Selected> found;
  for (const auto& one : selected) {
    if (has_suffix_for(*one.exercise, path) && fits(*one.exercise)) found.push_back(one);
  }
  return only_one(std::move(found));
}

bool has_kernels_of(const course::Exercise& exercise, const std::vector<std::string>& kernels) {
  const auto* kernel = exercise.kernel();
  if (kernel == nullptr || kernel->steps.empty()) return false;
  return std::ranges::all_of(kernel->steps, [&](const course::Step& step) {
    const auto name = step.kernel.substr(0, step.kernel.find_first_of("<{"));
    return std::ranges::find(kernels, name) != kernels.end();
  });
}

}  // namespace

std::vector<std::string> kernels_in(std::string_view source) {
  constexpr std::string_view kMark = "__global__";
  std::vector<std::string> out;
  for (auto at = source.find(kMark); at != std::string_view::npos; at = source.find(kMark, at)) {
    at += kMark.size();
    // The name is the last word before the first bracket that does not belong to an attribute.
    std::string word;
    for (auto i = at; i < source.size() && source[i] != ';' && source[i] != '{'; ++i) {
      if (is_word(source[i])) {
        if (i == at || !is_word(source[i - 1])) word.clear();
        word += source[i];
      } else if (source[i] == '(') {
        if (word != "__launch_bounds__") break;
        i = std::min(source.find(')', i), source.size());
        word.clear();
      }
    }
    if (!word.empty() && std::ranges::find(out, word) == out.end()) out.push_back(word);
  }
  return out;
}

std::optional<LooseMatch> loosely_named(const std::vector<course::Selected>& selected,
                                        std::string_view path, std::string_view bytes) {
  if (!may_be_work(path)) return std::nullopt;
  auto stem = stem_of(path);
  const auto is_called = [&](const course::Exercise& exercise) {
    return ascii_lower(exercise.id) == stem;
  };
  if (const auto found = one_that(selected, path, is_called)) return LooseMatch{*found, "its name"};
  if (const auto number = take_number(stem)) {
    if (const auto found = one_that(selected, path, is_called)) {
      return LooseMatch{*found, "its name", true, *number};
    }
  }
  const auto has_name = [&](const course::Exercise& exercise) {
    return has_words(stem, ascii_lower(exercise.id));
  };
  if (const auto found = one_that(selected, path, has_name)) return LooseMatch{*found, "its name"};
  const auto kernels = kernels_in(bytes);
  const auto has_kernels = [&](const course::Exercise& one) {
    return has_kernels_of(one, kernels);
  };
  std::vector<course::Selected> fitting;
  for (const auto& one : selected) {
    if (has_suffix_for(*one.exercise, path) && has_kernels(*one.exercise)) fitting.push_back(one);
  }
  if (fitting.size() != 1) return std::nullopt;
  return LooseMatch{fitting.front(),
                    "its kernel " + fitting.front().exercise->kernel()->steps.front().kernel};
}

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostHeaders = 64;  // beside one exercise's file
constexpr std::size_t kMostNamed = 5;     // of further files, in one remark

std::vector<HandedFile> with_headers(const FoundFile& main, const std::string& name,
                                     const std::vector<FoundFile>& files) {
  std::vector<HandedFile> out = {{name, main.bytes}};
  const auto folder = fs::path(main.path).parent_path();
  for (const auto& file : files) {
    const bool is_beside = fs::path(file.path).parent_path() == folder;
    if (!is_beside || !is_header(file.path) || !file.refused.empty()) continue;
    if (out.size() > kMostHeaders) break;
    out.push_back({fs::path(file.path).filename().string(), file.bytes});
  }
  std::ranges::sort(out.begin() + 1, out.end(), {}, &HandedFile::name);
  return out;
}

template <typename Each>
std::optional<course::Selected> named_in(const Each& each, std::string_view path) {
  const auto cut = path.rfind('/');
  const auto file = path.substr(cut == std::string_view::npos ? 0 : cut + 1);
  const auto above = cut == std::string_view::npos ? std::string_view() : path.substr(0, cut);
  const auto folder = above.substr(above.rfind('/') + 1);
  std::optional<course::Selected> in_lab;
  std::optional<course::Selected> only;
  std::size_t count = 0;
  each([&](const course::Selected& one) {
    if (file != one.exercise->file_name() && file != one.exercise->id) return;
    if (folder == one.lab->id) in_lab = one;
    only = one;
    ++count;
  });
  if (in_lab) return in_lab;
  return count == 1 ? only : std::nullopt;
}

template <typename Fits>
bool has_folder(std::string_view path, const Fits& fits) {
  for (; path.find('/') != std::string_view::npos; path.remove_prefix(path.find('/') + 1)) {
    if (fits(path.substr(0, path.find('/')))) return true;
  }
  return false;
}

// Whether a folder in the path keeps earlier work.
bool is_in_old_folder(std::string_view path) {
  static constexpr std::array<std::string_view, 7> kOld = {"old",     "backup", "backups", "bak",
                                                           "archive", "draft",  "previous"};
  return has_folder(path, [](std::string_view folder) {
    return std::ranges::find(kOld, ascii_lower(folder)) != kOld.end();
  });
}

// The files of one student, while they are sorted.
class StudentFiles {
 public:
  StudentFiles(const course::Course& course, const std::vector<course::Selected>& selected,
               std::string student, std::string source, HandedIn& out)
      : course_(course),
        selected_(selected),
        student_(std::move(student)),
        source_(std::move(source)),
        out_(out) {}

  void assign_by_name(const FoundFile& file) {
    if (is_by_the_way(file.path)) return;
    // An exercise of the class is meant before one of the same name that the class does not have.
    auto found = named_exercise(selected_, file.path);
    if (!found) found = named_exercise(course_, file.path);
    if (!found) return;
    assigned_[file.path] = {*found, "", 0};
    if (file.refused.empty()) named_.insert(id_of(*found));
  }

  void assign_loosely(const FoundFile& file) {
    if (is_by_the_way(file.path)) return;
    const auto known = assigned_.find(file.path);
    if (known != assigned_.end() && is_selected(known->second.exercise)) return;
    const auto found = loosely_named(selected_, file.path, file.bytes);
    if (!found) return;
    const auto id = id_of(found->exercise);
    if (named_.contains(id) && !found->is_copy) {
      spare_[file.path] = id;
      return;
    }
    assigned_[file.path] = {found->exercise, fmt::format("assigned to {} by {}", id, found->why),
                            found->number};
  }

  void add_attempts(const std::vector<FoundFile>& files) {
    std::map<std::string, std::string> first;
    for (const auto& file : files) {
      const auto found = assigned_.find(file.path);
      if (found == assigned_.end() || !is_gradable(file)) continue;
      const auto& exercise = found->second.exercise;
      if (!is_selected(exercise)) continue;
      const auto id = id_of(exercise);
      if (!found->second.why.empty()) tell(file, found->second.why);
      const auto [one, is_new] = first.try_emplace(id, file.path);
      if (!is_new) {
        tell(file, fmt::format("a second file for {}, beside {}: both are attempts", id,
                               shown_name_of(one->second)));
      }
      HandIn attempt{student_,
                     exercise.lab->id,
                     exercise.exercise->id,
                     with_headers(file, exercise.exercise->file_name(), files),
                     file.time,
                     shown(file),
                     file.late_mark,
                     std::max(file.number, found->second.number)};
      attempt.attempt = file.attempt;
      attempt.path = file.path;
      attempt.rank = rank_of(file, found->second.why.empty());
      attempt.is_skeleton = is_skeleton(exercise, file.bytes);
      out_.attempts.push_back(std::move(attempt));
      folders_.insert(fs::path(file.path).parent_path().string());
      has_work_ = true;
    }
  }

  void account(const FoundFile& file, const std::vector<FoundFile>& files) {
    ReceivedFile one;
    one.student = student_;
    one.path = shown(file);
    one.name = shown_name_of(file.path);
    one.time = file.time;
    one.size = std::max<std::uint64_t>(file.size, file.bytes.size());
    if (file.refused.empty() && !file.bytes.empty()) one.sha256 = base::sha256_hex(file.bytes);
    const auto found = assigned_.find(file.path);
    if (found != assigned_.end()) {
      one.lab = found->second.exercise.lab->id;
      one.exercise = found->second.exercise.exercise->id;
    }
    auto use = use_of(file, files);
    one.state = use.state;
    one.reason = std::move(use.reason);
    if (const auto spare = spare_.find(file.path); spare != spare_.end()) {
      one.spare_for = spare->second;
    }
    const auto is_untouched = [&](const course::Selected& each) {
      return is_skeleton(each, file.bytes);
    };
    one.may_be_work = may_be_work(file.path) && !is_by_the_way(file.path) &&
                      !(found == assigned_.end() ? std::ranges::any_of(selected_, is_untouched)
                                                 : is_untouched(found->second.exercise));
    // In a class with one exercise, a hand-in without an attempt is for that one.
    if (one.state == FileState::kOpen && !has_work_ && selected_.size() == 1) {
      one.lab = selected_.front().lab->id;
      one.exercise = selected_.front().exercise->id;
    }
    if (one.state == FileState::kOpen) {
      tell(file, (file.refused.empty() ? "" : "refused: ") + one.reason, true);
    }
    out_.received.push_back(std::move(one));
  }

  void report_others() {
    if (others_.empty()) return;
    std::string text;
    for (std::size_t i = 0; i < std::min(others_.size(), kMostNamed); ++i) {
      text += (i == 0 ? "" : ", ") + others_[i];
    }
    if (others_.size() > kMostNamed) {
      text += fmt::format(" and {} more", others_.size() - kMostNamed);
    }
    out_.problems.push_back(
        {student_, source_, fmt::format("not part of any exercise: {}", text), false});
  }

 private:
  struct Assigned {
    course::Selected exercise;
    std::string why;  // Empty if the name is exactly the exercise's.
    std::int64_t number = 0;
  };

  // Orders attempts of one time: by the exact name, then outside of folders for old work, then by
  // the depth. Names that are not exact are equal.
  static int rank_of(const FoundFile& file, bool is_exact) {
    constexpr int kDeepest = 100;
    if (!is_exact) return 0;
    const auto depth = static_cast<int>(std::ranges::count(file.path, '/'));
    return (is_in_old_folder(file.path) ? 1 : 2) * kDeepest - std::min(depth, kDeepest - 1);
  }

  static bool is_skeleton(const course::Selected& one, std::string_view bytes) {
    if (one.lab->folder.empty() || bytes.empty()) return false;
    const auto file = one.lab->folder / one.exercise->file_name();
    std::error_code ignored;
    return fs::is_regular_file(file, ignored) &&
           is_same_source(bytes, text::read_file(file, file.string()));
  }

  static std::string id_of(const course::Selected& one) {
    return one.lab->id + "/" + one.exercise->id;
  }

  bool is_selected(const course::Selected& one) const {
    return std::ranges::any_of(selected_, [&](const course::Selected& each) {
      return each.lab == one.lab && each.exercise == one.exercise;
    });
  }

  static bool is_gradable(const FoundFile& file) {
    return file.refused.empty() && file.bytes.size() <= compile::kMostSourceBytes;
  }

  std::string shown(const FoundFile& file) const {
    return file.shown.empty() ? source_ + shown_name_of(file.path) : file.shown;
  }

  void tell(const FoundFile& file, std::string what, bool unread = false) {
    out_.problems.push_back({student_, shown(file), std::move(what), unread});
  }

  struct Use {
    FileState state = FileState::kOpen;
    std::string reason;
  };

  // The state of a file, once the attempts are known.
  Use use_of(const FoundFile& file, const std::vector<FoundFile>& files) {
    const auto found = assigned_.find(file.path);
    const bool is_assigned = found != assigned_.end();
    const bool has_kind = may_be_work(file.path) || is_archive_name(file.path);
    if (is_by_the_way(file.path)) {
      // A student's only kernel may be in a build folder.
      const bool is_lock = last_part(file.path).starts_with("~$");
      const bool may_be_only_work = !has_work_ && !is_mac_copy(file.path) &&
                                    may_be_work(file.path) &&
                                    (is_lock || !file.path.ends_with(".toml"));
      if (!may_be_only_work) {
        return {FileState::kIgnored, "a system, a build or a platform put it there"};
      }
      return {FileState::kOpen, is_lock ? "it is the lock file of an office program"
                                        : "it is in a folder that is not read, and nothing else "
                                          "was handed in"};
    }
    if (is_assigned && !is_selected(found->second.exercise)) {
      const auto* why = "the class does not have this exercise (`exercises` of class.toml)";
      tell(file, why);
      return {FileState::kUnused, why};
    }
    if (is_assigned && is_gradable(file)) return {FileState::kAttempt, found->second.why};
    if (!file.refused.empty()) {
      const bool is_all = !has_work_ && !is_header(file.path);
      if (file.unread || has_kind || is_assigned || is_all) return {FileState::kOpen, file.refused};
      tell(file, "refused: " + file.refused);
      return {FileState::kUnused, file.refused};
    }
    const auto unless_work = has_work_ ? FileState::kUnused : FileState::kOpen;
    if (file.bytes.size() > compile::kMostSourceBytes) {
      return {has_kind ? FileState::kOpen : unless_work,
              fmt::format("it is larger than {} MiB", compile::kMostSourceBytes >> 20)};
    }
    if (is_header(file.path)) {
      if (folders_.contains(fs::path(file.path).parent_path().string())) {
        return {FileState::kPart, ""};
      }
      return {unless_work, "it is a header, and no exercise's file is beside it"};
    }
    if (const auto spare = spare_.find(file.path); spare != spare_.end()) {
      others_.push_back(shown_name_of(file.path));
      return {FileState::kUnused, fmt::format("another file has the name of {}", spare->second)};
    }
    if (has_kind) {
      return {FileState::kOpen, "no exercise has this name (LAB/EXERCISE.cu or .toml)"};
    }
    others_.push_back(shown_name_of(file.path));
    // A student without other files may have put the work into it.
    return {has_kind_of_work(files) ? FileState::kUnused : unless_work,
            "it is not a file of any exercise"};
  }

  static bool has_kind_of_work(const std::vector<FoundFile>& files) {
    return std::ranges::any_of(files, [](const FoundFile& file) {
      return may_be_work(file.path) && !is_by_the_way(file.path);
    });
  }

  const course::Course& course_;
  const std::vector<course::Selected>& selected_;
  std::string student_;
  std::string source_;
  HandedIn& out_;
  std::map<std::string, Assigned> assigned_;  // By path.
  std::map<std::string, std::string> spare_;  // Path to why it is not used.
  std::set<std::string> named_;               // Exercises that a file has the exact name of.
  std::set<std::string> folders_;             // With attempts in them.
  std::vector<std::string> others_;
  bool has_work_ = false;
};

}  // namespace

std::string_view name(FileState state) {
  static constexpr std::array<std::string_view, 5> kNames = {"attempt", "part", "open", "unused",
                                                             "ignored"};
  return kNames.at(static_cast<std::size_t>(state));
}

std::string bundle_of(const std::vector<HandedFile>& files) {
  std::string all;
  for (const auto& file : files) {
    all += fmt::format("{} {}\n", file.name, base::sha256_hex(file.bytes));
  }
  return base::sha256_hex(all);
}

std::string bundle_of(const HandIn& attempt) {
  return attempt.bundle.empty() ? bundle_of(attempt.files) : attempt.bundle;
}

void put_aside(HandIn& attempt, const std::shared_ptr<Scratch>& scratch) {
  attempt.bundle = bundle_of(attempt.files);
  const auto bytes = base::encode(attempt.files);
  attempt.offset = scratch->size();
  attempt.size = bytes.size();
  scratch->append(bytes);
  attempt.scratch = scratch;
  attempt.files = {};
}

std::vector<HandedFile> files_of(const HandIn& attempt) {
  if (!attempt.scratch) return attempt.files;
  return base::decode<std::vector<HandedFile>>(attempt.scratch->read(attempt.offset, attempt.size))
      .value();
}

bool is_mac_copy(std::string_view path) {
  return path.find("__MACOSX/") != std::string_view::npos ||
         path.substr(path.rfind('/') + 1).starts_with("._");
}

bool is_by_the_way(std::string_view path) {
  static constexpr std::array<std::string_view, 5> kNames = {
      ".DS_Store", "Thumbs.db", "desktop.ini", "class.toml", "timestamp.txt"};
  static constexpr std::array<std::string_view, 9> kFolders = {
      "__MACOSX", ".git",       "build",       ".vscode",           ".idea",
      ".vs",      "CMakeFiles", "__pycache__", ".ipynb_checkpoints"};
  const auto last = path.substr(path.rfind('/') + 1);
  // Office programs lock "copy.cu" with "~$copy.cu".
  if (last.starts_with("._") || last.starts_with("~$")) return true;
  if (!library_folder(path).empty() || std::ranges::find(kNames, last) != kNames.end()) return true;
  return has_folder(path, [](std::string_view folder) {
    return std::ranges::find(kFolders, folder) != kFolders.end() ||
           folder.starts_with("cmake-build-");
  });
}

std::string shown_name_of(std::string_view path) {
  constexpr std::size_t kMost = 200;
  auto out = base::escape_controls(path.substr(0, kMost));
  return path.size() > kMost ? out + "..." : out;
}

std::optional<course::Selected> named_exercise(const std::vector<course::Selected>& selected,
                                               std::string_view path) {
  return named_in([&](const auto& visit) { std::ranges::for_each(selected, visit); }, path);
}

std::optional<course::Selected> named_exercise(const course::Course& course,
                                               std::string_view path) {
  return named_in(
      [&](const auto& visit) {
        for (const auto& lab : course.labs) {
          for (const auto& exercise : lab.exercises) visit(course::Selected{&lab, &exercise});
        }
      },
      path);
}

void sort_files(const course::Course& course, const std::vector<course::Selected>& selected,
                const std::string& student, const std::string& source, std::vector<FoundFile> files,
                HandedIn& out) {
  // An archive with several entries of one name means the last one.
  std::ranges::stable_sort(files, {}, &FoundFile::path);
  for (auto& file : files) {
    if (!may_be_work(file.path) || !file.refused.empty()) continue;
    auto text = source_text(std::move(file.bytes));
    file.bytes = std::move(text.text);
    file.refused = std::move(text.refused);
  }
  StudentFiles sorted(course, selected, student, source, out);
  for (const auto& file : files) sorted.assign_by_name(file);
  for (const auto& file : files) sorted.assign_loosely(file);
  sorted.add_attempts(files);
  for (const auto& file : files) sorted.account(file, files);
  sorted.report_others();
}

}  // namespace warpgrade::grader::class_book
