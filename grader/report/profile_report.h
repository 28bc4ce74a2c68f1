// SPDX-License-Identifier: Apache-2.0
// One profiled launch, or a sequence of them, as a plain struct for the renderers of `warpgrade
// profile`, and its text for a terminal.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "common/base/diagnostic.h"
#include "common/compile/program.h"
#include "common/measure/measurement.h"
#include "common/run/launch.h"
#include "grader/report/pictures.h"
#include "grader/report/profile_roofline.h"
#include "grader/text/messages.h"

namespace warpgrade::grader::report {

/// Consecutive equal launches of a sequence.
struct ProfiledStep {
  std::string kernel;
  base::Dim3 grid;
  base::Dim3 block;
  std::uint64_t times = 0;
  double seconds = 0;  ///< Sum over all of them.
};

/// A __constant__ or __device__ variable of the program.
struct ModuleSymbol {
  std::string name;  ///< As in the source, without namespaces.
  bool is_constant = false;
  std::uint64_t bytes = 0;
  std::vector<std::byte> initial;  ///< May be shorter than `bytes`; the rest is zero.
  bool has_addresses = false;      ///< The loader adds addresses to `initial`.
};

/// A compiled kernel before any launch, for programs that check their arguments themselves.
struct KernelFacts {
  struct Parameter {
    std::string name;  ///< Empty if a macro hides it.
    std::uint64_t bytes = 0;
    bool is_float = false;            ///< float or double.
    bool is_number = true;            ///< A number or an address, and no structure.
    std::string type;                 ///< "float const*"; empty if it could not be found out.
    std::uint64_t pointee_bytes = 0;  ///< sizeof what a pointer points to; 0: none, or unknown.
  };

  std::string kernel;  ///< The requested name.
  std::vector<Parameter> parameters;
  compile::Resources resources;
  std::uint32_t most_threads = 0;        ///< Per block, by registers and __launch_bounds__.
  std::uint32_t most_dynamic_bytes = 0;  ///< Shared memory of a block, without the static part.
  std::string architecture;              ///< The architecture of the code: "sm_90".
};

struct ProfileReport {
  std::string kernel;  ///< The requested name.
  std::string device;
  run::Backend backend = run::Backend::kSim;
  std::string file;  ///< The name that is shown.
  std::string source;
  run::Launch launch;  ///< Geometry, of a sequence the first launch's; arguments are not reported.
  std::vector<ProfiledStep> launches;  ///< A sequence's launches.
  compile::Resources resources;        ///< The largest use by a kernel.
  measure::Measurement measurement;    ///< Empty if nothing ran. Its metrics are the card's if
                                       ///< the card was counted.
  /// On the simulator: the range of the true time, by the published error of the model.
  struct Band {
    double low = 0;
    std::optional<double> high;  ///< nullopt: no bound is known.
  };
  std::optional<Band> band;
  std::optional<ProfileRoofline> roofline;  ///< With the card's time if it was measured.
  std::vector<std::string> time_advice;     ///< Sentences about changes of the modelled time.
  measure::GpuCounters simulated;  ///< On a GPU: the simulator's counters, or why it has none.
  double simulated_seconds = 0;    ///< On a GPU: the simulator's time of the same launch.
  std::string counters_missing;    ///< On a GPU: why the card's metrics are missing.
  std::string left_out;            ///< Names the host code that was not compiled.
  std::string compiler_warnings;  ///< "FILE:LINE: MESSAGE" and source lines, as the compiler's log.
  std::string note;               ///< A remark on other orders; empty if they agree.
  std::vector<ModuleSymbol> symbols;          ///< Only on demand.
  std::optional<KernelFacts> facts;           ///< Likewise.
  std::optional<Pictures> pictures;           ///< Likewise.
  std::vector<base::Diagnostic> diagnostics;  ///< From the compiler and from the launch.
  std::vector<base::Diagnostic> warnings;     ///< Diagnostics that are not failures.
};

/// " (9.1 us to 12 us)", for after the time; empty if the time is measured.
std::string band_text(const ProfileReport& report);

// The report of `warpgrade profile` as text for a terminal.

std::string render_text(const ProfileReport& report, const text::Style& style);

}  // namespace warpgrade::grader::report
