// SPDX-License-Identifier: Apache-2.0
#include "grader/study/access_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "common/base/text.h"
#include "grader/course/launch_reader.h"
#include "grader/course/parameter_reader.h"
#include "grader/text/suggestions.h"

namespace warpgrade::grader::study {
namespace {

constexpr std::array<std::string_view, 4> kKeys = {"thread", "block", "step", "bank"};
constexpr std::array<std::string_view, 2> kOperations = {"load", "store"};
constexpr std::string_view kShared = "shared";
constexpr std::uint32_t kMostCells = 48;  // per side; more would be illegible
constexpr std::size_t kMostLabels = 3;

AccessKey read_key(const text::Table& table, std::string_view at, const std::string& given) {
  const auto found = std::find(kKeys.begin(), kKeys.end(), given);
  if (found == kKeys.end()) {
    table.fail(at, fmt::format("unknown `{}`; choices: {}", base::escape_controls(given),
                               text::joined(kKeys)));
  }
  return static_cast<AccessKey>(found - kKeys.begin());
}

void read_memory(text::Table& table, AccessPicture& out) {
  out.memory = table.text("memory");
  if (out.memory == kShared) {
    out.memory.clear();
    return;
  }
  const auto buffers = buffers_of(out.kernel.parameters);
  if (buffer_called(buffers, out.memory) == buffers.size()) {
    table.fail("memory", fmt::format("must be \"shared\" or a parameter that is a buffer, not `{}`",
                                     base::escape_controls(out.memory)));
  }
}

void check_keys(const text::Table& table, const AccessPicture& picture) {
  if (picture.labels.empty() || picture.labels.size() > kMostLabels) {
    table.fail("labels", fmt::format("must be 1 to {} of them", kMostLabels));
  }
  const auto& labels = picture.labels;
  const bool has_bank = picture.colour == AccessKey::kBank ||
                        std::find(labels.begin(), labels.end(), AccessKey::kBank) != labels.end();
  if (has_bank && (!picture.memory.empty() || picture.element_bytes != 4)) {
    table.fail("labels", "banks are those of words of 4 bytes of shared memory");
  }
}

}  // namespace

std::string_view name(AccessKey key) { return kKeys.at(static_cast<std::size_t>(key)); }

AccessPicture read_access(text::Table& table, const Folder& place) {
  AccessPicture out;
  out.title = table.text("title");
  table.rename(fmt::format("access `{}`", base::escape_controls(out.title)));
  out.device = read_device(table, "device", table.text("device"));
  out.kernel.kernel = table.text("kernel");
  const auto file = table.text("file");
  out.kernel.file = place.file(file);
  out.kernel.shown_file = place.shown(file);
  out.kernel.launch = course::read_geometry(table);
  out.kernel.parameters = course::read_parameters(table);
  check_geometry(out.kernel.launch, {});
  check_parameters(out.kernel.parameters, {});
  read_memory(table, out);
  out.of_stores = table.choice_or("operation", kOperations, 0) == 1;
  out.rows = table.count("rows");
  out.columns = table.count("columns");
  out.element_bytes = table.count("element_bytes");
  if (out.rows == 0 || out.rows > kMostCells || out.columns == 0 || out.columns > kMostCells ||
      out.element_bytes == 0) {
    table.fail("rows", fmt::format("a picture has 1 to {} rows and columns, of elements of at "
                                   "least one byte",
                                   kMostCells));
  }
  for (const auto& given : table.texts("labels")) {
    out.labels.push_back(read_key(table, "labels", given));
  }
  out.colour = read_key(table, "colour", table.text("colour"));
  if (table.may_have("framed")) out.framed = table.count("framed");
  check_keys(table, out);
  table.finish();
  return out;
}

}  // namespace warpgrade::grader::study
