// SPDX-License-Identifier: Apache-2.0
#include "grader/grade/explain/failing_thread.h"

#include <fmt/format.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "common/base/error.h"
#include "common/run/launch_limits.h"
#include "common/sim/simulator.h"

namespace warpgrade::grader::grade {
namespace {

// Work of the further run: a second or two.
constexpr std::uint64_t kSearchWork = std::uint64_t{1} << 28;

// A thread of a launch by its place.
struct ThreadPlace {
  std::uint64_t block = 0;
  std::uint64_t thread = 0;

  friend bool operator==(const ThreadPlace&, const ThreadPlace&) = default;
};

// Bytes of a buffer of the launch.
struct BufferBytes {
  std::size_t buffer = 0;
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;
};

// Records the last writer of some bytes, and each thread's printed text. For one host thread.
class WriterAndPrints final : public run::Observer {
 public:
  struct Print {
    ThreadPlace by;
    std::string text;
  };

  explicit WriterAndPrints(const BufferBytes& wanted) : wanted_(wanted) {}

  std::unique_ptr<run::Observer> fork() const override {
    return std::make_unique<WriterAndPrints>(wanted_);
  }
  void join(run::Observer& other) override {
    auto& fork = static_cast<WriterAndPrints&>(other);
    writer = fork.writer;
    prints = std::move(fork.prints);
  }
  void on_launch(const run::LaunchContext& context) override {
    begin_ = context.buffer_addresses->at(wanted_.buffer) + wanted_.offset;
  }
  void on_block_begin(std::uint64_t linear_block) override { block_ = linear_block; }
  void on_memory(const run::MemoryEvent& event) override {
    if (event.space != run::Space::kGlobal || event.operation == run::Operation::kLoad) return;
    for (std::uint32_t lane = 0; lane < run::kWarpSize; ++lane) {
      if ((event.mask >> lane & 1U) == 0) continue;
      const auto address = event.address[lane];
      if (address < begin_ + wanted_.bytes && begin_ < address + event.bytes) {
        writer = place(event.warp, lane);
      }
    }
  }
  void on_print(const run::PrintEvent& event) override {
    if (printed_ > run::kPrintedBytes) return;
    printed_ += event.text.size();
    prints.push_back({place(event.warp, event.lane), std::string(event.text)});
  }

  std::optional<ThreadPlace> writer;
  std::vector<Print> prints;

 private:
  ThreadPlace place(std::uint32_t warp, std::uint32_t lane) const {
    return {block_, std::uint64_t{warp} * run::kWarpSize + lane};
  }

  BufferBytes wanted_;
  std::uint64_t begin_ = 0;
  std::uint64_t block_ = 0;
  std::size_t printed_ = 0;
};

// The bytes of the element that differs; nullopt if the difference is not a single element.
std::optional<BufferBytes> wrong_bytes(const cases::SizedCase& sized,
                                       const verify::OutputDifference& difference) {
  const auto name = difference.element.substr(0, difference.element.find('['));
  const auto* buffer = sized.buffer_called(name);
  if (buffer == nullptr || difference.indices.empty()) return std::nullopt;
  std::uint64_t element = difference.indices.front();
  if (difference.indices.size() > 1) element = element * buffer->columns + difference.indices[1];
  const auto size = verify::size_of(buffer->type);
  const auto index = static_cast<std::size_t>(buffer - sized.buffers.data());
  return BufferBytes{index, element * size, size};
}

// Adds the text that `run` prints in a repeated run.
void enter(const Plan& plan, const CaseRun& run, const verify::OutputDifference& difference,
           Findings& found) {
  const auto& sized = *run.place.sized;
  const auto launches = launches_of(run.place, sized);
  const auto bytes = wrong_bytes(sized, difference);
  if (!launches.is_one_launch() || !bytes) return;
  auto buffers = plan.services.simulator.reference->before(sized, plan.variant_of(*run.place.item));
  WriterAndPrints notes(*bytes);
  run::Options options;
  options.threads = 1;
  options.launch_budget = kSearchWork;
  options.block_budget = kSearchWork;
  options.observers = {&notes};
  sim::Simulator simulator;
  simulator.load(*run.place.program);
  simulator.launch(launches.first(), buffers, options);
  if (!notes.writer) return;
  std::string own;
  std::string others;
  for (const auto& print : notes.prints) (print.by == *notes.writer ? own : others) += print.text;
  if (own.empty()) return;
  const auto& launch = launches.first();
  found.printed_thread =
      fmt::format("thread {} of block {}, which writes {}",
                  base::text(base::index_at(notes.writer->thread, launch.block)),
                  base::text(base::index_at(notes.writer->block, launch.grid)), difference.element);
  found.printed_first = std::move(own);
  found.printed = std::move(others);
}

}  // namespace

void put_failing_thread_first(const Plan& plan, const std::vector<CaseRun>& runs, Findings& found) {
  if (found.printed.empty()) return;
  for (const auto& run : runs) {
    const auto* wrong = std::get_if<WrongResult>(&run.outcome.ending);
    if (wrong == nullptr || run.place.target->is_gpu() || run.place.item->sampled ||
        run.place.item->name != found.printed_case) {
      continue;
    }
    try {
      enter(plan, run, wrong->difference, found);
    } catch (const base::ToolError&) {  // Keep the text as printed.
    }
    return;
  }
}

}  // namespace warpgrade::grader::grade
