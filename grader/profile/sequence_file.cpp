// SPDX-License-Identifier: Apache-2.0
#include "grader/profile/sequence_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "common/base/error.h"
#include "common/base/text.h"
#include "grader/course/sequence_reader.h"
#include "grader/text/files.h"

namespace warpgrade::grader::profile {
namespace {

void check_name(const text::Table& table, const std::string& name, std::set<std::string>& seen) {
  if (!seen.insert(name).second) {
    table.fail("name", fmt::format("`{}` is there twice", base::escape_controls(name)));
  }
}

// A buffer as the readers of launches know it.
course::BufferParameter read_buffer(text::Table table, std::set<std::string>& seen,
                                    SequenceFile& out) {
  const auto name = table.text("name");
  check_name(table, name, seen);
  try {
    out.buffers.push_back(parse_argument(table.text("spec")));
  } catch (const base::TomlError&) {
    throw;
  } catch (const base::UsageError& error) {
    table.fail("spec", error.what());
  }
  const auto* buffer = std::get_if<BufferSpec>(&out.buffers.back().value);
  if (buffer == nullptr)
    table.fail("spec", "is not a buffer (in:..., inout:..., out:...); numbers are [[value]]");
  table.finish();
  course::BufferParameter parameter{name,
                                    buffer->type,
                                    {std::to_string(buffer->count), table.where()},
                                    {"1", table.where()},
                                    verify::Fill{},
                                    course::NotCompared{}};
  if (!buffer->is_input) parameter.comparison = course::EqualBits{};
  return parameter;
}

course::ValueParameter read_number(text::Table& table, const std::string& name) {
  const auto given = table.text("type");
  const bool is_bool = given == "bool";
  const auto type = verify::element_type(is_bool ? "u8" : given);
  if (!type) table.fail("type", "must be one of bool i8 u8 i16 u16 i32 u32 i64 u64 f16 f32 f64");
  return {name, *type, is_bool, table.expression("value")};
}

course::ValueParameter read_value(text::Table table, std::set<std::string>& seen) {
  const auto name = table.text("name");
  check_name(table, name, seen);
  auto out = read_number(table, name);
  table.finish();
  return out;
}

course::Field read_member(text::Table& table, const std::string& structure,
                          std::set<std::string>& seen) {
  const auto name = table.text("name");
  check_name(table, name, seen);
  const auto full_name = structure + '.' + name;
  if (table.may_have("buffer")) {
    return course::SameParameter{full_name, table.text("buffer"), table.where("buffer")};
  }
  if (table.may_have("type")) return read_number(table, full_name);
  table.fail("name", "is neither a number (`type`, `value`) nor an address (`buffer`)");
}

course::StructParameter read_structure(text::Table table, std::set<std::string>& seen) {
  course::StructParameter out{table.text("name"), {}};
  check_name(table, out.name, seen);
  std::set<std::string> names;
  for (auto& field : table.tables("field")) {
    out.fields.push_back(read_member(field, out.name, names));
    field.finish();
  }
  if (out.fields.empty()) table.fail("name", "has no [[struct.field]]");
  table.finish();
  return out;
}

}  // namespace

std::vector<std::string> SequenceFile::kernels() const {
  std::vector<std::string> out;
  for (const auto& step : exercise.steps) {
    auto name = course::kernel_name(step.kernel, variables);
    if (std::find(out.begin(), out.end(), name) == out.end()) out.push_back(std::move(name));
  }
  return out;
}

SequenceFile read_sequence_file(const std::filesystem::path& file) {
  const auto shown = file.string();
  const auto root = base::parse_toml(text::read_file(file, shown), shown);
  text::Table table(root, shown, "sequence");
  SequenceFile out;
  if (table.may_have("variables")) out.variables = table.variables("variables");
  std::set<std::string> seen;
  auto& parameters = out.exercise.parameters;
  for (auto& buffer : table.tables("buffer")) parameters.push_back(read_buffer(buffer, seen, out));
  for (auto& value : table.tables("value")) parameters.push_back(read_value(value, seen));
  for (auto& each : table.tables("struct")) parameters.push_back(read_structure(each, seen));
  read_steps(table, out.exercise);
  table.finish();
  const text::Expression one{"1", table.where()};
  out.exercise.reference_launch = {{one, one, one}, {one, one, one}, {"0", table.where()}};
  for (const auto* name : {"step", "round"}) {
    if (!out.variables.contains(name)) continue;
    table.fail("variables", fmt::format("`{}` counts launches; give it another name", name));
  }
  check_launches(out.exercise, out.variables, kMostBufferBytes);
  try {
    out.kernels();
  } catch (const base::UsageError& error) {
    table.fail("launch", error.what());
  }
  return out;
}

}  // namespace warpgrade::grader::profile
