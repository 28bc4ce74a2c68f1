// SPDX-License-Identifier: Apache-2.0
#include "common/gpu/trial.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "common/gpu/faults.h"
#include "common/run/value_argument.h"

namespace warpgrade::gpu {
namespace {

constexpr unsigned char kWiped = 0xa5;
constexpr std::uint32_t kFingerprintGrid = 1024;
constexpr std::uint32_t kFingerprintBlock = 256;

// Writes the content; what repeats itself is sent once and doubled on the device. All else comes
// from the host each time, as in a student's own program: with inputs copied from other memory of
// the card, kernels with words of 4 bytes were 8 % slower on an H200 (cause unknown), and our copy
// not.
void fill(const Driver& driver, const GuardedMemory& memory, std::span<const std::byte> content,
          std::size_t period) {
  constexpr std::size_t kLeastSent = std::size_t{1} << 20;  // A multiple of every period.
  if (period == 0 || content.size() <= kLeastSent) return memory.write(content);
  DRIVER_CALL(driver, copy_to_device, memory.address(), content.data(), kLeastSent);
  for (std::size_t done = kLeastSent; done < content.size(); done *= 2) {
    DRIVER_CALL(driver, copy_on_device, memory.address() + done, memory.address(),
                std::min(done, content.size() - done), nullptr);
  }
}

Fingerprint fingerprint_on_device(Session& session, const Loaded& loaded, const Allocation& sums,
                                  const GuardedMemory& memory, const FingerprintKey& key) {
  run::Launch launch;
  launch.kernel = kFingerprintKernel;
  launch.grid.x = kFingerprintGrid;
  launch.block.x = kFingerprintBlock;
  launch.arguments = {run::value_argument(sums.address()), run::value_argument(memory.address()),
                      run::value_argument(std::uint64_t{memory.size()}),
                      run::value_argument(key.low), run::value_argument(key.high)};
  Arguments arguments(launch, {});
  const auto& driver = session.driver();
  DRIVER_CALL(driver, fill, sums.address(), 0, sizeof(Fingerprint), nullptr);
  if (!session.launch(loaded, launch, arguments)) {
    throw base::ToolError("the fingerprint kernel did not end");
  }
  Fingerprint found;
  DRIVER_CALL(driver, copy_to_host, &found, sums.address(), sizeof(found));
  return found;
}

// Compares what lies on the device with what must be there; reads it back where it is not so.
void check_buffers(Session& session, const Subject& subject, const Content& content,
                   const DeviceBuffers& memory, const TrialTools& tools, Trial& trial) {
  const auto& kernel = subject.launch.kernel;
  const auto& before = *content.before;
  const auto& driver = session.driver();
  const Loaded loaded(driver, *tools.fingerprint_code, kFingerprintKernel);
  const Allocation sums(driver, sizeof(Fingerprint));
  trial.matches = true;
  for (std::size_t i = 0; i < before.size(); ++i) {
    if (const auto damage = memory[i]->damage(before[i].name)) {
      trial.diagnostics.push_back(damage_diagnostic(kernel, *damage));
    }
    const auto& expected = content.after[i];
    const bool same = expected && *expected == fingerprint_on_device(session, loaded, sums,
                                                                     *memory[i], tools.key);
    trial.matches = trial.matches && same;
    if (same || !before[i].read_only) continue;
    std::vector<std::byte> found(before[i].bytes.size());
    memory[i]->read(found);
    if (found != before[i].bytes) {
      trial.diagnostics.push_back(input_diagnostic(kernel, before[i], found));
    }
  }
  if (trial.matches) return;
  for (std::size_t i = 0; i < before.size(); ++i) {
    auto& found = trial.buffers.emplace_back();
    found.name = before[i].name;
    found.read_only = before[i].read_only;
    if (found.read_only) continue;
    found.bytes.resize(before[i].bytes.size());
    memory[i]->read(found.bytes);
  }
}

// Every multiprocessor's shared memory. The launch takes nearly all of L1's memory, without which a
// transpose is 3 % slower (tests/golden/h200_further); a second one, which asks for no shared
// memory, gives it back, since the driver may leave it so for the next kernel.
void wipe_shared(Session& session, const TrialTools& tools) {
  const auto bytes = static_cast<std::uint32_t>(session.attribute(kMaxSharedPerBlock));
  run::Launch launch;
  launch.kernel = kOverwriteSharedKernel;
  launch.grid.x = 2 * static_cast<std::uint32_t>(session.attribute(kMultiprocessors));
  launch.block.x = kFingerprintBlock;
  launch.dynamic_shared_bytes = bytes;
  launch.arguments = {run::value_argument(std::uint64_t{bytes})};
  Arguments arguments(launch, {});
  const auto& driver = session.driver();
  const Loaded loaded(driver, *tools.fingerprint_code, kOverwriteSharedKernel);
  bool ended = session.launch(loaded, launch, arguments).has_value();
  launch.dynamic_shared_bytes = 0;
  launch.arguments = {run::value_argument(std::uint64_t{0})};
  Arguments none(launch, {});
  DRIVER_CALL(driver, function_set_attribute, loaded.function(), kFunctionSharedCarveout, 0);
  ended = ended && session.launch(loaded, launch, none).has_value();
  if (!ended) throw base::ToolError("the kernel that overwrites shared memory did not end");
}

void wipe(const Driver& driver, const DeviceBuffers& memory) {
  for (const auto& buffer : memory) {
    DRIVER_CALL(driver, fill, buffer->address() - kGuardBytes, kWiped,
                buffer->size() + 2 * kGuardBytes, nullptr);
  }
}

}  // namespace

bool can_keep_state(std::string_view ptx) {
  return ptx.find("malloc") != std::string_view::npos ||
         ptx.find(".local") != std::string_view::npos ||
         ptx.find("alloca") != std::string_view::npos;
}

std::size_t period_of(std::span<const std::byte> bytes) {
  for (const std::size_t period : {std::size_t{8}, std::size_t{1} << 20}) {
    if (bytes.size() <= period) return 0;
    const auto rest = bytes.size() - period;
    if (std::memcmp(bytes.data(), bytes.data() + period, rest) == 0) return period;
  }
  return 0;
}

Trial run_trial(Session& session, const Subject& subject, std::size_t content_index,
                std::uint64_t spacer_bytes, const TrialTools& tools) {
  session.check_geometry(subject.launch);
  const auto& content = subject.contents.at(content_index);
  const auto& driver = session.driver();
  Trial trial;
  try {
    const Allocation spacer(driver, std::max<std::uint64_t>(spacer_bytes, 1));
    DeviceBuffers memory;
    for (std::size_t i = 0; i < content.before->size(); ++i) {
      const auto& bytes = (*content.before)[i].bytes;
      memory.push_back(std::make_unique<GuardedMemory>(driver, bytes.size()));
      fill(driver, *memory.back(), bytes, content.periods.at(i));
    }
    Arguments arguments(subject.launch, memory);
    {
      const Loaded loaded(driver, *subject.machine_code, subject.launch.kernel);
      session.flush_l2();
      const auto timing = session.launch(loaded, subject.launch, arguments);
      if (!timing) {
        trial.diagnostics.push_back(runaway(subject.launch.kernel, session.limit()));
        trial.device_lost = true;
        return trial;
      }
      trial.timing = *timing;
    }
    if (tools.monitor != nullptr) trial.conditions = tools.monitor->conditions();
    check_buffers(session, subject, content, memory, tools, trial);
    wipe(driver, memory);
    wipe_shared(session, tools);
    DRIVER_CALL(driver, fill, spacer.address(), kWiped, std::max<std::uint64_t>(spacer_bytes, 1),
                nullptr);
  } catch (const DriverError& error) {
    const auto fault = kernel_fault(error.status(), subject.launch.kernel);
    if (!fault) throw;
    trial.diagnostics.push_back(*fault);
    trial.device_lost = true;
  }
  return trial;
}

std::string contradiction(const Timing& timing) {
  // Events are exact to about half a microsecond; the host's clock can be slewed a little.
  if (timing.seconds <= timing.host_seconds * 1.01 + 2e-6) return {};
  return fmt::format(
      "the device says that a launch took {:.3g} s, but the host waited for it for {:.3g} s only: "
      "one of the two clocks is wrong, so nothing can be measured here",
      timing.seconds, timing.host_seconds);
}

bool is_disturbed(const Timing& timing) {
  // Within the window are L2's flush, a poll or two and the kernel; 5 ms is far above all of them.
  constexpr double kUsual = 5e-3;
  return timing.host_seconds - timing.seconds > kUsual + timing.seconds;
}

}  // namespace warpgrade::gpu
