// SPDX-License-Identifier: Apache-2.0
// The bytes of global memory that an access touches, in the form that is cheapest to count.
#pragma once

#include <optional>

#include "common/memory/lines.h"
#include "common/run/observer.h"

namespace warpgrade::memory {

class Places {
 public:
  /// Calls `use` with a Range, an Apart or Lines.
  template <typename Use>
  void visit(const run::MemoryEvent& event, Use use) {
    if (event.stride == event.bytes) return use(Range{event.address[0], kLanes * event.bytes});
    const Request request{event.address, event.mask, event.bytes};
    if (const auto apart = event.stride != run::kIrregular ? as_apart(request, event.stride)
                                                           : as_apart(request, filter_)) {
      return use(*apart);
    }
    gather(request, lines_);
    use(lines_);
  }

 private:
  KeyFilter filter_;
  Lines lines_;
};

}  // namespace warpgrade::memory
