// SPDX-License-Identifier: Apache-2.0
#include "grader/study/access_record.h"

#include <fmt/format.h>

#include <bit>

#include "common/base/error.h"
#include "common/base/text.h"
#include "common/memory/bank_words.h"
#include "common/memory/shared_banks.h"

namespace warpgrade::grader::study {
namespace {

void touch(AccessResult& out, const device::Profile& profile, const RecordedAccess& access,
           bool framed) {
  const auto& picture = *out.picture;
  for (std::uint32_t left = access.mask; left != 0; left &= left - 1) {
    const auto lane = static_cast<std::uint32_t>(std::countr_zero(left));
    const auto first = access.address.at(lane) / picture.element_bytes;
    const auto last = (access.address.at(lane) + access.bytes - 1) / picture.element_bytes;
    for (auto cell = first; cell <= last && cell < out.cells.size(); ++cell) {
      auto& known = out.cells[cell];
      if (!known) {
        const auto rule = profile.rules.shared_banks;
        const auto word = cell * picture.element_bytes / memory::bank_bytes(rule);
        const auto bank = word % memory::bank_count(rule);
        known = {access.block, access.warp * run::kWarpSize + lane, access.step,
                 static_cast<std::uint32_t>(bank), false};
      }
      known->framed |= framed;
    }
  }
}

}  // namespace

std::uint64_t Touch::value(AccessKey key) const {
  switch (key) {
    case AccessKey::kThread:
      return thread;
    case AccessKey::kBlock:
      return block;
    case AccessKey::kStep:
      return step + 1;
    case AccessKey::kBank:
      return bank;
  }
  return 0;
}

std::unique_ptr<run::Observer> AccessRecorder::fork() const {
  return std::make_unique<AccessRecorder>(picture_);
}

void AccessRecorder::join(run::Observer& other) {
  const auto& more = static_cast<AccessRecorder&>(other).accesses_;
  accesses_.insert(accesses_.end(), more.begin(), more.end());
}

void AccessRecorder::on_launch(const run::LaunchContext& context) {
  steps_.resize(context.warps_per_block);
  first_ = 0;
  end_ = context.shared_bytes;
  const auto& buffers = *context.buffers;
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    if (picture_.memory.empty() || buffers[i].name != picture_.memory) continue;
    first_ = (*context.buffer_addresses)[i];
    end_ = first_ + buffers[i].bytes.size();
  }
}

void AccessRecorder::on_block_begin(std::uint64_t linear_block) {
  block_ = linear_block;
  steps_.assign(steps_.size(), 0);
}

void AccessRecorder::on_memory(const run::MemoryEvent& event) {
  const auto space = picture_.memory.empty() ? run::Space::kShared : run::Space::kGlobal;
  const auto operation = picture_.of_stores ? run::Operation::kStore : run::Operation::kLoad;
  if (event.space != space || event.operation != operation) return;
  const auto leader = event.address[std::countr_zero(event.mask)];
  if (leader < first_ || leader >= end_) return;
  RecordedAccess access{block_, event.warp, steps_.at(event.warp)++, event.mask, event.bytes, {}};
  for (std::uint32_t left = event.mask; left != 0; left &= left - 1) {
    const auto lane = static_cast<std::size_t>(std::countr_zero(left));
    access.address.at(lane) = event.address[lane] - first_;
  }
  accesses_.push_back(access);
}

AccessResult cells_of(const AccessPicture& picture, const device::Profile& profile,
                      const std::vector<RecordedAccess>& accesses) {
  AccessResult out;
  out.picture = &picture;
  out.cells.resize(std::size_t{picture.rows} * picture.columns);
  for (std::size_t i = 0; i < accesses.size(); ++i) {
    touch(out, profile, accesses[i], picture.framed == i);
  }
  if (!picture.framed) return out;
  if (*picture.framed >= accesses.size()) {
    throw base::UsageError(
        fmt::format("access `{}`: cannot frame access {}: the kernel "
                    "makes {}",
                    base::escape_controls(picture.title), *picture.framed, accesses.size()));
  }
  const auto& access = accesses[*picture.framed];
  if (picture.memory.empty()) {
    const auto use = picture.of_stores ? memory::SharedUse::kStore : memory::SharedUse::kLoad;
    const memory::Request request{access.address.data(), access.mask, access.bytes};
    out.framed_wavefronts =
        memory::shared_access(profile.rules.shared_banks, request, use).wavefronts;
  }
  return out;
}

}  // namespace warpgrade::grader::study
