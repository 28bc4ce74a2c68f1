// SPDX-License-Identifier: Apache-2.0
#include "common/compile/log_context.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace warpgrade::compile {

std::optional<std::string> path_below(std::string_view path, const std::string& folder) {
  const auto prefix = folder + "/";
  if (folder.empty() || !path.starts_with(prefix)) return std::nullopt;
  return std::string(path.substr(prefix.size()));
}

std::optional<std::string> course_header(std::string_view path, const LogContext& context) {
  for (const auto& folder : context.include_folders) {
    auto rest = path_below(path, folder);
    if (!rest) continue;
    while (rest->starts_with("../")) rest->erase(0, 3);
    return (std::filesystem::path(folder).filename() / *rest).lexically_normal().string();
  }
  return std::nullopt;
}

std::string shown_path(std::string_view path, const LogContext& context) {
  namespace fs = std::filesystem;
  const bool is_main_file = path.ends_with(context.compiled_name) &&
                            path.size() <= context.compiled_name.size() + 1 &&
                            (path.size() == context.compiled_name.size() || path.front() == '/');
  if (is_main_file) return context.shown_name;
  if (const auto rest = path_below(path, context.folder)) {
    return (fs::path(context.shown_name).parent_path() / *rest).lexically_normal().string();
  }
  if (auto header = course_header(path, context)) return *std::move(header);
  std::string shown(path);
  for (const auto& folder : context.toolkit_folders) {
    if (const auto rest = path_below(path, folder); rest && rest->size() < shown.size())
      shown = *rest;
  }
  return shown;
}

bool is_of_toolkit(std::string_view path, const LogContext& context) {
  return std::any_of(context.toolkit_folders.begin(), context.toolkit_folders.end(),
                     [&](const auto& folder) { return path.starts_with(folder + "/"); });
}

}  // namespace warpgrade::compile
