// SPDX-License-Identifier: Apache-2.0
// The compiler process of the tests: answers a job as the program's own process does, and keeps the
// answers in ~/.cache/warpgrade/tests/answers.
//
// NVRTC needs most of the time of many tests, for the same sources at each run. A kept answer
// counts while everything is equal that it depends on: the job, the sources of the compiler process
// (a digest from the build), NVRTC's libraries, and each file that the compilation looked for.
// These are compared by their content, and a file that was not there must still be missing. All
// builds share the answers, since their compiler processes have the same sources.
//
// Paths of folders that an answer does not name do not count, so a submission in a new temporary
// folder gets the answer of the former one. Only answers that depend on no limit are kept. If the
// folder cannot be written, as in the sandbox of a class, each job is compiled. tests/provide.sh
// removes old answers.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "common/base/text.h"
#include "common/base/wire.h"
#include "common/compile/compiler_process.h"
#include "tests/compile/compiler_digest.h"

namespace warpgrade::compile {
namespace {

namespace fs = std::filesystem;

struct Lookup {
  std::string path;
  std::string digest;  // empty: there was no such file
};

struct Entry {
  std::vector<Lookup> lookups;
  Answer answer;
};

auto wire_fields(Lookup& lookup) { return std::tie(lookup.path, lookup.digest); }
auto wire_fields(Entry& entry) { return std::tie(entry.lookups, entry.answer); }

std::string content_of(const fs::path& file) {
  std::error_code ignored;
  if (!fs::is_regular_file(file, ignored)) return {};
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// The digest of the file's content. The compiler reads a folder as an empty file.
std::string digest_of(const std::optional<std::string>& file) {
  return file ? base::sha256_hex(content_of(*file)) : std::string();
}

enum class Named { kNone, kToolkit, kAll };

// The folders of a job. In a key and in lookups each has a short name, unless answers name it.
class Folders {
 public:
  Folders(const Job& job, Named named) {
    if (named == Named::kAll) return;
    add(job.folder);
    add(job.root);
    for (const auto& folder : job.include_folders) add(folder);
    if (named == Named::kToolkit) return;
    for (const auto& folder : job.toolkit_folders) add(folder);
  }

  std::string with_short_name(const std::string& path) const {
    for (const auto& [folder, name] : names_) {
      if (path == folder) return name;
      if (path.starts_with(folder + "/")) return name + path.substr(folder.size());
    }
    return path;
  }

  std::string with_folder(const std::string& path) const {
    for (const auto& [folder, name] : names_) {
      if (path == name) return folder;
      if (path.starts_with(name + "/")) return folder + path.substr(name.size());
    }
    return path;
  }

  bool are_in(const std::string& text) const {
    return std::ranges::any_of(
        names_, [&](const auto& one) { return text.find(one.first) != std::string::npos; });
  }

 private:
  void add(const std::string& folder) {
    const auto is_it = [&](const auto& one) { return one.first == folder; };
    if (folder.empty() || std::ranges::any_of(names_, is_it)) return;
    names_.emplace_back(folder, "\x01" + std::to_string(names_.size()));
  }

  std::vector<std::pair<std::string, std::string>> names_;
};

class AnswersOfTests : public KnownAnswers {
 public:
  AnswersOfTests()
      : folder_(WARPGRADE_ANSWERS), kept_(folder_, std::numeric_limits<std::size_t>::max()) {}

  std::optional<Answer> find(const Job& job) override {
    std::error_code failed;
    fs::create_directories(folder_, failed);
    if (failed || ::access(folder_.c_str(), W_OK) != 0) return std::nullopt;
    compiler_ = std::string(kCompilerDigest) + digests_of_nvrtc(job.library);
    const VisibleFiles files(reach_of(job));
    for (const auto named : {Named::kNone, Named::kToolkit, Named::kAll}) {
      const Folders folders(job, named);
      const auto key = key_of(job, folders);
      const auto bytes = kept_.find(key);
      auto entry = bytes ? base::decode<Entry>(*bytes) : std::nullopt;
      if (!entry) continue;
      const bool holds = std::ranges::all_of(entry->lookups, [&](const Lookup& lookup) {
        return digest_of(files.find(folders.with_folder(lookup.path))) == lookup.digest;
      });
      if (!holds) continue;
      is_known_ = true;
      touch(key);
      return std::move(entry->answer);
    }
    return std::nullopt;
  }

  void keep(const Job& job, const Answer& answer) override {
    if (compiler_.empty() || is_known_) return;
    if (answer.outcome != CompileStatus::kCompiled && answer.outcome != CompileStatus::kRejected) {
      return;
    }
    if (answer.log.find("out of memory") != std::string::npos) return;  // a limit's doing
    const auto text = base::encode(answer);
    auto named = Named::kNone;
    if (Folders(job, named).are_in(text)) named = Named::kToolkit;
    if (Folders(job, named).are_in(text)) named = Named::kAll;
    const Folders folders(job, named);
    Entry entry{{}, answer};
    for (const auto& [path, file] : seen_) {
      entry.lookups.push_back({folders.with_short_name(path), digest_of(file)});
    }
    kept_.keep(key_of(job, folders), base::encode(entry));
  }

  LookupObserver observer() override {
    return [this](const std::string& path, const std::optional<std::string>& file) {
      seen_[path] = file;
    };
  }

 private:
  std::string key_of(Job job, const Folders& folders) const {
    job.library.clear();
    job.folder = folders.with_short_name(job.folder);
    job.root = folders.with_short_name(job.root);
    for (auto* list : {&job.include_folders, &job.toolkit_folders}) {
      for (auto& folder : *list) folder = folders.with_short_name(folder);
    }
    return base::sha256_hex(compiler_ + base::encode(job));
  }

  // NVRTC opens a second library, with its builtins. Both are large, so their digests are kept by
  // path, size and date.
  std::string digests_of_nvrtc(const fs::path& library) const {
    std::vector<fs::path> files = {library};
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(library.parent_path(), ignored)) {
      if (entry.path().filename().string().starts_with("libnvrtc-builtins.so")) {
        files.push_back(entry.path());
      }
    }
    std::ranges::sort(files);
    std::string out;
    for (const auto& file : files) {
      const auto key = answer_key({}, {file});
      auto digest = kept_.find(key);
      if (!digest) {
        digest = digest_of(file.string());
        kept_.keep(key, *digest);
      }
      out += *digest;
    }
    return out;
  }

  // provide.sh removes answers that were not used for long.
  void touch(const std::string& key) const {
    ::utimensat(AT_FDCWD, (folder_ / (key + ".answer")).c_str(), nullptr, 0);
  }

  fs::path folder_;
  KeptAnswers kept_;
  std::string compiler_;  // empty: no answer can be kept
  std::map<std::string, std::optional<std::string>> seen_;
  bool is_known_ = false;
};

}  // namespace
}  // namespace warpgrade::compile

int main() {
  warpgrade::compile::AnswersOfTests answers;
  ::_exit(warpgrade::compile::answer_one_job(&answers));
}
