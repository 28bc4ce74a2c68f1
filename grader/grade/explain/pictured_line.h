// SPDX-License-Identifier: Apache-2.0
// Traced requests of a source line with their costs, as a picture shows them.
#pragma once

#include <vector>

#include "common/base/dim3.h"
#include "common/device/profile.h"
#include "common/memory/access_trace.h"
#include "grader/cases/declared_arrays.h"
#include "grader/report/pictures.h"

namespace warpgrade::grader::grade {

report::PicturedDevice pictured_device(const device::Profile& profile);

/// The requests of `traced` with a cost per device. Shared arrays have the shape of their
/// declaration in `arrays`; other memory has none.
report::PicturedLine pictured_line(memory::TracedLine traced, const base::Dim3& grid,
                                   const std::vector<report::PicturedDevice>& devices,
                                   const std::vector<cases::DeclaredArray>& arrays);

}  // namespace warpgrade::grader::grade
