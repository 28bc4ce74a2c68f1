// SPDX-License-Identifier: Apache-2.0
#include "grader/equivalence/sizes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "common/base/error.h"
#include "common/base/text.h"
#include "common/verify/values.h"
#include "grader/text/numbers.h"

namespace warpgrade::grader::equivalence {
namespace {

constexpr std::string_view kForm =
    "write NAME=LEAST..MOST, NAME=LEAST..MOST:STEP or NAME=VALUE, such as --size n=1..5000";

[[noreturn]] void refuse_size(std::string_view text, const std::string& why) {
  throw base::UsageError(fmt::format("--size {}: {}", base::escape_controls(text), why));
}

bool is_name(std::string_view text) {
  const auto is_word = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; };
  return !text.empty() && std::isdigit(static_cast<unsigned char>(text.front())) == 0 &&
         std::ranges::all_of(text, is_word);
}

text::Expression limit_of(std::string_view text, const std::string& option) {
  return {std::string(text), {option, 1, 1}};
}

// The value of a limit, which is a whole number.
std::uint64_t whole(const SizeLimits& limits, const text::Expression& of,
                    const text::Variables& earlier) {
  // Bounds such as 4096 / width are rounded down.
  const double value = std::floor(evaluate(of, earlier));
  if (!(value >= 0) || value > 0x1p48) {
    refuse_size(limits.name,
                fmt::format("{} is {} with {}; sizes are whole numbers from 0 to 2^48", of.text(),
                            value, earlier.empty() ? "no other size" : text::in_words(earlier)));
  }
  return static_cast<std::uint64_t>(value);
}

// Powers of two and their neighbours, the ends, and `constants` with their neighbours, as far as
// `range` permits them.
std::vector<std::uint64_t> special_values(const SizeRange& range,
                                          const std::vector<std::uint64_t>& constants) {
  std::set<std::uint64_t> out = {range.least, range.at_most(range.most)};
  const auto add = [&](std::uint64_t value) {
    // With a step, the nearest permitted values on both sides.
    for (const auto near : {value - 1, value, value + 1}) {
      if (near < range.least || near > range.most) continue;
      const auto below = range.at_most(near);
      out.insert(below);
      if (below != near && below + range.step <= range.most) out.insert(below + range.step);
    }
  };
  add(range.least);
  add(range.most);
  for (unsigned bit = 0; bit < 48; ++bit) add(std::uint64_t{1} << bit);
  for (const auto value : constants) add(value);
  return {out.begin(), out.end()};
}

// Half of the values are uniform, half have a uniform logarithm.
std::uint64_t random_value(const SizeRange& range, std::uint64_t bits) {
  const auto span = range.most - range.least + 1;
  const double share = static_cast<double>(bits >> 12) * 0x1p-52;
  const double offset = (bits & 1) != 0 ? share * static_cast<double>(span)
                                        : std::exp(share * std::log(static_cast<double>(span))) - 1;
  return range.at_most(range.least + std::min(static_cast<std::uint64_t>(offset), span - 1));
}

using Choose = std::function<std::uint64_t(std::size_t variable, const SizeRange& range)>;

text::Variables choose_all(const std::vector<SizeLimits>& limits, const Choose& choose) {
  text::Variables out;
  for (std::size_t i = 0; i < limits.size(); ++i) {
    out[limits[i].name] = static_cast<double>(choose(i, range_of(limits[i], out)));
  }
  return out;
}

}  // namespace

SizeLimits parse_size(std::string_view text) {
  const auto equals = text.find('=');
  const auto name = text.substr(0, equals);
  if (equals == std::string_view::npos || !is_name(name)) refuse_size(text, std::string(kForm));
  const auto option = fmt::format("--size {}", name);
  auto rest = text.substr(equals + 1);
  const auto dots = rest.find("..");
  const auto least = limit_of(rest.substr(0, dots), option);
  if (dots == std::string_view::npos) {
    if (rest.empty()) refuse_size(text, std::string(kForm));
    return {std::string(name), least, least, limit_of("1", option)};
  }
  rest.remove_prefix(dots + 2);
  // The step follows the last colon that belongs to no "? :".
  const auto colon = rest.find('?') == std::string_view::npos ? rest.rfind(':') : rest.npos;
  const auto most = rest.substr(0, colon);
  const auto step = colon == std::string_view::npos ? "1" : rest.substr(colon + 1);
  if (dots == 0 || most.empty() || step.empty()) refuse_size(text, std::string(kForm));
  return {std::string(name), least, limit_of(most, option), limit_of(step, option)};
}

double product(const text::Variables& sizes) {
  double out = 1;
  for (const auto& [name, value] : sizes) out *= std::max(1.0, value);
  return out;
}

std::uint64_t SizeRange::at_most(std::uint64_t value) const {
  return value < least ? least : least + (std::min(value, most) - least) / step * step;
}

SizeRange range_of(const SizeLimits& limits, const text::Variables& earlier) {
  const SizeRange out{whole(limits, limits.least, earlier), whole(limits, limits.most, earlier),
                      whole(limits, limits.step, earlier)};
  if (out.most < out.least || out.step == 0) {
    refuse_size(limits.name,
                fmt::format("no value from {} to {} in steps of {}{}", out.least, out.most,
                            out.step, earlier.empty() ? "" : " with " + text::in_words(earlier)));
  }
  return out;
}

std::vector<text::Variables> draw_sizes(const std::vector<SizeLimits>& limits,
                                        const std::vector<std::uint64_t>& constants,
                                        std::uint64_t seed, std::size_t most) {
  const verify::Mixer mixer(seed, 0x5126);
  std::uint64_t draws = 0;
  const auto bits = [&] { return mixer(draws++); };
  std::set<text::Variables> known;
  std::vector<text::Variables> out;
  const auto add = [&](const Choose& choose) {
    auto sizes = choose_all(limits, choose);
    if (out.size() < most && known.insert(sizes).second) out.push_back(std::move(sizes));
  };
  add([](std::size_t, const SizeRange& range) { return range.least; });
  add([](std::size_t, const SizeRange& range) { return range.at_most(range.most); });
  const auto any = [&](const SizeRange& range) {
    const auto special = special_values(range, constants);
    return bits() % 2 == 0 ? special[bits() % special.size()] : random_value(range, bits());
  };
  // In turn, each variable has each of its special values; a fifth of the sizes are random.
  const auto enough = most - most / 5;
  std::vector<std::size_t> next(limits.size());
  for (std::size_t i = 0; out.size() < enough && i < 4 * most; ++i) {
    const auto turn = i % std::max<std::size_t>(1, limits.size());
    add([&](std::size_t variable, const SizeRange& range) {
      if (variable != turn) return any(range);
      // Values that the code contains come first, then the others in a random order.
      const verify::Mixer shuffle(seed, variable);
      std::vector<std::pair<std::uint64_t, std::uint64_t>> keyed;
      for (const auto value : special_values(range, constants)) {
        const bool is_of_code = std::ranges::find(constants, value) != constants.end();
        keyed.emplace_back(is_of_code ? 0 : shuffle(value) | 1, value);
      }
      std::ranges::sort(keyed);
      return keyed[next[variable]++ % keyed.size()].second;
    });
  }
  for (std::size_t i = 0; out.size() < most && i < 4 * most; ++i) {
    add([&](std::size_t, const SizeRange& range) { return random_value(range, bits()); });
  }
  std::stable_sort(out.begin(), out.end(),
                   [](const auto& a, const auto& b) { return product(a) < product(b); });
  return out;
}

text::Variables largest_sizes(const std::vector<SizeLimits>& limits) {
  return choose_all(limits,
                    [](std::size_t, const SizeRange& range) { return range.at_most(range.most); });
}

std::vector<text::Variables> smaller_sizes(const std::vector<SizeLimits>& limits,
                                           const text::Variables& from) {
  std::vector<text::Variables> out;
  for (std::size_t reduced = 0; reduced < limits.size(); ++reduced) {
    const auto now = static_cast<std::uint64_t>(from.find(limits[reduced].name)->second);
    text::Variables earlier;
    for (std::size_t i = 0; i < reduced; ++i) {
      earlier[limits[i].name] = from.find(limits[i].name)->second;
    }
    const auto range = range_of(limits[reduced], earlier);
    auto values = special_values({range.least, std::min(now, range.most), range.step}, {});
    values.push_back(range.at_most(range.least + (now - std::min(now, range.least)) / 2));
    if (now >= range.least + range.step) values.push_back(now - range.step);
    std::ranges::sort(values);
    values.erase(std::unique(values.begin(), values.end()), values.end());
    for (const auto value : values) {
      if (value >= now) break;
      // Later variables keep their values if their limits permit it.
      const auto keep = [&](std::size_t i, const SizeRange& permitted) {
        if (i == reduced) return value;
        return permitted.at_most(static_cast<std::uint64_t>(from.find(limits[i].name)->second));
      };
      try {
        out.push_back(choose_all(limits, keep));
      } catch (const base::UsageError&) {
        // With this value, the limits of a later variable permit nothing.
      }
    }
  }
  return out;
}

}  // namespace warpgrade::grader::equivalence
