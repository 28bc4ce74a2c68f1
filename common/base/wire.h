// SPDX-License-Identifier: Apache-2.0
// Values as bytes and back, for the pipes between the program and its child processes.
//
// Both ends are built from the same tree, so the format has no version and is as plain as possible:
// a number or an enum in its own size and the machine's byte order; a sequence as its length in 8
// bytes followed by its elements; an optional as a bool and its value; a variant as its index and
// its value; a struct as its fields. Each struct has a function `wire_fields(T&)` in its namespace,
// which ties its fields; this one list serves both directions, so they cannot disagree. An enum has
// a function `wire_last(E)`, which returns its greatest value.
//
// The reader trusts nothing: a message that is truncated (its sender died), too long, or contains a
// value outside its type decodes to nullopt, and a wrong length allocates nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace warpgrade::base {

/// Appends values to a message in the format above.
class WireWriter {
 public:
  template <typename... T>
  void operator()(const T&... values) {
    (put(values), ...);
  }
  /// Returns the message; the writer is empty afterwards.
  std::string take() { return std::exchange(out_, {}); }

 private:
  void put_bytes(const void* data, std::size_t size) {
    if (size != 0) out_.append(static_cast<const char*>(data), size);
  }
  template <typename T>
  void put(const T& value) {
    if constexpr (std::is_arithmetic_v<T> || std::is_enum_v<T>) {
      put_bytes(&value, sizeof value);
    } else {
      // The fields are only read: one list serves the writer and the reader.
      std::apply(*this, wire_fields(const_cast<T&>(value)));
    }
  }
  void put(const std::string& text) {
    put(std::uint64_t{text.size()});
    put_bytes(text.data(), text.size());
  }
  template <typename T>
  void put(const std::vector<T>& list) {
    put(std::uint64_t{list.size()});
    if constexpr (sizeof(T) == 1 && std::is_trivially_copyable_v<T>) {
      put_bytes(list.data(), list.size());
    } else {
      for (const auto& element : list) put(element);
    }
  }
  template <typename T>
  void put(const std::optional<T>& value) {
    put(value.has_value());
    if (value) put(*value);
  }
  template <typename... T>
  void put(const std::variant<T...>& value) {
    put(std::uint64_t{value.index()});
    std::visit([&](const auto& chosen) { put(chosen); }, value);
  }

  std::string out_;
};

/// Reads values from a message in the order in which they were written. Stops after the first
/// missing or invalid one.
class WireReader {
 public:
  /// `message` must outlive the reader.
  explicit WireReader(std::string_view message) : rest_(message) {}

  template <typename... T>
  void operator()(T&... values) {
    (get(values), ...);
  }
  /// Whether all values so far were valid.
  bool is_ok() const { return ok_; }
  /// Whether all values were valid and no bytes are left.
  bool is_complete() const { return ok_ && rest_.empty(); }

 private:
  // The next `size` bytes. If there are fewer, returns nothing and stops reading.
  std::string_view cut(std::uint64_t size) {
    ok_ = ok_ && size <= rest_.size();
    if (!ok_) return {};
    const auto bytes = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return bytes;
  }
  // A length. Each element has at least one byte, so a length beyond the rest is invalid.
  std::uint64_t get_length() {
    std::uint64_t length = 0;
    get(length);
    ok_ = ok_ && length <= rest_.size();
    return ok_ ? length : 0;
  }

  template <typename T>
  void get(T& value) {
    if constexpr (std::is_same_v<T, bool>) {
      get_at_most(value, std::uint8_t{1});
    } else if constexpr (std::is_enum_v<T>) {
      get_at_most(value, static_cast<std::underlying_type_t<T>>(wire_last(T{})));
    } else if constexpr (std::is_arithmetic_v<T>) {
      const auto bytes = cut(sizeof value);
      if (ok_) std::memcpy(&value, bytes.data(), sizeof value);
    } else {
      std::apply(*this, wire_fields(value));
    }
  }
  template <typename T, typename Number>
  void get_at_most(T& value, Number greatest) {
    Number number = 0;
    get(number);
    ok_ = ok_ && number >= 0 && number <= greatest;
    if (ok_) value = static_cast<T>(number);
  }
  void get(std::string& text) { text = cut(get_length()); }
  template <typename T>
  void get(std::vector<T>& list) {
    const auto length = get_length();
    list.clear();
    if constexpr (sizeof(T) == 1 && std::is_trivially_copyable_v<T>) {
      const auto bytes = cut(length);
      const auto* first = reinterpret_cast<const T*>(bytes.data());
      list.assign(first, first + bytes.size());
    } else {
      for (std::uint64_t i = 0; ok_ && i < length; ++i) get(list.emplace_back());
    }
  }
  template <typename T>
  void get(std::optional<T>& value) {
    bool has_value = false;
    get(has_value);
    value.reset();
    if (ok_ && has_value) get(value.emplace());
  }
  template <typename... T>
  void get(std::variant<T...>& value) {
    std::uint64_t index = 0;
    get(index);
    ok_ = ok_ && index < sizeof...(T);
    if (ok_) get_alternative(value, index, std::index_sequence_for<T...>());
  }
  template <typename Variant, std::size_t... I>
  void get_alternative(Variant& value, std::uint64_t index, std::index_sequence<I...> /*all*/) {
    ((I == index ? get(value.template emplace<I>()) : void()), ...);
  }

  std::string_view rest_;
  bool ok_ = true;
};

/// `value` as a message.
template <typename T>
std::string encode(const T& value) {
  WireWriter writer;
  writer(value);
  return writer.take();
}

/// The value if `message` contains exactly one valid value; else nullopt.
template <typename T>
std::optional<T> decode(std::string_view message) {
  std::optional<T> value(std::in_place);
  WireReader reader(message);
  reader(*value);
  return reader.is_complete() ? std::move(value) : std::nullopt;
}

}  // namespace warpgrade::base
