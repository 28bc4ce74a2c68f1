// SPDX-License-Identifier: Apache-2.0
// Text for people: colours and columns of a terminal, and lists of names and suggestions. Also
// the program's own name, escaped text for XML and HTML, and hints in ROT13.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace warpgrade::grader::text {

/// Rotates ASCII letters by 13 places, so that nobody reads a hint by accident. Applying it twice
/// restores the text.
std::string rot13(std::string_view text);

/// Replaces & < > and " by entities. The result is safe between tags and in an attribute in double
/// quotes.
std::string escape_markup(std::string_view text);

/// `text` as one word of a shell's command line, in quotes if necessary.
std::string shell_word(const std::string& text);

/// ", did you mean `x`?" if one of `candidates` is near to `word`; otherwise empty.
std::string did_you_mean(std::string_view word, std::span<const std::string_view> candidates);
std::string did_you_mean(std::string_view word, std::span<const std::string> candidates);

/// "a, b, c".
std::string joined(std::span<const std::string_view> names, std::string_view separator = ", ");
std::string joined(std::span<const std::string> names, std::string_view separator = ", ");

/// The keys of a map, for the functions above.
template <typename Map>
std::vector<std::string> keys_of(const Map& map) {
  std::vector<std::string> out;
  for (const auto& [key, value] : map) out.emplace_back(key);
  return out;
}

/// "there is no `fro`, did you mean `from`?; it is one of: from, to". Control characters of `given`
/// are escaped.
std::string not_one_of(std::string_view given, std::span<const std::string_view> choices);

enum class Colour { kGreen, kRed, kYellow, kBold, kDim };

/// Line width of a report that does not go to a terminal.
constexpr std::size_t kDefaultColumns = 100;

/// The look of a report: whether it has colours, and the most columns of a line.
class Style {
 public:
  explicit Style(bool colours = false, std::size_t width = kDefaultColumns)
      : colours_(colours), width_(width) {}
  std::string operator()(Colour colour, std::string_view text) const;
  std::size_t width() const { return width_; }

 private:
  bool colours_;
  std::size_t width_;
};

/// Colours if standard output is a terminal that has them and NO_COLOR is not set. Lines have the
/// terminal's width, between 60 and 120 columns.
Style style_of_stdout();

/// Rows of cells in aligned columns, with two spaces between columns.
class Columns {
 public:
  /// `left` marks the columns that are aligned left. Columns past its end are aligned right.
  explicit Columns(std::vector<bool> left) : left_(std::move(left)) {}
  void add(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }
  /// Colours the text of one cell.
  void colour(std::size_t row, std::size_t column, Colour colour);
  /// The rows, each with `indent` spaces before it and a newline after it.
  std::string text(std::size_t indent, const Style& style) const;
  std::size_t size() const { return rows_.size(); }
  /// Columns of the longest line, without an indent.
  std::size_t width() const;

 private:
  struct Paint {
    std::size_t row;
    std::size_t column;
    Colour colour;
  };
  std::vector<std::size_t> widths() const;

  std::vector<bool> left_;
  std::vector<std::vector<std::string>> rows_;
  std::vector<Paint> paints_;
};

/// A number for people: whole ones in full with thousands separators ("4,063,232"), others with 3
/// significant digits.
std::string number(double value);
/// "1.23 us", "4.20 TB/s": SI prefixes.
std::string seconds(double value);
std::string bytes_per_second(double value);
/// "25.2 MB", "66.9 TFLOP", "12.1 TFLOP/s": SI prefixes up to `unit`.
std::string with_prefix(double value, std::string_view unit);
/// `text` broken into lines of at most `width` columns, each with `indent` spaces before it. With
/// `hang`, the first line has no indent.
std::string wrapped(std::string_view text, std::size_t indent, bool hang = false,
                    std::size_t width = kDefaultColumns);

}  // namespace warpgrade::grader::text
