// SPDX-License-Identifier: Apache-2.0
// Finds and reads a study: its parts, pictures and accesses. study.h documents the keys.
//
// In: the name of a study of the course, or a file. Out: a checked Study. A part with `use` is
// read from the other study.
// Every mistake is a base::UsageError with file:line:column.
#include "grader/study/study_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <set>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "common/base/error.h"
#include "common/base/text.h"
#include "common/device/profile.h"
#include "common/memory/metrics.h"
#include "grader/course/launch_reader.h"
#include "grader/course/parameter_reader.h"
#include "grader/study/study.h"
#include "grader/text/files.h"
#include "grader/text/messages.h"
#include "grader/text/toml_reader.h"

namespace warpgrade::grader::study {
namespace {

/// The folder of a study's files, and how it is shown.
struct Folder {
  std::filesystem::path folder;
  std::string shown_folder;  ///< Ends with a slash unless empty.

  std::filesystem::path file(const std::string& name) const { return folder / name; }
  std::string shown(const std::string& name) const { return shown_folder + name; }
};

}  // namespace

/// `devices`, at least one.
static std::vector<Device> read_devices(text::Table& table);

namespace {

constexpr std::array<std::string_view, 5> kQuantities = {"bandwidth", "fraction", "step", "seconds",
                                                         "l1_clocks"};
constexpr std::array<std::string_view, 2> kScales = {"linear", "log2"};
constexpr std::array<std::string_view, 2> kColumns = {"kernels", "devices"};
constexpr std::string_view kEightByte = " 8-byte";

// Reads the quantity that is shown: one of kQuantities, or any metric.
void read_quantity(text::Table& table, Part& part) {
  const auto given = table.text("show");
  const auto found = std::find(kQuantities.begin(), kQuantities.end(), given);
  if (found != kQuantities.end()) {
    part.quantity = static_cast<Quantity>(found - kQuantities.begin());
  } else {
    std::vector<std::string_view> names(kQuantities.begin(), kQuantities.end());
    const auto& metrics = memory::metric_names();
    names.insert(names.end(), metrics.begin(), metrics.end());
    if (std::find(metrics.begin(), metrics.end(), given) == metrics.end()) {
      table.fail("show", fmt::format("there is no `{}`{}; it is one of: {}, or a metric of "
                                     "`warpgrade profile`",
                                     base::escape_controls(given), text::did_you_mean(given, names),
                                     text::joined(kQuantities)));
    }
    part.quantity = Quantity::kMetric;
    part.metric = given;
  }
  part.show_label = table.text("show_label");
  part.show_log2 = table.choice_or("show_scale", kScales, 0) == 1;
  if (part.quantity == Quantity::kFraction) part.baseline = table.text("baseline");
}

// A launch; parts that the table lacks come from `otherwise`.
course::Geometry read_launch(text::Table& table, const course::Geometry* otherwise) {
  if (otherwise == nullptr) return course::read_geometry(table);
  course::Geometry out = *otherwise;
  if (table.accept("grid")) out.grid = table.extents("grid");
  if (table.accept("block")) out.block = table.extents("block");
  if (const auto shared = table.optional_expression("shared")) out.shared_bytes = *shared;
  return out;
}

Kernel read_kernel(text::Table& table, const Folder& place, const std::string& axis,
                   const Kernel& defaults) {
  Kernel out = defaults;
  out.id = table.text("id");
  table.rename(fmt::format("kernel `{}`", base::escape_controls(out.id)));
  out.label = table.text("label");
  out.kernel = table.text("kernel");
  if (table.accept("file")) {
    const auto name = table.text("file");
    out.file = place.file(name);
    out.shown_file = place.shown(name);
  }
  out.launch = read_launch(table, &defaults.launch);
  if (table.has("parameters")) out.parameters = course::read_parameters(table);
  if (table.accept("variables")) out.variables = table.variables("variables");
  for (const auto& [name, value] : out.variables) {
    if (name == axis) {
      table.fail("variables", fmt::format("`{}` is the axis: all kernels share it", name));
    }
  }
  if (const auto bytes = table.optional_expression("bytes")) out.bytes = bytes;
  out.when = table.optional_expression("when");
  table.finish();
  return out;
}

bool has_kernel(const Part& part, std::string_view id) {
  return std::any_of(part.kernels.begin(), part.kernels.end(),
                     [&](const Kernel& kernel) { return kernel.id == id; });
}

[[noreturn]] void no_such_kernel(const Part& part, const std::string& where, std::string_view id) {
  std::vector<std::string_view> ids;
  for (const auto& kernel : part.kernels) ids.push_back(kernel.id);
  throw base::UsageError(fmt::format(
      "{}: the part `{}` has no kernel `{}`{}; it has: {}", base::escape_controls(where), part.id,
      base::escape_controls(id), text::did_you_mean(id, ids), text::joined(ids)));
}

// Rows must name kernels of the part, profiles, and variables of the part.
void check_published(const Part& part, const PublishedTable& table) {
  for (const auto& row : table.rows) {
    const auto where = fmt::format("{}:{}", table.shown, row.line);
    if (!has_kernel(part, row.kernel)) no_such_kernel(part, where, row.kernel);
    try {
      device::find(row.device);
    } catch (const base::UsageError& error) {
      throw base::UsageError(fmt::format("{}: {}", where, error.what()));
    }
    for (const auto& [name, value] : row.variables) {
      if (name == part.axis || part.variables.contains(name)) continue;
      throw base::UsageError(fmt::format("{}: column `{}` is not a variable of the part `{}`",
                                         where, base::escape_controls(name), part.id));
    }
  }
}

std::vector<PublishedTable> read_tables(text::Table& table, const Folder& place,
                                        std::string_view key, const Part& part) {
  std::vector<PublishedTable> out;
  for (auto& given : table.tables(key)) {
    const auto name = given.text("file");
    const auto column = key == "best" ? "best" : given.text("value");
    out.push_back(read_published(place.file(name), place.shown(name), column));
    const bool rate = column.ends_with("_per_s");
    const bool compares =
        key == "best" || (part.quantity == Quantity::kBandwidth && rate) ||
        (part.quantity == Quantity::kSeconds && out.back().is_time) ||
        (part.quantity == Quantity::kMetric && column == "wavefronts") ||
        (part.quantity == Quantity::kL1Clocks && column == "clocks") ||
        ((part.quantity == Quantity::kFraction || part.quantity == Quantity::kStep) &&
         (rate || out.back().is_time));
    if (!compares) {
      given.fail("value", fmt::format("`{}` is not comparable with the part's values",
                                      base::escape_controls(column)));
    }
    given.finish();
    check_published(part, out.back());
  }
  return out;
}

Curve read_curve(text::Table table, const Part& part) {
  Curve out;
  out.label = table.text("label");
  out.kernels = table.texts("kernels");
  out.when = table.expression("when");
  for (const auto& id : out.kernels) {
    if (!has_kernel(part, id)) {
      const auto where = table.where("kernels");
      no_such_kernel(part, fmt::format("{}:{}:{}", where.file, where.line, where.column), id);
    }
  }
  table.finish();
  return out;
}

// Evaluates everything at each value, so that reading finds every mistake.
void check_points(const Part& part, const text::Table& table) {
  for (const auto value : part.values) {
    for (const auto& kernel : part.kernels) {
      const auto variables = part.variables_at(value, kernel);
      if (kernel.when && evaluate(*kernel.when, variables) == 0) continue;
      check_geometry(kernel.launch, variables);
      check_parameters(kernel.parameters, variables);
      if (kernel.bytes) evaluate(*kernel.bytes, variables);
      try {
        course::kernel_name(kernel.kernel, variables);
      } catch (const base::UsageError& error) {
        table.fail("kernel", fmt::format("`{}`: {}", kernel.id, error.what()));
      }
    }
    const auto variables = part.variables_at(value);
    for (const auto& curve : part.curves) evaluate(curve.when, variables);
    if (part.rule) {
      auto of_lane = variables;
      of_lane["lane"] = 31;
      evaluate_count(part.rule->address, of_lane);
      evaluate_count(part.rule->bytes, of_lane);
    }
  }
}

// A part of another study, with the replacements in `table`.
Part read_used(text::Table& table, const std::string& id, const ReadOther& read_other) {
  const auto name = table.text("use");
  if (!read_other) table.fail("use", "the study used uses another one in turn: name that one");
  auto other = read_other(name);
  const auto found = std::find_if(other.parts.begin(), other.parts.end(),
                                  [&](const Part& part) { return part.id == id; });
  if (found == other.parts.end()) {
    std::vector<std::string_view> ids;
    for (const auto& part : other.parts) ids.push_back(part.id);
    table.fail("id",
               fmt::format("{} has no part `{}`{}; it has: {}", name, base::escape_controls(id),
                           text::did_you_mean(id, ids), text::joined(ids)));
  }
  Part part = std::move(*found);
  part.title = table.text_or("title", part.title);
  if (table.accept("devices")) {
    part.devices = read_devices(table);
    part.own_devices = true;
  }
  if (table.accept("axis_values")) part.values = table.numbers("axis_values");
  table.finish();
  check_points(part, table);
  return part;
}

}  // namespace

/// A device as written at `key`.
static Device read_device(const text::Table& table, std::string_view key, const std::string& text) {
  Device out{text, text.ends_with(kEightByte)};
  if (out.eight_byte_banks) out.name.resize(text.size() - kEightByte.size());
  std::vector<std::string_view> names;
  for (const auto* profile : device::profiles()) names.push_back(profile->name);
  if (std::find(names.begin(), names.end(), out.name) == names.end()) {
    table.fail(key,
               fmt::format("unknown device `{}`{}; devices: {}", base::escape_controls(out.name),
                           text::did_you_mean(out.name, names), text::joined(names)));
  }
  if (out.eight_byte_banks &&
      device::find(out.name).rules.shared_banks != device::SharedBanks::kKepler32) {
    table.fail(key, fmt::format("{} has one bank mode only; Kepler's has two", out.name));
  }
  return out;
}

static std::vector<Device> read_devices(text::Table& table) {
  std::vector<Device> out;
  for (const auto& text : table.texts("devices"))
    out.push_back(read_device(table, "devices", text));
  if (out.empty()) table.fail("devices", "must not be empty");
  return out;
}

/// The part in `table`; `devices` are the study's.
static Part read_part(text::Table& table, const Folder& place, const std::vector<Device>& devices,
                      const ReadOther& read_other) {
  Part part;
  part.id = table.text("id");
  table.rename(fmt::format("part `{}`", base::escape_controls(part.id)));
  if (table.accept("use")) return read_used(table, part.id, read_other);
  part.title = table.text("title");
  part.own_devices = table.accept("devices");
  part.devices = part.own_devices ? read_devices(table) : devices;
  part.axis = table.text("axis");
  part.axis_label = table.text("axis_label");
  part.log2 = table.choice_or("scale", kScales, 0) == 1;
  part.values = table.numbers("axis_values");
  if (table.accept("variables")) part.variables = table.variables("variables");
  read_quantity(table, part);
  part.sampled = table.flag_or("sampled", false);
  if (part.sampled &&
      (part.quantity == Quantity::kMetric || part.quantity == Quantity::kL1Clocks)) {
    table.fail("sampled", "a part of a launch has its time only: show times or bandwidths");
  }
  part.columns_are_devices = table.choice_or("columns", kColumns, 0) == 1;

  Kernel defaults;
  const auto name = table.text("file");
  defaults.file = place.file(name);
  defaults.shown_file = place.shown(name);
  defaults.launch = read_launch(table, nullptr);
  defaults.parameters = course::read_parameters(table);
  defaults.bytes = table.optional_expression("bytes");
  std::set<std::string> seen;
  for (auto& given : table.tables("kernel")) {
    part.kernels.push_back(read_kernel(given, place, part.axis, defaults));
    const auto& kernel = part.kernels.back();
    if (!seen.insert(kernel.id).second) {
      given.fail("id", fmt::format("`{}` is there twice", base::escape_controls(kernel.id)));
    }
    const bool needs_bytes =
        part.quantity == Quantity::kBandwidth || part.quantity == Quantity::kFraction;
    if (needs_bytes && !kernel.bytes) {
      given.fail("bytes", "is missing: a bandwidth is bytes over time");
    }
  }
  if (part.kernels.empty()) table.fail("kernel", "there is no [[part.kernel]]");
  if (!part.baseline.empty() && part.baseline != kCopyBaseline &&
      !has_kernel(part, part.baseline)) {
    const auto where = table.where("baseline");
    no_such_kernel(part, fmt::format("{}:{}:{}", where.file, where.line, where.column),
                   part.baseline);
  }
  part.published = read_tables(table, place, "published", part);
  part.best = read_tables(table, place, "best", part);
  for (auto& given : table.tables("curve")) part.curves.push_back(read_curve(given, part));
  if (table.accept("rule")) {
    auto rule = table.table("rule");
    part.rule = BankRule{rule.expression("address"), rule.expression("bytes")};
    rule.finish();
  }
  table.finish();
  check_points(part, table);
  return part;
}

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

static AccessPicture read_access(text::Table& table, const Folder& place) {
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
  if (table.accept("framed")) out.framed = table.count("framed");
  check_keys(table, out);
  table.finish();
  return out;
}

namespace {

namespace fs = std::filesystem;

Picture read_picture(text::Table table) {
  Picture out;
  out.title = table.text("title");
  table.rename(fmt::format("picture `{}`", base::escape_controls(out.title)));
  out.device = read_device(table, "device", table.text("device")).name;
  if (!device::find(out.device).dram.partitions) {
    table.fail("device",
               fmt::format("{} hashes addresses: it has no plain partitions", out.device));
  }
  out.rows = table.count("rows");
  out.columns = table.count("columns");
  out.element_bytes = table.count("element_bytes");
  out.tile = table.count("tile");
  constexpr std::uint32_t kMostTiles = 32;  // per side; more would be illegible
  const auto longer = std::max(out.rows, out.columns);
  if (out.tile == 0 || longer == 0 || longer > kMostTiles * std::uint64_t{out.tile} ||
      out.rows == 0 || out.columns == 0 || out.element_bytes == 0) {
    table.fail("tile", fmt::format("a picture has 1 to {} tiles a side, of elements of at least "
                                   "one byte",
                                   kMostTiles));
  }
  out.tile_row = table.expression("tile_row");
  out.tile_column = table.expression("tile_column");
  const text::Variables block = {{"bx", 0}, {"by", 0}, {"gx", 1}, {"gy", 1}};
  evaluate_count(out.tile_row, block);
  evaluate_count(out.tile_column, block);
  table.finish();
  return out;
}

Study read(const fs::path& file, const std::string& shown, bool may_use) {
  const auto root = base::parse_toml(text::read_file(file, shown), shown);
  text::Table table(root, shown, "study");
  const Folder place{file.parent_path(), shown.substr(0, shown.rfind('/') + 1)};
  Study out;
  out.id = file.stem().string();
  out.title = table.text("title");
  out.summary = table.text("summary");
  const auto devices = read_devices(table);
  ReadOther read_other;
  if (may_use) {
    read_other = [&](const std::string& name) {
      return read(place.file(name), place.shown(name), /*may_use=*/false);
    };
  }
  for (auto& given : table.tables("part")) {
    out.parts.push_back(read_part(given, place, devices, read_other));
  }
  for (auto& given : table.tables("picture")) out.pictures.push_back(read_picture(given));
  for (auto& given : table.tables("access")) out.accesses.push_back(read_access(given, place));
  table.finish();
  if (out.parts.empty() && out.accesses.empty()) {
    base::fail_at(table.where(), "study: there is no [[part]] and no [[access]]");
  }
  return out;
}

}  // namespace

Study read_study(const fs::path& file, const std::string& shown) {
  return read(file, shown, /*may_use=*/true);
}

fs::path find_study(const fs::path& root, const std::string& given) {
  if (given.ends_with(".toml") || given.find('/') != std::string::npos) return given;
  const auto folder = root / "studies";
  std::vector<std::string> names;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder, ignored)) {
    if (entry.path().extension() == ".toml") names.push_back(entry.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  if (std::find(names.begin(), names.end(), given) == names.end()) {
    const std::span<const std::string> all(names);
    if (given.empty()) {
      throw base::UsageError(fmt::format("name a study; there is: {}", text::joined(all)));
    }
    throw base::UsageError(fmt::format("unknown study `{}`{}; studies: {}",
                                       base::escape_controls(given), text::did_you_mean(given, all),
                                       text::joined(all)));
  }
  return folder / (given + ".toml");
}

void choose_device(Study& study, const std::string& name) {
  device::find(name);
  const auto named = [&](const Part& part) {
    return std::any_of(part.devices.begin(), part.devices.end(),
                       [&](const auto& device) { return device.name == name; });
  };
  std::erase_if(study.parts, [&](const Part& part) { return part.own_devices && !named(part); });
  if (study.parts.empty()) {
    throw base::UsageError(
        fmt::format("--device {}: no part of the study `{}` is about it", name, study.id));
  }
  for (auto& part : study.parts) {
    if (named(part)) {
      std::erase_if(part.devices, [&](const auto& device) { return device.name != name; });
    } else {
      part.devices = {{name, false}};
    }
  }
}

}  // namespace warpgrade::grader::study
