// SPDX-License-Identifier: Apache-2.0
// Explains a wrong result: the map of wrong elements, the thread that writes the first one, and
// the first step to take.
// In: the outcome of the wrong case, and its expected values. Out: a map with a text if its
// elements form a simple pattern, that thread's printed output, and advice.
// To find the thread, the case runs once more; nothing runs if nothing was printed. The thread is
// unknown for a sequence of launches, and for a sum of elements. None of this affects the grade.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "common/base/error.h"
#include "common/base/text.h"
#include "common/run/launch.h"
#include "common/sim/simulator.h"
#include "common/verify/element.h"
#include "grader/cases/reference.h"
#include "grader/cases/sized_case.h"
#include "grader/grade/explain/explanation.h"
#include "grader/grade/plan/plan.h"
#include "grader/report/pictures.h"

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

// Adds the text that `planned` prints in a repeated run.
void enter(const Plan& plan, const PlannedCase& planned, const verify::OutputDifference& difference,
           report::ExerciseReport& report) {
  const auto& sized = *planned.sized;
  const auto launches = launches_of(planned, sized);
  const auto bytes = wrong_bytes(sized, difference);
  if (!launches.is_one_launch() || !bytes) return;
  auto buffers = plan.services.simulator.reference->before(sized, planned.variant);
  WriterAndPrints notes(*bytes);
  run::Options options;
  options.threads = 1;
  options.launch_budget = kSearchWork;
  options.block_budget = kSearchWork;
  options.observers = {&notes};
  sim::Simulator simulator;
  simulator.load(*planned.program);
  simulator.launch(launches.first(), buffers, options);
  if (!notes.writer) return;
  std::string own;
  std::string others;
  for (const auto& print : notes.prints) (print.by == *notes.writer ? own : others) += print.text;
  if (own.empty()) return;
  const auto& launch = launches.first();
  report.printed_thread =
      fmt::format("thread {} of block {}, which writes {}",
                  base::text(base::index_at(notes.writer->thread, launch.block)),
                  base::text(base::index_at(notes.writer->block, launch.grid)), difference.element);
  report.printed_first = std::move(own);
  report.printed = std::move(others);
}

}  // namespace

void put_failing_thread_first(const Plan& plan, const std::vector<PlannedCase>& cases,
                              report::ExerciseReport& report) {
  if (report.printed.empty()) return;
  for (const auto& planned : cases) {
    const auto* wrong =
        planned.outcome ? std::get_if<WrongResult>(&planned.outcome->ending) : nullptr;
    if (wrong == nullptr || planned.target->is_gpu() || planned.item->sampled ||
        planned.item->name != report.printed_case) {
      continue;
    }
    try {
      enter(plan, planned, wrong->difference, report);
    } catch (const base::ToolError&) {  // Keep the text as printed.
    }
    return;
  }
}

namespace {

constexpr std::uint64_t kMostCells = 64;  // In a row, and rows.
constexpr std::size_t kMostRanges = 2;    // In the text; more are not a pattern.
constexpr std::uint64_t kTile = 32;

bool is_right_element(const cases::SizedBuffer& buffer, const std::byte* expected,
                      const std::byte* got) {
  if (verify::is_float(buffer.type)) {
    return verify::is_within(buffer.type, expected, got, buffer.tolerance());
  }
  return std::memcmp(expected, got, verify::size_of(buffer.type)) == 0;
}

// "8 to 31", "0, 2 and 5 to 7"; nullopt if there are too many ranges.
std::optional<std::string> ranges(const std::vector<bool>& is_set) {
  std::vector<std::string> all;
  for (std::size_t begin = 0; begin < is_set.size(); ++begin) {
    if (!is_set[begin]) continue;
    auto end = begin;
    while (end + 1 < is_set.size() && is_set[end + 1]) ++end;
    all.push_back(begin == end ? fmt::format("{}", begin) : fmt::format("{} to {}", begin, end));
    begin = end;
  }
  if (all.size() > kMostRanges) return std::nullopt;
  std::string out;
  for (std::size_t i = 0; i < all.size(); ++i) {
    out += (i == 0 ? "" : i + 1 == all.size() ? " and " : ", ") + all[i];
  }
  return out;
}

// "rows 8 to 31" if whole rows are set; likewise columns, or both together.
std::optional<std::string> stripes(const std::vector<bool>& is_set, std::uint64_t rows,
                                   std::uint64_t columns) {
  std::vector<bool> in_row(rows);
  std::vector<bool> in_column(columns);
  std::uint64_t all = 0;
  for (std::uint64_t i = 0; i < is_set.size(); ++i) {
    if (!is_set[i]) continue;
    ++all;
    in_row[i / columns] = true;
    in_column[i % columns] = true;
  }
  const auto rows_set = static_cast<std::uint64_t>(std::count(in_row.begin(), in_row.end(), true));
  const auto columns_set =
      static_cast<std::uint64_t>(std::count(in_column.begin(), in_column.end(), true));
  if (rows_set * columns_set != all) return std::nullopt;  // No rectangle.
  if (all == rows * columns) return rows == 1 ? "all elements" : "all rows and columns";
  const auto row_text = ranges(in_row);
  const auto column_text = ranges(in_column);
  if (!row_text || !column_text) return std::nullopt;
  const auto named = [](const char* what, std::uint64_t count, const std::string& text) {
    return fmt::format("{}{} {}", what, count == 1 ? "" : "s", text);
  };
  if (rows == 1) return named("element", columns_set, *column_text);
  if (columns_set == columns) return named("row", rows_set, *row_text);
  if (rows_set == rows) return named("column", columns_set, *column_text);
  return named("row", rows_set, *row_text) + " in " + named("column", columns_set, *column_text);
}

// The pattern of a tile that all tiles repeat, if there are several tiles.
std::optional<std::string> tile_pattern(const std::vector<bool>& is_set, std::uint64_t rows,
                                        std::uint64_t columns) {
  if (rows < kTile || columns < kTile || rows * columns == kTile * kTile) return std::nullopt;
  std::vector<bool> tile(kTile * kTile);
  for (std::uint64_t i = 0; i < tile.size(); ++i) {
    tile[i] = is_set[i / kTile * columns + i % kTile];
  }
  for (std::uint64_t i = 0; i < is_set.size(); ++i) {
    const auto inside = i / columns % kTile * kTile + i % columns % kTile;
    if (is_set[i] != tile[inside]) return std::nullopt;
  }
  const auto text = stripes(tile, kTile, kTile);
  if (text) return "in each tile of 32 x 32: " + *text;
  bool is_off_diagonal = true;
  for (std::uint64_t i = 0; i < tile.size(); ++i) {
    is_off_diagonal = is_off_diagonal && tile[i] == (i / kTile != i % kTile);
  }
  if (is_off_diagonal) return "in each tile of 32 x 32: all elements off its diagonal";
  return std::nullopt;
}

// The same for a vector: the pattern of 32 elements.
std::optional<std::string> turn_pattern(const std::vector<bool>& is_set) {
  if (is_set.size() <= kTile) return std::nullopt;
  const std::vector<bool> turn(is_set.begin(), is_set.begin() + kTile);
  for (std::uint64_t i = 0; i < is_set.size(); ++i) {
    if (is_set[i] != turn[i % kTile]) return std::nullopt;
  }
  const auto text = stripes(turn, 1, kTile);
  return text ? std::optional("of each 32 elements: " + *text) : std::nullopt;
}

bool is_all_but_diagonal(const std::vector<bool>& is_set, std::uint64_t columns) {
  for (std::uint64_t i = 0; i < is_set.size(); ++i) {
    if (is_set[i] == (i / columns == i % columns)) return false;
  }
  return true;
}

std::string sentence(const report::WrongMap& map, const std::vector<bool>& is_wrong) {
  const bool never = map.unwritten == map.wrong;
  const auto which = pattern_text(is_wrong, map.rows, map.columns);
  const auto count =
      fmt::format("{} of {} elements of {} {} ", base::grouped(map.wrong),
                  base::grouped(map.rows * map.columns), map.output, map.wrong == 1 ? "is" : "are");
  auto out = count + (never ? "not written" : "wrong");
  if (!never && map.unwritten != 0)
    out += fmt::format(", {} of them never written", base::grouped(map.unwritten));
  return out + ": " + which;
}

report::WrongMap map_of(const cases::SizedBuffer& buffer, const std::vector<bool>& is_wrong,
                        const std::vector<bool>& is_unwritten) {
  report::WrongMap out;
  out.output = buffer.name;
  out.rows = buffer.rows;
  out.columns = buffer.columns;
  const auto cell_of = [](std::uint64_t all) { return (all + kMostCells - 1) / kMostCells; };
  out.cell_rows = cell_of(out.rows);
  out.cell_columns = cell_of(out.columns);
  const auto across = (out.columns + out.cell_columns - 1) / out.cell_columns;
  const auto down = (out.rows + out.cell_rows - 1) / out.cell_rows;
  out.cells.resize(across * down);
  for (std::uint64_t i = 0; i < is_wrong.size(); ++i) {
    if (!is_wrong[i]) continue;
    const auto row = i / out.columns / out.cell_rows;
    auto& cell = out.cells[row * across + i % out.columns / out.cell_columns];
    ++cell.wrong;
    ++out.wrong;
    if (!is_unwritten[i]) continue;
    ++cell.unwritten;
    ++out.unwritten;
  }
  out.text = sentence(out, is_wrong);
  return out;
}

}  // namespace

std::string pattern_text(const std::vector<bool>& is_set, std::uint64_t rows,
                         std::uint64_t columns) {
  if (auto text = stripes(is_set, rows, columns)) return *text;
  if (auto text = tile_pattern(is_set, rows, columns)) return *text;
  if (auto text = rows == 1 ? turn_pattern(is_set) : std::nullopt) return *text;
  if (rows == columns && is_all_but_diagonal(is_set, columns)) return "all off the diagonal";
  std::array<std::uint64_t, 4> box = {rows, 0, columns, 0};
  for (std::uint64_t i = 0; i < is_set.size(); ++i) {
    if (!is_set[i]) continue;
    box = {std::min(box[0], i / columns), std::max(box[1], i / columns),
           std::min(box[2], i % columns), std::max(box[3], i % columns)};
  }
  if (rows == 1) return fmt::format("scattered over elements {} to {}", box[2], box[3]);
  return fmt::format("scattered over rows {} to {}, columns {} to {}", box[0], box[1], box[2],
                     box[3]);
}

std::optional<report::WrongMap> wrong_map(const std::vector<cases::SizedBuffer>& buffers,
                                          const cases::Expected& expected,
                                          const std::vector<run::Buffer>& got) {
  for (std::size_t number = 0; number < buffers.size(); ++number) {
    const auto& buffer = buffers[number];
    if (!buffer.is_by_element()) continue;
    const auto size = verify::size_of(buffer.type);
    const auto& right = expected.after.at(number).bytes;
    const auto& before = expected.before.at(number).bytes;
    const auto& mine = got.at(number).bytes;
    const auto count = std::min(right.size(), mine.size()) / size;
    std::vector<bool> is_wrong(count);
    std::vector<bool> is_unwritten(count);
    bool any = false;
    for (std::size_t i = 0; i < count; ++i) {
      const auto at = i * size;
      is_wrong[i] = !is_right_element(buffer, &right[at], &mine[at]);
      if (!is_wrong[i]) continue;
      any = true;
      is_unwritten[i] =
          at + size <= before.size() && std::memcmp(&before[at], &mine[at], size) == 0;
    }
    if (any) return map_of(buffer, is_wrong, is_unwritten);
  }
  return std::nullopt;
}

namespace {

using verify::CauseKind;

// A float that is too far from the expected one. Rounding of a few operations stays below a part in
// a million; numbers of 8 to 11 bits are off by up to a part in a few hundred.
std::string next_of_inaccurate(const verify::OutputDifference& difference) {
  constexpr double kRounding = 1e-6;
  const auto& element = difference.element;
  const auto off = std::abs(difference.deviation.relative);
  if (off > 0 && off < kRounding) {
    return fmt::format(
        "{} is off by only {:.0e} of its value, so no term is missing. Look for a constant, a "
        "division, a type or an order of additions that rounds differently from the reference.",
        element, off);
  }
  if (off > 0 && off < kFewBits) {
    return fmt::format(
        "{} is off by only {:.0e} of its value, so no term is missing, but digits are. Look for a "
        "rounded constant, a fast intrinsic, or a type with fewer bits than float, such as half.",
        element, off);
  }
  return fmt::format(
      "Rounding does not explain this difference. Which term of {} is missing, counted twice, or "
      "has a wrong factor?",
      element);
}

std::string trace_by_hand(std::string_view element) {
  return fmt::format("Trace {} by hand: which thread writes it, and what does that thread read?",
                     element);
}

// The value reveals no cause, so the advice uses the places of the wrong elements.
std::string next_of_unknown(const verify::OutputDifference& difference) {
  const auto wrong = difference.deviation.wrong;
  const auto elements = difference.deviation.elements;
  constexpr std::uint64_t kFew = 10;        // One in ten.
  constexpr std::uint64_t kManyRight = 32;  // As many as a warp.
  const auto& element = difference.element;
  auto trace = trace_by_hand(element);
  const auto& indices = difference.indices;
  if (indices.size() == 1 && indices[0] >= kManyRight) {
    return fmt::format(
        "The elements before {0} are right. What begins there: a warp, a block, the rest of a "
        "division? {1}",
        element, trace);
  }
  if (wrong == 0 || wrong * kFew > elements) return trace;
  return fmt::format(
      "{} of {} elements {} wrong: an edge, the last block, the rest of a division? {}",
      base::grouped(wrong), base::grouped(elements), wrong == 1 ? "is" : "are", trace);
}

// The step for a likely cause, with {} for the element; empty if it depends on numbers.
std::string_view step_of(CauseKind kind) {
  switch (kind) {
    case CauseKind::kUnwritten:
      return "No thread writes {}. Which thread should, and which condition, loop bound or return "
             "keeps it from doing so?";
    case CauseKind::kNan:
      return "Look at each value that {} is computed from: which one is read before it is set, "
             "divided by zero, or too large for its type?";
    case CauseKind::kWholeNumbers:
      return "Look for an int on the way to {}: a variable, a parameter, a cast, or a division of "
             "two ints.";
    case CauseKind::kHalf:
      return "Look for a half on the way to {}. Add in float, and convert once at the end.";
    case CauseKind::kNarrowInteger:
      return "Look for a narrow type or a mask on the way to {}, such as unsigned short or & "
             "0xffff.";
    case CauseKind::kTransposed:
      return "Write down row and column of the load and of the store for {}. Which of the two "
             "should exchange them?";
    case CauseKind::kNeighbour:
      return "The index is off by one. Compare the load's index with the store's for {}.";
    case CauseKind::kRowLength:
      return "Look at the row length in the index: width and height are exchanged, or a constant "
             "is in the place of one.";
    case CauseKind::kOtherPlace:
      return "The value is right, and its place is wrong. Compute the index of the store for the "
             "thread that writes {}.";
    case CauseKind::kZero:
      return "Follow the loop that computes {}: does it run at all, and does its first value come "
             "from the input?";
    case CauseKind::kTwice:
      return "Something counts twice: do two threads, or two iterations of one, do the same work "
             "for {}?";
    case CauseKind::kCount:
    case CauseKind::kInaccurate:
    case CauseKind::kOtherElement:
    case CauseKind::kInputElement:
    case CauseKind::kUnknown:
      break;
  }
  return {};
}

std::string next_of(const verify::OutputDifference& difference) {
  const auto& element = difference.element;
  if (difference.kind == CauseKind::kCount) {
    return difference.deviation.difference < 0
               ? fmt::format("Which elements of the input does no thread count in {}?", element)
               : fmt::format("Which elements of the input are counted twice, or wrongly in {}?",
                             element);
  }
  if (difference.kind == CauseKind::kInaccurate) return next_of_inaccurate(difference);
  const auto step = step_of(difference.kind);
  return step.empty() ? next_of_unknown(difference) : fmt::format(fmt::runtime(step), element);
}

}  // namespace

std::string next_of_wrong_result(const report::ExerciseReport& report) {
  for (const auto& item : report.cases) {
    if (!item.difference) continue;
    if (item.depends_on_order) {
      return "The result depends on the order of warps and blocks. Which thread uses a value of "
             "another one, without anything that makes it wait?";
    }
    if (item.difference->indices.empty()) {
      return fmt::format(
          "Follow one element of the input to {}: is any element left out, or added twice?",
          item.difference->element);
    }
    return next_of(*item.difference);
  }
  return trace_by_hand("one wrong element");
}

}  // namespace warpgrade::grader::grade
