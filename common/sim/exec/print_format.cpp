// SPDX-License-Identifier: Apache-2.0
#include "common/sim/exec/print_format.h"

#include <algorithm>
#include <bit>
#include <cstdio>

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

}  // namespace warpgrade::sim
