// SPDX-License-Identifier: Apache-2.0
#include "grader/grade/explain/pictured_line.h"

#include <utility>

#include "grader/grade/explain/request_cost.h"

namespace warpgrade::grader::grade {
namespace {

// Gives a shared array the rows and columns of its declaration in `arrays`. Arrays whose size the
// launch sets, and one-dimensional ones, have one row.
void shape_as_declared(const std::vector<cases::DeclaredArray>& arrays,
                       report::PicturedLine& line) {
  const auto& memory = line.line.memory;
  const auto* array = array_called(arrays, memory.name);
  if (line.line.operation.space != run::Space::kShared || array == nullptr) return;
  const auto& extents = array->extents;
  const bool is_known = extents.empty() || array->bytes() == memory.bytes;
  if (!array->is_shared || extents.size() > 2 || !is_known) return;
  line.element_bytes = array->element_bytes;
  line.rows = extents.size() == 2 ? extents.front() : 1;
  line.columns = extents.empty() ? memory.bytes / array->element_bytes : extents.back();
}

}  // namespace

report::PicturedDevice pictured_device(const device::Profile& profile) {
  return {std::string(profile.name), std::string(profile.product),
          memory::bank_count(profile.rules.shared_banks),
          memory::bank_bytes(profile.rules.shared_banks)};
}

report::PicturedLine pictured_line(memory::TracedLine traced, const base::Dim3& grid,
                                   const std::vector<report::PicturedDevice>& devices,
                                   const std::vector<cases::DeclaredArray>& arrays) {
  report::PicturedLine out;
  out.element_bytes = traced.bytes;
  for (const auto& request : std::exchange(traced.requests, {})) {
    auto& made = out.requests.emplace_back();
    made.traced = request;
    made.block = base::index_at(request.block, grid);
    for (const auto& device : devices) {
      made.costs.push_back(cost_of(device::find(device.name), traced, request));
    }
  }
  out.line = std::move(traced);
  shape_as_declared(arrays, out);
  return out;
}

}  // namespace warpgrade::grader::grade
