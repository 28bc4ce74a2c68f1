// SPDX-License-Identifier: Apache-2.0
#include "grader/cases/case_launch.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>

#include "common/base/error.h"
#include "grader/text/scalars.h"

namespace warpgrade::grader::cases {
namespace {

base::Dim3 extents(const std::array<text::Expression, 3>& expressions,
                   const text::Variables& variables) {
  std::array<std::uint32_t, 3> out{};
  for (std::size_t i = 0; i < 3; ++i) {
    const auto value = evaluate_count(expressions.at(i), variables);
    if (value == 0 || value > std::numeric_limits<std::uint32_t>::max()) {
      throw base::UsageError(fmt::format("{}:{}: an extent of the launch is {}",
                                         expressions.at(i).where.file, expressions.at(i).where.line,
                                         value));
    }
    out.at(i) = static_cast<std::uint32_t>(value);
  }
  return {out[0], out[1], out[2]};
}

// Makes the argument for a parameter or field.
class ArgumentMaker {
 public:
  ArgumentMaker(const std::vector<course::Parameter>& parameters, const text::Variables& variables)
      : buffers_(buffers_of(parameters)), variables_(variables) {}

  run::Argument operator()(const course::BufferParameter& buffer) const {
    return address(buffer.name);
  }
  run::Argument operator()(const course::SameParameter& same) const { return address(same.of); }

  run::Argument operator()(const course::ValueParameter& parameter) const {
    const auto value = evaluate(parameter.value, variables_);
    if (auto bytes = text::encode(parameter.type, value)) return *std::move(bytes);
    const auto& where = parameter.value.where;
    throw base::UsageError(fmt::format("{}:{}:{}: parameter `{}` is {}, which does not fit type {}",
                                       where.file, where.line, where.column, parameter.name, value,
                                       text::name(parameter.type)));
  }

  run::Argument operator()(const course::StructParameter& structure) const {
    const auto layout = layout_of(structure);
    run::StructArgument out{run::ValueArgument(layout.bytes), {}};
    for (std::size_t i = 0; i < structure.fields.size(); ++i) {
      const auto field = std::visit(*this, structure.fields[i]);
      if (const auto* buffer = std::get_if<run::BufferArgument>(&field)) {
        out.pointers.push_back({layout.offsets[i], buffer->index});
      } else {
        const auto& bytes = std::get<run::ValueArgument>(field);
        std::copy(bytes.begin(), bytes.end(), out.bytes.begin() + layout.offsets[i]);
      }
    }
    return out;
  }

 private:
  run::Argument address(const std::string& buffer) const {
    return run::BufferArgument{buffer_called(buffers_, buffer)};
  }

  std::vector<const course::BufferParameter*> buffers_;
  const text::Variables& variables_;
};

}  // namespace

run::Launch make_launch(const std::vector<course::Parameter>& parameters,
                        const course::Geometry& geometry, const std::string& kernel,
                        const text::Variables& variables) {
  std::vector<std::size_t> all(parameters.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  return make_launch(parameters, all, geometry, kernel, variables);
}

run::Launch make_launch(const std::vector<course::Parameter>& parameters,
                        const std::vector<std::size_t>& arguments, const course::Geometry& geometry,
                        const std::string& kernel, const text::Variables& variables) {
  run::Launch out;
  out.kernel = kernel;
  out.grid = extents(geometry.grid, variables);
  out.block = extents(geometry.block, variables);
  out.dynamic_shared_bytes =
      static_cast<std::uint32_t>(evaluate_count(geometry.shared_bytes, variables));
  out.cooperative = geometry.cooperative;
  if (geometry.cluster) out.cluster = extents(*geometry.cluster, variables);
  const ArgumentMaker argument(parameters, variables);
  for (const auto which : arguments) {
    out.arguments.push_back(std::visit(argument, parameters.at(which)));
  }
  return out;
}

}  // namespace warpgrade::grader::cases
