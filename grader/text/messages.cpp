// SPDX-License-Identifier: Apache-2.0
// Text for people: the parts that messages, reports and pages are made of.
// In: names, numbers, tables and the text of others. Out: strings for a terminal, a message or a
// page.
// A message lists names, suggests the nearest one, and calls the program as its user does. The
// terminal adds colours, aligned columns, line breaks and units. Text for XML and HTML is
// escaped; hints are rotated by 13 letters.
#include "grader/text/messages.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <numeric>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "common/base/text.h"

namespace warpgrade::grader::text {

std::string rot13(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const bool is_small = c >= 'a' && c <= 'z';
    const bool is_letter = is_small || (c >= 'A' && c <= 'Z');
    const char first = is_small ? 'a' : 'A';
    out += is_letter ? static_cast<char>(first + (c - first + 13) % 26) : c;
  }
  return out;
}

std::string escape_markup(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string shell_word(const std::string& text) {
  const auto is_plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("_-./@+:,").find(c) != std::string_view::npos || (c & 0x80) != 0;
  };
  if (!text.empty() && std::ranges::all_of(text, is_plain)) return text;
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

std::string did_you_mean(std::string_view word, std::span<const std::string_view> candidates) {
  const auto near = base::nearest(word, candidates);
  return near.empty() ? std::string{} : fmt::format(", did you mean `{}`?", near);
}

std::string did_you_mean(std::string_view word, std::span<const std::string> candidates) {
  const std::vector<std::string_view> views(candidates.begin(), candidates.end());
  return did_you_mean(word, std::span<const std::string_view>(views));
}

std::string joined(std::span<const std::string_view> names, std::string_view separator) {
  std::string out;
  for (const auto name : names) {
    if (!out.empty()) out += separator;
    out += name;
  }
  return out;
}

std::string joined(std::span<const std::string> names, std::string_view separator) {
  const std::vector<std::string_view> views(names.begin(), names.end());
  return joined(std::span<const std::string_view>(views), separator);
}

std::string not_one_of(std::string_view given, std::span<const std::string_view> choices) {
  return fmt::format("there is no `{}`{}; it is one of: {}", base::escape_controls(given),
                     did_you_mean(given, choices), joined(choices));
}

namespace {

struct Prefix {
  double factor;
  std::string_view name;
};

template <std::size_t N>
std::string scaled(double value, const std::array<Prefix, N>& prefixes, std::string_view unit) {
  for (const auto& prefix : prefixes) {
    if (value >= prefix.factor) {
      return fmt::format("{} {}{}", number(value / prefix.factor), prefix.name, unit);
    }
  }
  return fmt::format("{} {}", number(value), unit);
}

// Shorter lines break up a report, and longer ones are hard to read.
constexpr std::size_t kLeastColumns = 60;
constexpr std::size_t kMostColumns = 120;

// Some terminals (a serial line, an editor's) do not know their width and report 0.
std::size_t columns_of_stdout() {
  winsize size{};
  const bool known = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col != 0;
  return known ? std::clamp<std::size_t>(size.ws_col, kLeastColumns, kMostColumns)
               : kDefaultColumns;
}

}  // namespace

std::string Style::operator()(Colour colour, std::string_view text) const {
  if (!colours_ || text.empty()) return std::string(text);
  static constexpr std::array<std::string_view, 5> kCodes = {"32", "31", "33", "1", "2"};
  return fmt::format("\033[{}m{}\033[0m", kCodes.at(static_cast<std::size_t>(colour)), text);
}

Style style_of_stdout() {
  const auto* no_colour = std::getenv("NO_COLOR");
  const auto* terminal = std::getenv("TERM");
  const bool dumb = terminal != nullptr && std::string_view(terminal) == "dumb";
  const bool wanted = no_colour == nullptr || *no_colour == '\0';
  return Style(wanted && !dumb && isatty(STDOUT_FILENO) == 1, columns_of_stdout());
}

void Columns::colour(std::size_t row, std::size_t column, Colour colour) {
  paints_.push_back({row, column, colour});
}

std::vector<std::size_t> Columns::widths() const {
  std::vector<std::size_t> out;
  for (const auto& row : rows_) {
    out.resize(std::max(out.size(), row.size()));
    for (std::size_t c = 0; c < row.size(); ++c)
      out[c] = std::max(out[c], base::columns_of(row[c]));
  }
  return out;
}

std::size_t Columns::width() const {
  const auto all = widths();
  return std::accumulate(all.begin(), all.end(), all.empty() ? 0 : 2 * (all.size() - 1));
}

std::string Columns::text(std::size_t indent, const Style& style) const {
  const auto widths = this->widths();
  std::string out;
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    std::string line(indent, ' ');
    for (std::size_t c = 0; c < rows_[r].size(); ++c) {
      const auto& cell = rows_[r][c];
      const std::string space(widths[c] - base::columns_of(cell), ' ');
      const bool left = c < left_.size() && left_[c];
      const auto paint = std::find_if(paints_.begin(), paints_.end(), [&](const Paint& candidate) {
        return candidate.row == r && candidate.column == c;
      });
      const auto shown = paint == paints_.end() ? cell : style(paint->colour, cell);
      if (c > 0) line += "  ";
      line += left ? shown + space : space + shown;
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + '\n';
  }
  return out;
}

std::string number(double value) {
  if (!std::isfinite(value)) return "-";
  const auto magnitude = std::fabs(value);
  const bool is_whole = value == std::floor(value) && magnitude < 1e15;
  if (is_whole || magnitude >= 100) {
    auto out = fmt::format("{:.{}f}", value, is_whole ? 0 : 1);
    return magnitude < 1e15 ? base::with_separators(std::move(out)) : out;
  }
  if (magnitude >= 0.001) return fmt::format("{:.3g}", value);
  return fmt::format("{:.2e}", value);
}

std::string seconds(double value) {
  static constexpr std::array<Prefix, 3> kPrefixes = {{{1.0, ""}, {1e-3, "m"}, {1e-6, "u"}}};
  if (value > 0 && value < 1e-6) return fmt::format("{} ns", number(value * 1e9));
  return scaled(value, kPrefixes, "s");
}

std::string bytes_per_second(double value) {
  static constexpr std::array<Prefix, 3> kPrefixes = {{{1e12, "T"}, {1e9, "G"}, {1e6, "M"}}};
  return scaled(value, kPrefixes, "B/s");
}

std::string with_prefix(double value, std::string_view unit) {
  static constexpr std::array<Prefix, 5> kPrefixes = {
      {{1e12, "T"}, {1e9, "G"}, {1e6, "M"}, {1e3, "k"}, {1, ""}}};
  return scaled(value, kPrefixes, unit);
}

std::string wrapped(std::string_view text, std::size_t indent, bool hang, std::size_t width) {
  std::string out;
  std::string line;
  const auto flush = [&] {
    if (!(hang && out.empty())) out += std::string(indent, ' ');
    out += line + '\n';
    line.clear();
  };
  while (!text.empty()) {
    const auto end = std::min(text.find_first_of(" \n"), text.size());
    const auto word = text.substr(0, end);
    if (!line.empty() && indent + base::columns_of(line) + 1 + base::columns_of(word) > width)
      flush();
    if (!word.empty() && !line.empty()) line += ' ';
    line += word;
    if (end < text.size() && text[end] == '\n') flush();
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  if (!line.empty()) flush();
  return out;
}

}  // namespace warpgrade::grader::text
