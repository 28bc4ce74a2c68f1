// SPDX-License-Identifier: Apache-2.0
// Caches answers of the compiler process on disk, for texts of the course and of the program.
//
// Each grade needs three of them, and each costs as much compile time as the submission. Answers
// for submissions are never cached. A key is a digest of everything that an answer depends on:
// the job, and path, size and date of the compiler's files.
#include "common/compile/job.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "common/base/text.h"

namespace warpgrade::compile {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kDigestDigits = 64;
constexpr std::string_view kSuffix = ".answer";

std::mutex own_folder_mutex;
fs::path own_folder;  // guarded by the mutex

// Adds path, size and date of `file`, which identify the build and the toolkit.
bool add_identity(const fs::path& file, std::string& to) {
  std::error_code failed;
  const auto size = fs::file_size(file, failed);
  if (failed) return false;
  const auto date = fs::last_write_time(file, failed);
  if (failed) return false;
  to += fmt::format("{}\n{} {}\n", file.string(), size, date.time_since_epoch().count());
  return true;
}

// NVRTC opens its library of builtins itself; it is beside libnvrtc.
std::vector<fs::path> with_builtins(const std::vector<fs::path>& files) {
  auto out = files;
  for (const auto& file : files) {
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(file.parent_path(), ignored)) {
      if (entry.path().filename().string().starts_with("libnvrtc-builtins.so")) {
        out.push_back(entry.path());
      }
    }
  }
  std::ranges::sort(out);
  return out;
}

bool write_whole(const fs::path& file, std::string_view content) {
  const int descriptor = ::open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (descriptor < 0) return false;
  while (!content.empty()) {
    const auto count = ::write(descriptor, content.data(), content.size());
    if (count <= 0) break;
    content.remove_prefix(static_cast<std::size_t>(count));
  }
  return ::close(descriptor) == 0 && content.empty();
}

void remove_oldest(const fs::path& folder, std::size_t most) {
  std::error_code ignored;
  std::vector<std::pair<fs::file_time_type, fs::path>> found;
  for (const auto& entry : fs::directory_iterator(folder, ignored)) {
    found.emplace_back(entry.last_write_time(ignored), entry.path());
  }
  if (found.size() <= most) return;
  std::ranges::sort(found);
  found.resize(found.size() - most);
  for (const auto& [date, path] : found) fs::remove(path, ignored);
}

}  // namespace

bool is_self_contained(std::string_view source) {
  constexpr std::array kWords = {"include", "import", "embed"};
  return std::ranges::none_of(
      kWords, [&](const char* word) { return source.find(word) != std::string_view::npos; });
}

std::string answer_key(std::string_view job, const std::vector<fs::path>& files) {
  std::string all;
  for (const auto& file : with_builtins(files)) {
    if (!add_identity(file, all)) return {};
  }
  return base::sha256_hex(all.append(job));
}

std::optional<std::string> KeptAnswers::find(const std::string& key) const {
  if (folder_.empty() || key.empty()) return std::nullopt;
  std::ifstream file(folder_ / (key + std::string(kSuffix)), std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(file), {}};
  if (text.size() < kDigestDigits) return std::nullopt;
  auto answer = text.substr(kDigestDigits);
  if (!text.starts_with(base::sha256_hex(answer))) return std::nullopt;
  return answer;
}

void KeptAnswers::keep(const std::string& key, std::string_view answer) const {
  if (folder_.empty() || key.empty()) return;
  std::error_code failed;
  fs::create_directories(folder_, failed);
  const auto file = folder_ / (key + std::string(kSuffix));
  // Each thread writes its own file, at most once per answer; files of killed processes expire.
  const auto beside = folder_ / fmt::format("{}.{}.{}", key, ::getpid(), ::gettid());
  const auto is_written = write_whole(beside, base::sha256_hex(answer) + std::string(answer));
  if (is_written) fs::rename(beside, file, failed);
  if (!is_written || failed) fs::remove(beside, failed);
  remove_oldest(folder_, most_);
}

void keep_own_answers_in(const fs::path& folder) {
  const std::lock_guard lock(own_folder_mutex);
  own_folder = folder;
}

KeptAnswers own_answers() {
  const std::lock_guard lock(own_folder_mutex);
  return KeptAnswers(own_folder);
}

}  // namespace warpgrade::compile
