// SPDX-License-Identifier: Apache-2.0
// One timed launch, from fresh memory to a checked result; runs in the process that has the device.
//
// Each trial takes memory of its own, at another place than the one before, and fills it from the
// host; the kernel's module is loaded for it alone. L2 is flushed outside of the timed window. What
// is timed is what is checked: after the launch, guards, inputs and outputs of that launch are
// compared, the latter two by fingerprints that a kernel of ours takes, whose module is loaded when
// the timed one is gone, so that it cannot have been tampered with. Expected values are not on the
// device; of their fingerprints no expected value can be made. At the end all that the kernel could
// have written is overwritten, shared memory included, so that a later launch finds nothing left of
// it; what a kernel can keep elsewhere only a new context takes away (see can_keep_state()).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/base/diagnostic.h"
#include "common/gpu/fingerprint.h"
#include "common/gpu/nvml.h"
#include "common/gpu/session.h"
#include "common/run/launch.h"

namespace warpgrade::gpu {

/// What buffers hold before a launch, and what they must hold after it.
struct Content {
  const std::vector<run::Buffer>* before = nullptr;
  /// One a buffer: bytes after which its content repeats itself (see period_of()); 0: it does not.
  std::vector<std::size_t> periods;
  /// One a buffer; nothing where the buffer must be read back and judged by its values.
  std::vector<std::optional<Fingerprint>> after;
};

/// The least of 8 bytes and 1 MiB after which `bytes` repeat themselves to their end, as poison and
/// the copy's content do; 0 where they do not. Such a content need not be sent to the device whole.
std::size_t period_of(std::span<const std::byte> bytes);

/// Whether a later launch in the same context may find something that a kernel of this PTX has
/// left: in the heap, or in the local memory of its threads.
bool can_keep_state(std::string_view ptx);

/// A kernel that is timed, with contents that are taken in turn.
struct Subject {
  const std::vector<char>* machine_code = nullptr;
  run::Launch launch;
  std::vector<Content> contents;
};

struct Trial {
  std::vector<base::Diagnostic> diagnostics;
  Timing timing;
  bool matches = false;              ///< Every buffer is as its fingerprint says.
  std::vector<run::Buffer> buffers;  ///< Where not: what they hold; inputs are left empty.
  std::string printed;
  Conditions conditions;     ///< Right after the launch.
  bool device_lost = false;  ///< The process can use the device no more.
};

struct TrialTools {
  const std::vector<char>* fingerprint_code = nullptr;
  FingerprintKey key;
  const Monitor* monitor = nullptr;
};

/// `spacer_bytes` of memory are taken before the buffers, so that they lie elsewhere.
Trial run_trial(Session& session, const Subject& subject, std::size_t content,
                std::uint64_t spacer_bytes, const TrialTools& tools);

/// Why the two clocks of `timing` cannot both be right, in words; empty where they can: the device
/// cannot have been busy for longer than the host waited for it.
std::string contradiction(const Timing& timing);

/// Whether the host waited for so much longer than the device was busy that something else has run
/// in between.
bool is_disturbed(const Timing& timing);

}  // namespace warpgrade::gpu
