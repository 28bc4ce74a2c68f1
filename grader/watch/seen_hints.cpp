// SPDX-License-Identifier: Apache-2.0
#include "grader/watch/seen_hints.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "common/base/error.h"
#include "grader/text/files.h"

namespace warpgrade::grader::watch {
namespace {

nlohmann::json kept_hints(const std::filesystem::path& file) {
  try {
    auto kept = nlohmann::json::parse(text::read_file(file, file.string()));
    if (kept.is_object()) return kept;
  } catch (const base::UsageError&) {
  } catch (const nlohmann::json::exception&) {
  }
  return nlohmann::json::object();
}

}  // namespace

std::filesystem::path hints_file() { return text::cache_folder() / "hints.json"; }

std::size_t seen_hints(const std::filesystem::path& file, const std::string& exercise) {
  const auto kept = kept_hints(file);
  const auto found = kept.find(exercise);
  const bool is_known = found != kept.end() && found->is_number_unsigned();
  return is_known ? std::max<std::size_t>(found->get<std::size_t>(), 1) : 1;
}

void keep_seen_hints(const std::filesystem::path& file, const std::string& exercise,
                     std::size_t count) {
  if (!file.is_absolute()) return;
  auto kept = kept_hints(file);
  kept[exercise] = count;
  text::write_if_possible(file, kept.dump(1, ' ', false, nlohmann::json::error_handler_t::replace));
}

}  // namespace warpgrade::grader::watch
