// SPDX-License-Identifier: Apache-2.0
// Small files of CUDA C++, and the launch in the head of each.
//
// A file may hold many small ones as parts, in the form that LLVM's split-file reads: a line
// `//--- NAME` begins one. The licence is the first line of each part, too, so lines count from
// there. split_file.py reads the same.
// A launch has options of `warpgrade profile`:
//   // launch: --kernel sum --grid 2 --block 64 --arg out:f32:64
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "common/base/error.h"
#include "common/base/place.h"

namespace warpgrade::evidence {

inline std::string text_of(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

struct SmallFile {
  std::filesystem::path source;  ///< The file that it is, or that holds it.
  std::string text;
};

/// The small files of a folder by their names, without ".cu".
inline std::map<std::string, SmallFile> small_files(const std::filesystem::path& folder) {
  std::map<std::string, SmallFile> found;
  const std::string mark = "\n//--- ";
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".cu") continue;
    const auto text = text_of(entry.path());
    const auto licence = text.substr(0, text.find('\n') + 1);
    auto at = text.find(mark);
    if (at == std::string::npos) found[entry.path().stem()] = {entry.path(), text};
    while (at != std::string::npos) {
      const auto name = at + mark.size();
      const auto body = text.find('\n', name) + 1;
      at = text.find(mark, body);
      const auto end = at == std::string::npos ? text.size() : at;
      found[text.substr(name, body - 1 - name)] = {entry.path(),
                                                   licence + text.substr(body, end - body)};
    }
  }
  return found;
}

/// The names of the small files of a folder, for testing::ValuesIn().
inline std::vector<std::string> names_in(const std::filesystem::path& folder) {
  std::vector<std::string> out;
  for (const auto& [name, file] : small_files(folder)) out.push_back(name);
  return out;
}

/// NAME.cu in a folder of its own.
class StoredFile {
 public:
  StoredFile(const std::string& name, const std::string& text)
      : folder_(testing::TempDir() + "warpgrade_small_XXXXXX") {
    if (mkdtemp(folder_.data()) == nullptr) throw base::ToolError("no folder for a small file");
    path_ = std::filesystem::path(folder_) / (name + ".cu");
    std::ofstream(path_) << text;
  }
  ~StoredFile() {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  StoredFile(const StoredFile&) = delete;
  StoredFile& operator=(const StoredFile&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::string folder_;
  std::filesystem::path path_;
};

/// "4,2" as extents.
inline base::Dim3 extent(const std::string& text) {
  base::Dim3 result;
  char comma = 0;
  std::istringstream stream(text);
  stream >> result.x;
  if (stream >> comma) stream >> result.y;
  if (stream >> comma) stream >> result.z;
  return result;
}

inline std::vector<std::string> words_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) {
    std::erase(word, '\'');  // 'fill(float*)', for the shell
    words.push_back(word);
  }
  return words;
}

/// The pseudo-random words that kernels read on a card (conformance.py has the same generator).
inline std::vector<std::uint32_t> card_input() {
  std::uint32_t state = 12345;
  std::vector<std::uint32_t> words(4096);
  for (auto& word : words) {
    for (int half = 0; half < 2; ++half) {
      state = state * 1664525U + 1013904223U;
      word = word << 16 | state >> 16;
    }
  }
  return words;
}

}  // namespace warpgrade::evidence
