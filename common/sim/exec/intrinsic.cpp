// SPDX-License-Identifier: Apache-2.0
// Functions of the CUDA system that a kernel may call: printf, assert, malloc, free.
//
// Their arguments are in the caller's .param variables. Their reads of the kernel's memory pass
// the same checks as the kernel's own accesses. They are not counted. The output of printf
// becomes text here: a format string and its arguments.
#include "common/sim/exec/intrinsic.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>

#include "common/run/observer.h"
#include "common/sim/block.h"
#include "common/sim/exec/handlers.h"
#include "common/sim/memory/access.h"
#include "common/sim/micro_op.h"

namespace warpgrade::sim {
namespace {

constexpr int kMaxWidth = 4096;  // of a field; more is a mistake, and would be slow
constexpr std::size_t kMaxPrinted = std::size_t{1} << 20;  // per call; the limit on all output

// snprintf to a string; `specification` is a single conversion, built below.
template <typename... Values>
std::string print(const std::string& specification, Values... values) {
  const int size = std::snprintf(nullptr, 0, specification.c_str(), values...);
  if (size <= 0) return {};
  std::string text(static_cast<std::size_t>(size) + 1, '\0');
  std::snprintf(text.data(), text.size(), specification.c_str(), values...);
  text.pop_back();
  return text;
}

class Formatter {
 public:
  Formatter(std::string_view format, const PrintSource& source) : rest_(format), source_(source) {}

  std::optional<Printed> run() {
    while (!rest_.empty()) {
      const auto percent = std::min(rest_.find('%'), rest_.size());
      printed_.text += rest_.substr(0, percent);
      rest_.remove_prefix(percent);
      if (!rest_.empty() && !convert()) return std::nullopt;
    }
    return std::move(printed_);
  }

 private:
  char peek() const { return rest_.empty() ? '\0' : rest_.front(); }
  char take() {
    const char c = peek();
    if (!rest_.empty()) rest_.remove_prefix(1);
    return c;
  }

  // conversion := % flag... [width] [. precision] [size] letter
  bool convert() {
    const auto whole = rest_;
    specification_ = take();
    while (peek() != '\0' && std::string_view("-+ #0").find(peek()) != std::string_view::npos) {
      specification_ += take();
    }
    if (peek() != '*') {
      read_number();
    } else if (!take_width()) {
      return false;
    }
    if (peek() == '.') {
      specification_ += take();
      read_number();
    }
    const auto size_begin = rest_;
    while (peek() != '\0' && std::string_view("hl").find(peek()) != std::string_view::npos) {
      take();
    }
    const auto size = size_begin.substr(0, size_begin.size() - rest_.size());
    const char letter = take();
    if (!print_value(size, letter)) return false;
    if (!known_) printed_.text += whole.substr(0, whole.size() - rest_.size());
    return true;
  }

  // A width *, whose value is an argument.
  bool take_width() {
    take();
    const auto word = next(4);
    if (!word) return false;
    const auto value = static_cast<std::int32_t>(*word);
    specification_ += std::to_string(std::clamp(value, -kMaxWidth, kMaxWidth));
    return true;
  }

  // A width or precision.
  void read_number() {
    int value = 0;
    bool any = false;
    for (; peek() >= '0' && peek() <= '9'; any = true) {
      value = std::min(10 * value + (take() - '0'), kMaxWidth);
    }
    if (any) specification_ += std::to_string(value);
  }

  std::optional<std::uint64_t> next(std::uint32_t bytes) {
    ++printed_.arguments;
    return source_.next(bytes);
  }

  bool print_value(std::string_view size, char letter) {
    known_ = true;
    const bool wide = size == "l" || size == "ll";
    switch (letter) {
      case '%':
        printed_.text += '%';
        return true;
      case 'd':
      case 'i':
      case 'u':
      case 'o':
      case 'x':
      case 'X':
        return print_integer(size, wide, letter);
      case 'c':
        return with(4, [&](std::uint64_t bits) {
          return print(specification_ + 'c', static_cast<unsigned char>(bits));
        });
      case 'p':
        return with(8, [&](std::uint64_t bits) {
          return print(specification_ + 'p', reinterpret_cast<void*>(bits));
        });
      case 's':
        return print_string();
      case 'f':
      case 'F':
      case 'e':
      case 'E':
      case 'g':
      case 'G':
      case 'a':
      case 'A':
        return with(8, [&](std::uint64_t bits) {
          return print(specification_ + letter, std::bit_cast<double>(bits));
        });
      default:
        known_ = false;
        return true;
    }
  }

  bool print_integer(std::string_view size, bool wide, char letter) {
    const bool is_signed = letter == 'd' || letter == 'i';
    return with(wide ? 8 : 4, [&](std::uint64_t bits) {
      if (!wide) bits = is_signed ? extend<std::int32_t>(bits) : static_cast<std::uint32_t>(bits);
      if (size == "h") bits = is_signed ? extend<std::int16_t>(bits) : bits & 0xffff;
      if (size == "hh") bits = is_signed ? extend<std::int8_t>(bits) : bits & 0xff;
      return print(specification_ + "ll" + letter, static_cast<long long>(bits));
    });
  }

  bool print_string() {
    const auto address = next(8);
    if (!address) return false;
    const auto text = *address == 0 ? std::optional<std::string>("(null)") : source_.text(*address);
    if (text && has_room()) printed_.text += print(specification_ + 's', text->c_str());
    return text.has_value();
  }

  template <typename T>
  static std::uint64_t extend(std::uint64_t bits) {
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(static_cast<T>(bits)));
  }

  template <typename ToText>
  bool with(std::uint32_t bytes, const ToText& to_text) {
    const auto bits = next(bytes);
    if (bits && has_room()) printed_.text += to_text(*bits);
    return bits.has_value();
  }

  bool has_room() const { return printed_.text.size() < kMaxPrinted; }

  std::string_view rest_;
  const PrintSource& source_;
  std::string specification_;
  bool known_ = true;
  Printed printed_;
};

}  // namespace

std::optional<Printed> format_print(std::string_view format, const PrintSource& source) {
  return Formatter(format, source).run();
}

namespace {

constexpr std::size_t kMaxText = 65536;  // limit on one string

const CallSite& site_of(const Warp& warp, const MicroOp& op) {
  return warp.block->parts.code.sites[op.target];
}

std::uint64_t argument(Warp& warp, const MicroOp& op, std::size_t index, std::uint32_t lane) {
  const auto& variable = site_of(warp, op).arguments[index];
  std::uint64_t value = 0;
  std::memcpy(&value, warp.registers + variable.slot + std::size_t{lane} * variable.stride,
              std::min<std::size_t>(variable.bytes, sizeof value));
  return value;
}

void set_result(Warp& warp, const MicroOp& op, std::uint32_t lane, std::uint64_t value) {
  const auto& variable = site_of(warp, op).results[0];
  std::memcpy(warp.registers + variable.slot + std::size_t{lane} * variable.stride, &value,
              std::min<std::size_t>(variable.bytes, sizeof value));
}

// Reads `bytes` at a generic address for one lane; returns nullopt if the lane has faulted.
std::optional<std::uint64_t> read(Warp& warp, const MicroOp& op, std::uint32_t lane,
                                  std::uint64_t address, std::uint32_t bytes) {
  MicroOp load = op;
  load.a = site_of(warp, op).scratch;
  load.offset = 0;
  load.space = ptx::StateSpace::kGeneric;
  load.operation = run::Operation::kLoad;
  warp.lanes<std::uint64_t>(load.a)[lane] = address;
  Access access;
  if (!translate(warp, load, 1U << lane, bytes, access)) return std::nullopt;
  std::uint64_t value = 0;
  std::memcpy(&value, access.host(lane), bytes);
  return value;
}

std::optional<std::string> read_text(Warp& warp, const MicroOp& op, std::uint32_t lane,
                                     std::uint64_t address) {
  std::string text;
  while (text.size() < kMaxText) {
    const auto byte = read(warp, op, lane, address + text.size(), 1);
    if (!byte) return std::nullopt;
    if (*byte == 0) break;
    text += static_cast<char>(*byte);
  }
  warp.charge(text.size() * kPrintedByteWork);
  return text;
}

// int vprintf(const char* format, void* arguments)
void print(Warp& warp, const MicroOp& op, std::uint32_t mask) {
  for (auto rest = mask; rest != 0; rest &= rest - 1) {
    const auto lane = run::lowest_lane(rest);
    const auto format = read_text(warp, op, lane, argument(warp, op, 0, lane));
    if (!format) return;
    auto next = argument(warp, op, 1, lane);
    PrintSource source;
    source.next = [&](std::uint32_t bytes) {
      const auto place = (next + bytes - 1) / bytes * bytes;
      next = place + bytes;
      return read(warp, op, lane, place, bytes);
    };
    source.text = [&](std::uint64_t address) { return read_text(warp, op, lane, address); };
    const auto printed = format_print(*format, source);
    if (!printed) return;
    warp.charge(kPrintWork + printed->text.size() * kPrintedByteWork);
    warp.block->print({warp.index, lane, printed->text});
    set_result(warp, op, lane, printed->arguments);
  }
}

// void __assertfail(const char* message, const char* file, unsigned line, const char* function,
//                   size_t char_size)
void fail_assertion(Warp& warp, const MicroOp& op, std::uint32_t mask) {
  const auto lane = run::lowest_lane(mask);
  const auto message = read_text(warp, op, lane, argument(warp, op, 0, lane));
  if (!message) return;
  const auto file = read_text(warp, op, lane, argument(warp, op, 1, lane));
  if (!file) return;
  const auto function = read_text(warp, op, lane, argument(warp, op, 3, lane));
  if (!function) return;
  warp.fault(base::DiagnosticKind::kTrap, op, lane,
             fmt::format("assertion `{}' failed in '{}'; the condition is false for this thread",
                         *message, *function));
  auto& diagnostic = *warp.block->out.diagnostic;
  if (diagnostic.where.line == 0) {
    diagnostic.where = {*file, static_cast<std::uint32_t>(argument(warp, op, 2, lane)), 0};
  }
}

// void* malloc(size_t bytes)
void allocate(Warp& warp, const MicroOp& op, std::uint32_t mask) {
  auto& block = *warp.block;
  for (auto rest = mask; rest != 0; rest &= rest - 1) {
    const auto lane = run::lowest_lane(rest);
    const auto bytes = argument(warp, op, 0, lane);
    const auto address = block.parts.memory.heap().allocate(bytes, block.location(op).line);
    warp.charge(kHeapWork + (address ? (bytes + Heap::kGap) / kHeapBytesPerUnit : 0));
    set_result(warp, op, lane, address.value_or(0));
  }
}

// void free(void* pointer)
void release(Warp& warp, const MicroOp& op, std::uint32_t mask) {
  auto& block = *warp.block;
  block.recent.region = nullptr;  // it may be the freed piece
  for (auto rest = mask; rest != 0; rest &= rest - 1) {
    const auto lane = run::lowest_lane(rest);
    const auto address = argument(warp, op, 0, lane);
    warp.charge(kHeapWork);
    if (address == 0) continue;
    auto wrong = block.parts.memory.heap().release(address, block.location(op).line);
    if (!wrong) continue;
    warp.fault(base::DiagnosticKind::kOutOfBounds, op, lane, std::move(*wrong));
    return;
  }
}

}  // namespace

Handler intrinsic_handler(std::string_view name, const CallSite& site) {
  struct Row {
    std::string_view name;
    std::size_t arguments;
    std::size_t results;
    Handler handler;
  };
  static constexpr Row kRows[] = {
      {"vprintf", 2, 1, print},
      {"__assertfail", 5, 0, fail_assertion},
      {"malloc", 1, 1, allocate},
      {"free", 1, 0, release},
  };
  for (const auto& row : kRows) {
    const bool fits = row.arguments == site.arguments.size() && row.results == site.results.size();
    if (row.name == name && fits) return row.handler;
  }
  return nullptr;
}

}  // namespace warpgrade::sim
