// SPDX-License-Identifier: Apache-2.0
#include "grader/class/sorting.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>

#include "common/base/sha256.h"
#include "common/base/text.h"
#include "common/compile/compiler.h"

namespace warpgrade::grader {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostHeaders = 64;  // beside one exercise's file
constexpr std::size_t kMostNamed = 5;     // of further files, in one remark

bool is_header(std::string_view path) {
  static constexpr std::array<std::string_view, 5> kSuffixes = {".h", ".hpp", ".cuh", ".inl",
                                                                ".hxx"};
  return std::ranges::any_of(kSuffixes, [&](auto suffix) { return path.ends_with(suffix); });
}

bool looks_handed_in(std::string_view path) {
  return path.ends_with(".cu") || path.ends_with(".toml");
}

void add_problem(HandedIn& out, const std::string& student, const std::string& file,
                 std::string what, bool unread = false) {
  out.problems.push_back({student, file, std::move(what), unread});
}

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

}  // namespace

std::string bundle_of(const std::vector<HandedFile>& files) {
  std::string all;
  for (const auto& file : files) {
    all += fmt::format("{} {}\n", file.name, base::sha256_hex(file.bytes));
  }
  return base::sha256_hex(all);
}

bool is_by_the_way(std::string_view path) {
  static constexpr std::array<std::string_view, 4> kNames = {".DS_Store", "Thumbs.db",
                                                             "desktop.ini", "class.toml"};
  const auto last = path.substr(path.rfind('/') + 1);
  return path.find("__MACOSX/") != std::string_view::npos || last.starts_with("._") ||
         path.find(".git/") != std::string_view::npos ||
         std::ranges::find(kNames, last) != kNames.end();
}

std::string shown_name_of(std::string_view path) {
  constexpr std::size_t kMost = 200;
  auto out = base::escape_controls(path.substr(0, kMost));
  return path.size() > kMost ? out + "..." : out;
}

std::optional<Selected> named_exercise(const Course& course, std::string_view path) {
  const auto cut = path.rfind('/');
  const auto file = path.substr(cut == std::string_view::npos ? 0 : cut + 1);
  const auto above = cut == std::string_view::npos ? std::string_view() : path.substr(0, cut);
  const auto folder = above.substr(above.rfind('/') + 1);
  std::optional<Selected> only;
  std::size_t count = 0;
  for (const auto& lab : course.labs) {
    for (const auto& exercise : lab.exercises) {
      if (file != exercise.file_name() && file != exercise.id) continue;
      if (folder == lab.id) return Selected{&lab, &exercise};
      only = Selected{&lab, &exercise};
      ++count;
    }
  }
  return count == 1 ? only : std::nullopt;
}

void sort_files(const Course& course, const std::string& student, const std::string& source,
                std::vector<FoundFile> files, HandedIn& out) {
  std::ranges::sort(files, {}, &FoundFile::path);
  std::map<std::string, std::string> seen;  // exercise to the file of its first attempt
  std::vector<std::string> others;
  for (const auto& file : files) {
    const auto shown = source + shown_name_of(file.path);
    if (is_by_the_way(file.path)) continue;
    if (!file.refused.empty()) {
      add_problem(out, student, shown, "refused: " + file.refused, file.unread);
      continue;
    }
    const auto selected = named_exercise(course, file.path);
    if (!selected) {
      if (looks_handed_in(file.path)) {
        add_problem(out, student, shown, "no exercise has this name (LAB/EXERCISE.cu or .toml)");
      } else if (!is_header(file.path)) {
        others.push_back(shown_name_of(file.path));
      }
      continue;
    }
    if (file.bytes.size() > compile::kMostSourceBytes) {
      add_problem(
          out, student, shown,
          fmt::format("refused: it is larger than {} MiB", compile::kMostSourceBytes >> 20));
      continue;
    }
    const auto id = selected->lab->id + "/" + selected->exercise->id;
    const auto [first, is_new] = seen.try_emplace(id, file.path);
    if (!is_new) {
      add_problem(out, student, shown,
                  fmt::format("a second file for {}, beside {}: both are attempts", id,
                              shown_name_of(first->second)));
    }
    out.attempts.push_back({student, selected->lab->id, selected->exercise->id,
                            with_headers(file, selected->exercise->file_name(), files), file.time,
                            shown});
  }
  if (others.empty()) return;
  std::string text;
  for (std::size_t i = 0; i < std::min(others.size(), kMostNamed); ++i) {
    text += (i == 0 ? "" : ", ") + others[i];
  }
  if (others.size() > kMostNamed) text += fmt::format(" and {} more", others.size() - kMostNamed);
  add_problem(out, student, source, fmt::format("not part of any exercise: {}", text));
}

}  // namespace warpgrade::grader
