// SPDX-License-Identifier: Apache-2.0
// A picture of accesses: records which thread touches which word of a memory, and draws a cell
// for each word. The thread gives the cell its colour and label.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "common/device/profile.h"
#include "common/run/observer.h"
#include "grader/study/canvas.h"
#include "grader/study/study.h"

namespace warpgrade::grader::study {

// Records which thread touches which word: a kernel's accesses to one memory, cell by cell.
//
// An observer keeps each access of a warp to the memory of the picture.

/// One access of a warp; addresses count from the first byte of the memory.
struct RecordedAccess {
  std::uint64_t block = 0;
  std::uint32_t warp = 0;
  std::uint32_t step = 0;  ///< Number among its warp's accesses to this memory, from 0.
  std::uint32_t mask = 0;
  std::uint32_t bytes = 0;
  std::array<std::uint64_t, run::kWarpSize> address{};
};

/// The access that a cell shows.
struct Touch {
  std::uint64_t block = 0;
  std::uint32_t thread = 0;  ///< Index in its block.
  std::uint32_t step = 0;
  std::uint32_t bank = 0;  ///< Shared memory's.
  bool framed = false;

  std::uint64_t value(AccessKey key) const;
};

struct AccessResult {
  const AccessPicture* picture = nullptr;
  std::vector<std::optional<Touch>> cells;  ///< Row by row; nullopt for cells without an access.
  std::uint32_t framed_wavefronts = 0;      ///< Shared memory's, by the device's rule.
};

class AccessRecorder final : public run::Observer {
 public:
  explicit AccessRecorder(const AccessPicture& picture) : picture_(picture) {}

  std::unique_ptr<run::Observer> fork() const override;
  void join(run::Observer& other) override;
  void on_launch(const run::LaunchContext& context) override;
  void on_block_begin(std::uint64_t linear_block) override;
  void on_memory(const run::MemoryEvent& event) override;

  /// In the order of blocks, and within a block in order of execution.
  const std::vector<RecordedAccess>& accesses() const { return accesses_; }

 private:
  const AccessPicture& picture_;
  std::uint64_t first_ = 0;  ///< Addresses of the memory's first byte and of its end.
  std::uint64_t end_ = 0;
  std::uint64_t block_ = 0;
  std::vector<std::uint32_t> steps_;  ///< One per warp of the block.
  std::vector<RecordedAccess> accesses_;
};

/// The cells of `picture` on `profile`. Throws base::UsageError if the framed access does not
/// exist.
AccessResult cells_of(const AccessPicture& picture, const device::Profile& profile,
                      const std::vector<RecordedAccess>& accesses);

// An access picture to look at: a cell for each word, coloured and labelled by the thread that
// touches it; on a terminal the same labels as a grid.

/// The title, and the cost of the framed access.
std::string access_title(const AccessResult& result);

/// One picture to draw; `name` is for its data block.
Panel access_panel(const AccessResult& result, const std::string& name);

/// Title, meaning of the labels, and the cells.
std::string access_text(const AccessResult& result);

}  // namespace warpgrade::grader::study
