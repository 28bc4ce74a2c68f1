// SPDX-License-Identifier: Apache-2.0
#include "common/measure/sequence_counts.h"

#include "common/measure/model_launch.h"

namespace warpgrade::measure {

SequenceCounts::SequenceCounts(const device::Profile& profile, const compile::Program& program,
                               const std::vector<run::Buffer>& buffers, bool is_timed)
    : profile_(profile), program_(program), is_timed_(is_timed), time_(profile) {
  for (const auto& buffer : buffers) executed_.buffer_bytes.push_back(buffer.bytes.size());
}

void SequenceCounts::begin(const run::Launch& launch, run::Options& options) {
  const auto occupancy = occupancy_of(profile_, kernel_of(program_, launch), launch);
  if (!has_begun_) sum_.occupancy = occupancy;
  has_begun_ = true;
  executed_.blocks = base::volume(launch.grid);
  options.observers.push_back(&counters_.emplace(profile_));
  options.multiprocessors = profile_.sm_count;
  options.independent_lanes = profile_.has_independent_lanes();
  if (!is_timed_) return;
  observation_.emplace(profile_, occupancy, launch.grid, program_.machine_code);
  observation_->attach(options);
}

void SequenceCounts::end(const ptx::Function& function, const run::Result& result) {
  totals_ += memory::Totals(*counters_, function, result);
  memory::add_lines(memory::by_line(*counters_, function), sum_.lines);
  memory::add_instructions(memory::instructions_by_line(function, result), sum_.instruction_lines);
  if (is_timed_) {
    sum_.launch_seconds.push_back(
        time_.add(observation_->estimate(*counters_, executed_, result, time_.place())));
  }
  const auto traffic = counters_->traffic();
  sum_.bytes += traffic.bytes_read + traffic.bytes_written;
}

void SequenceCounts::put_into(Measurement& measured) const {
  measured.occupancy = sum_.occupancy;
  measured.metrics = totals_.metrics();
  measured.lines = sum_.lines;
  measured.instruction_lines = sum_.instruction_lines;
  measured.bytes = sum_.bytes;
  measured.launch_seconds = sum_.launch_seconds;
  auto time = time_.total();
  measured.seconds = time.seconds;
  measured.bound_by = time.bound_by;
  measured.shares = std::move(time.shares);
  measured.skew = time.skew;
}

}  // namespace warpgrade::measure
