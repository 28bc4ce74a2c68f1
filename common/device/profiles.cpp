// SPDX-License-Identifier: Apache-2.0
// Finds profiles by name among the embedded ones, or by path in files.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <deque>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <vector>

#include "common/base/error.h"
#include "common/base/text.h"
#include "common/device/profile.h"
#include "common/device/profile_reader.h"
#include "common/device/profile_texts.h"

namespace warpgrade::device {
namespace {

namespace fs = std::filesystem;

// Real profiles have a few kilobytes.
constexpr std::uintmax_t kMostFileBytes = 1 << 20;

[[noreturn]] void no_such_device(std::string_view name) {
  std::vector<std::string_view> names;
  std::string list;
  for (const auto& one : kProfileTexts) {
    names.push_back(one.stem());
    list += fmt::format("{}{}", list.empty() ? "" : ", ", one.stem());
  }
  const std::string_view nearest = base::nearest(name, names);
  throw base::UsageError(
      fmt::format("unknown device '{}'{}; devices: {}", base::escape_controls(name),
                  nearest.empty() ? "" : fmt::format(" (did you mean '{}'?)", nearest), list));
}

std::string_view text_of(std::string_view name) {
  for (const auto& one : kProfileTexts) {
    if (one.stem() == name) return one.text;
  }
  no_such_device(name);
}

struct Library {
  std::vector<Profile> all;
  std::vector<const Profile*> pointers;

  Library() {
    for (const auto& one : kProfileTexts) {
      all.push_back(read_profile(one.text, fmt::format("profiles/{}", one.name),
                                 std::string(one.stem()), text_of));
    }
    for (const Profile& profile : all) pointers.push_back(&profile);
  }
};

const Library& library() {
  static const Library kLibrary;
  return kLibrary;
}

std::string content_of(const fs::path& path, const std::string& shown) {
  std::error_code error;
  if (!fs::is_regular_file(path, error)) {
    throw base::UsageError(
        fmt::format("{}: {}", shown, fs::exists(path, error) ? "is not a file" : "no such file"));
  }
  if (const auto bytes = fs::file_size(path, error); !error && bytes > kMostFileBytes) {
    throw base::UsageError(fmt::format("{}: {} bytes are too many for a profile", shown, bytes));
  }
  std::ifstream in(path, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(in), {}};
  if (!in) throw base::UsageError(fmt::format("{}: cannot be read", shown));
  return text;
}

Profile from_file(const std::string& file) {
  const fs::path path(file);
  const auto shown = base::escape_controls(file);
  const auto name = path.stem().string();
  const auto is_taken = [&](const Profile& one) { return one.name == name; };
  const auto& all = library().all;
  if (std::any_of(all.begin(), all.end(), is_taken)) {
    throw base::UsageError(fmt::format(
        "{}: the program has a profile called `{}`: give the file another name", shown, name));
  }
  return read_profile(content_of(path, shown), shown, base::escape_controls(name), text_of);
}

/// Reads each file once, so that a profile cannot change during a run.
class Files {
 public:
  const Profile& of(const std::string& file) {
    const std::lock_guard lock(mutex_);
    for (const Read& one : read_) {
      if (one.file == file) return one.profile;
    }
    return read_.emplace_back(Read{file, from_file(file)}).profile;
  }

 private:
  struct Read {
    std::string file;
    Profile profile;
  };
  std::mutex mutex_;
  std::deque<Read> read_;
};

}  // namespace

std::span<const Profile* const> profiles() { return library().pointers; }

const Profile& find(std::string_view name) {
  for (const Profile* profile : profiles()) {
    if (profile->name == name) return *profile;
  }
  if (name.ends_with(".toml")) {
    static Files files;
    return files.of(std::string(name));
  }
  no_such_device(name);
}

}  // namespace warpgrade::device
