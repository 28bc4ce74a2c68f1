// SPDX-License-Identifier: Apache-2.0
#include "grader/cases/reference.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <future>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "common/base/error.h"
#include "common/base/finding_text.h"
#include "common/run/launch.h"
#include "common/run/runner.h"
#include "common/sim/simulator.h"
#include "common/verify/compare.h"
#include "common/verify/pieces.h"
#include "grader/cases/sized_case.h"
#include "grader/cases/work_ahead.h"
#include "grader/course/manifest.h"

namespace warpgrade::grader::cases {
namespace {

// Bytes of results to keep: those of most exercises, but not of one with twenty large cases.
constexpr std::uint64_t kKeptBytes = std::uint64_t{64} << 20;

[[noreturn]] void fail(const std::string& file, const base::Diagnostic& diagnostic,
                       const std::string& source) {
  throw base::ToolError(
      fmt::format("the lab's own {} failed, so nothing can be graded with it:\n{}", file,
                  base::render(diagnostic, source)));
}

std::string shown_name(const course::Lab& lab) { return "labs/" + lab.id + "/reference.cu"; }

}  // namespace

run::Result simulate(const compile::Program& program, const run::Launch& launch,
                     std::vector<run::Buffer>& buffers, const run::Options& options) {
  sim::Simulator simulator;
  simulator.load(program);
  auto result = simulator.launch(launch, buffers, options);
  // The reference may read a value and discard it (padding, for example).
  std::erase_if(result.diagnostics, [](const auto& found) {
    return found.kind == base::DiagnosticKind::kUninitializedRead;
  });
  return result;
}

Execute in_turn_on(run::Runner& runner) {
  const auto mutex = std::make_shared<std::mutex>();
  return [&runner, mutex](const compile::Program& program, const run::Launch& launch,
                          std::vector<run::Buffer>& buffers, const run::Options& options) {
    const std::lock_guard lock(*mutex);
    runner.load(program);
    return runner.launch(launch, buffers, options);
  };
}

void move_inputs(std::vector<run::Buffer>& from, std::vector<run::Buffer>& to) {
  for (std::size_t i = 0; i < from.size(); ++i) {
    if (from[i].read_only) to[i] = std::exchange(from[i], {});
  }
}

void move_outputs(std::vector<run::Buffer> from, std::vector<run::Buffer>& to) {
  for (std::size_t i = 0; i < from.size(); ++i) {
    if (!from[i].read_only) to[i] = std::move(from[i]);
  }
}

Reference::Reference(Execute execute, std::string architecture, Compilations& compilations,
                     std::uint64_t seed)
    : execute_(std::move(execute)),
      architecture_(std::move(architecture)),
      compilations_(compilations),
      seed_(seed) {}

compile::CompileRequest Reference::request(const course::Lab& lab) const {
  auto source = compile::read_source(lab.folder / "reference.cu");
  if (const auto* wrong = std::get_if<std::vector<base::Diagnostic>>(&source)) {
    fail(shown_name(lab), wrong->front(), {});
  }
  auto request = std::get<compile::CompileRequest>(std::move(source));
  request.file = shown_name(lab);
  request.architecture = architecture_;
  request.include_folders = lab.include_folders;
  for (const auto& exercise : lab.exercises) {
    const auto* kernel = exercise.kernel();
    if (kernel == nullptr || kernel->reference_kernel.find('<') == std::string::npos) continue;
    for (const auto& item : kernel->cases) {
      const auto name = course::kernel_name(kernel->reference_kernel, item.variables);
      auto& names = request.instantiations;
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    }
  }
  return request;
}

void Reference::prepare(const course::Lab& lab) { compilations_.begin(request(lab)); }

void Reference::compile(const course::Lab& lab) { compilations_.get(request(lab)); }

std::list<Reference::Result>::iterator Reference::find(const std::string& key) {
  return std::find_if(results_.begin(), results_.end(),
                      [&](const Result& result) { return result.key == key; });
}

std::shared_ptr<const Expected> Reference::expected(const course::Lab& lab, const SizedCase& sized,
                                                    std::uint64_t variant, unsigned threads) {
  // Contains the variables, since a case has different ones on a GPU.
  auto key = lab.id + '/' + sized.exercise + '/' + sized.name;
  for (const auto& [name, value] : sized.variables) key += fmt::format(" {}={}", name, value);
  key += fmt::format(" {}", variant);
  std::promise<std::shared_ptr<const Expected>> promise;
  {
    std::unique_lock lock(mutex_);
    if (const auto found = find(key); found != results_.end()) {
      results_.splice(results_.end(), results_, found);
      const auto known = found->expected;
      lock.unlock();  // another thread may still compute it
      return known.get();
    }
    while (bytes_ > kKeptBytes && results_.size() > 1) {
      bytes_ -= results_.front().bytes;
      results_.pop_front();
    }
    results_.push_back({key, promise.get_future().share(), 0});
  }
  try {
    auto all = make(lab, sized, variant, threads);
    move_outputs(outputs(sized, variant), all.before);
    auto made = std::make_shared<const Expected>(std::move(all));
    promise.set_value(made);
    const std::lock_guard lock(mutex_);
    if (const auto found = find(key); found != results_.end()) {
      found->bytes = buffer_bytes(made->before) + buffer_bytes(made->after);
      bytes_ += found->bytes;
    }
    return made;
  } catch (...) {
    promise.set_exception(std::current_exception());
    const std::lock_guard lock(mutex_);
    std::erase_if(results_, [&](const Result& result) { return result.key == key; });
    throw;
  }
}

ReferenceLaunch Reference::launch(const course::Lab& lab, const SizedCase& sized) {
  const auto file = shown_name(lab);
  const auto& compiled = compilations_.get(request(lab));
  if (const auto* wrong = std::get_if<std::vector<base::Diagnostic>>(&compiled)) {
    fail(file, wrong->front(), {});
  }
  const auto& program = std::get<compile::Program>(compiled);
  const auto kernel = compile::find_kernel(program, sized.reference.kernel);
  if (const auto* wrong = std::get_if<base::Diagnostic>(&kernel)) {
    fail(file, *wrong, program.source);
  }
  auto launch = sized.reference;
  launch.kernel = std::get<const compile::Kernel*>(kernel)->name;
  return {&program, std::move(launch)};
}

Expected Reference::make(const course::Lab& lab, const SizedCase& sized, std::uint64_t variant,
                         unsigned threads) {
  const auto [program, launch] = this->launch(lab, sized);
  Expected out;
  out.after = before(sized, variant);
  out.before.resize(out.after.size());
  run::Options options;
  options.threads = threads;
  const auto result = execute_(*program, launch, out.after, options);
  if (!result.diagnostics.empty()) {
    fail(shown_name(lab), result.diagnostics.front(), program->source);
  }
  out.warp_instructions = run::warp_instructions(result);
  move_inputs(out.after, out.before);
  return out;
}

std::vector<run::Buffer> Reference::outputs(const SizedCase& sized, std::uint64_t variant) const {
  return make_outputs(sized.buffers, sized.contents_seed(seed_ ^ variant));
}

std::vector<run::Buffer> Reference::before(const SizedCase& sized, std::uint64_t variant) const {
  return make_buffers(sized.buffers, sized.contents_seed(seed_ ^ variant));
}

namespace {

verify::Matrix matrix(const SizedBuffer& shape, const run::Buffer& content) {
  return {shape.type, shape.rows, shape.columns, std::span<const std::byte>(content.bytes),
          shape.name};
}

template <typename T>
double sum_of(const std::vector<std::byte>& bytes) {
  double sum = 0;
  for (std::size_t at = 0; at + sizeof(T) <= bytes.size(); at += sizeof(T)) {
    T value{};
    std::memcpy(&value, bytes.data() + at, sizeof(T));
    sum += static_cast<double>(value);
  }
  return sum;
}

// Exact in any order if the elements are small multiples of a power of two. The manifest's fill
// ensures that.
double total(verify::ElementType type, const std::vector<std::byte>& bytes) {
  switch (type) {
    case verify::ElementType::kI32:
      return sum_of<std::int32_t>(bytes);
    case verify::ElementType::kU32:
      return sum_of<std::uint32_t>(bytes);
    case verify::ElementType::kF32:
      return sum_of<float>(bytes);
    case verify::ElementType::kF64:
      return sum_of<double>(bytes);
    default:
      throw base::UsageError("comparison \"total\" is for outputs of i32, u32, f32 and f64");
  }
}

// The matrix that a misplaced element may have come from: the first input of the same type.
verify::Matrix source_of(const std::vector<SizedBuffer>& buffers, verify::ElementType type,
                         const std::vector<run::Buffer>& before) {
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    if (!buffers[i].is_read_only() || buffers[i].type != type) continue;
    if (before.at(i).bytes.empty()) break;
    return matrix(buffers[i], before[i]);
  }
  return {};
}

// Whether the wrong element has its value from `before`, which may be empty.
bool is_unchanged(const verify::Difference& difference, const verify::Matrix& got,
                  const std::vector<std::byte>& before) {
  const auto size = verify::size_of(got.type);
  const auto at = (difference.row * got.columns + difference.column) * size;
  return at < before.size() && std::memcmp(before.data() + at, got.bytes.data() + at, size) == 0;
}

// Throws if the reference never wrote an element that differs: no kernel could be right there. The
// contents from before differ from each result, except by chance in types of one or two bytes.
void expect_written(const SizedBuffer& buffer, const std::vector<std::byte>& right,
                    const std::vector<std::byte>& before, std::uint64_t element) {
  const auto size = verify::size_of(buffer.type);
  constexpr std::uint32_t kFewestBytes = 4;
  const auto at = element * size;
  if (size < kFewestBytes || buffer.is_input() || at + size > std::min(right.size(), before.size()))
    return;
  if (std::memcmp(right.data() + at, before.data() + at, size) != 0) return;
  const auto place = buffer.rows == 1 ? fmt::format("[{}]", element)
                                      : fmt::format("[{}][{}]", element / buffer.columns,
                                                    element % buffer.columns);
  throw base::ToolError(fmt::format(
      "the lab's own reference never writes {}{}, so nothing can be graded with it: let "
      "reference.cu write every element of {}",
      buffer.name, place, buffer.name));
}

}  // namespace

std::optional<verify::OutputDifference> whole_difference(const SizedBuffer& buffer,
                                                         const std::vector<std::byte>& before,
                                                         const std::vector<std::byte>& right,
                                                         const std::vector<std::byte>& got) {
  if (const auto* pieces = std::get_if<SizedPieces>(&buffer.comparison)) {
    const std::uint64_t count = buffer.elements();
    return verify::compare_pieces({buffer.type, 1, count, right, buffer.name},
                                  {buffer.type, 1, count, got, buffer.name}, before,
                                  pieces->length);
  }
  const auto want = total(buffer.type, right);
  const auto have = total(buffer.type, got);
  // NaN, the value of an element never written, differs from everything.
  if (have == want) return std::nullopt;
  verify::OutputDifference out;
  out.element = buffer.name;
  out.expected = fmt::format("{}", want);
  out.got = fmt::format("{}", have);
  out.text = fmt::format("the elements of {} add up to {}, but should add up to {}", out.element,
                         out.got, out.expected);
  return out;
}

std::optional<verify::OutputDifference> first_difference(const std::vector<SizedBuffer>& buffers,
                                                         const std::vector<run::Buffer>& before,
                                                         const std::vector<run::Buffer>& after,
                                                         const std::vector<run::Buffer>& got) {
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    const auto& buffer = buffers[i];
    if (!buffer.is_output()) continue;
    const auto& right = after.at(i);
    const auto& mine = got.at(i);
    if (!buffer.is_by_element()) {
      auto wrong = whole_difference(buffer, before.at(i).bytes, right.bytes, mine.bytes);
      if (!wrong) continue;
      for (std::uint64_t at = 0; buffer.has_total() && at < buffer.elements(); ++at) {
        expect_written(buffer, right.bytes, before.at(i).bytes, at);
      }
      return wrong;
    }
    const bool is_inout = buffer.is_input();
    const auto& first = before.at(i).bytes;
    auto difference =
        verify::compare(matrix(buffer, right), matrix(buffer, mine),
                        is_inout ? std::span<const std::byte>() : std::span<const std::byte>(first),
                        source_of(buffers, buffer.type, before), buffer.tolerance());
    if (difference) {
      expect_written(buffer, right.bytes, first,
                     difference->row * buffer.columns + difference->column);
      if (is_inout && is_unchanged(*difference, matrix(buffer, mine), first)) {
        difference->cause = {verify::CauseKind::kUnwritten,
                             "unchanged: this is the content from before the launch"};
      }
      return verify::describe(*difference, matrix(buffer, mine), buffer.name);
    }
  }
  return std::nullopt;
}

}  // namespace warpgrade::grader::cases
