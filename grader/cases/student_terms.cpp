// SPDX-License-Identifier: Apache-2.0
#include "grader/cases/student_terms.h"

#include <algorithm>

#include "common/base/text.h"
#include "common/compile/tokens.h"

namespace warpgrade::grader::cases {
namespace {

using Memory = base::Place::Memory;

void add_shape(base::Place& place, const std::vector<SizedBuffer>& buffers) {
  const auto buffer = std::find_if(buffers.begin(), buffers.end(),
                                   [&](const auto& one) { return one.name == place.array; });
  if (buffer == buffers.end() || !buffer->is_matrix || buffer->columns == 0) return;
  place.shape = base::ArrayShape{place.element_bytes, {buffer->rows, buffer->columns}};
}

// A declaration of another size belongs to another array.
void add_shape(base::Place& place, const std::vector<DeclaredArray>& arrays) {
  const auto* array = array_called(arrays, place.array);
  if (array == nullptr || array->is_shared != (place.memory == Memory::kShared)) return;
  const bool has_size = !array->extents.empty() && place.array_bytes != 0;
  if (has_size && array->bytes() != place.array_bytes) return;
  place.shape = array->shape();
}

// The array without __shared__ that line `number` uses. nullptr if not found, or if the file
// has no barrier and thus probably shares no array.
const DeclaredArray* own_array_in(std::string_view source, std::uint32_t number,
                                  const std::vector<DeclaredArray>& arrays) {
  if (source.find("__syncthreads") == std::string_view::npos) return nullptr;
  const auto line = base::line_of(source, number);
  for (const auto& token : compile::tokens_of(line)) {
    const auto* array = array_called(arrays, line.substr(token.begin, token.end - token.begin));
    if (array != nullptr && !array->is_shared) return array;
  }
  return nullptr;
}

}  // namespace

void add_shapes(base::Diagnostic& diagnostic, const std::vector<SizedBuffer>& buffers,
                const std::vector<DeclaredArray>& arrays, std::string_view source) {
  if (auto* place = base::place_of(diagnostic.facts); place != nullptr) {
    if (place->memory == Memory::kBuffer) {
      add_shape(*place, buffers);
    } else {
      add_shape(*place, arrays);
    }
  }
  if (auto* read = std::get_if<base::UnwrittenLocal>(&diagnostic.facts); read != nullptr) {
    const auto* array = own_array_in(source, diagnostic.where.line, arrays);
    if (array != nullptr) read->array = {array->name, array->line};
  }
}

void point_at_array(base::Diagnostic& diagnostic, const std::vector<DeclaredArray>& arrays) {
  auto* kernel = std::get_if<base::SharedTooLarge>(&diagnostic.facts);
  if (kernel == nullptr) return;
  const DeclaredArray* largest = nullptr;
  for (const auto& array : arrays) {
    if (array.extents.empty()) continue;
    const bool is_larger = largest == nullptr || array.bytes() > largest->bytes();
    if (array.is_shared && is_larger) largest = &array;
  }
  if (largest == nullptr) return;
  diagnostic.where.line = largest->line;
  diagnostic.where.column = 0;
  kernel->largest = {largest->name, largest->extents, largest->bytes()};
}

}  // namespace warpgrade::grader::cases
