// SPDX-License-Identifier: Apache-2.0
#include "grader/class/gradebook.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "common/base/error.h"
#include "common/base/text.h"
#include "common/base/utf8.h"
#include "grader/text/composed.h"
#include "grader/text/legacy_names.h"

namespace warpgrade::grader::class_book {
namespace {

constexpr std::array<std::string_view, 5> kKinds = {"csv", "canvas", "moodle", "blackboard",
                                                    "brightspace"};

std::string trimmed(std::string_view text) {
  const auto begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos) return {};
  return std::string(text.substr(begin, text.find_last_not_of(" \t\r\n") + 1 - begin));
}

std::string ascii_lower(std::string_view text) {
  std::string out(text);
  for (auto& c : out) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return out;
}

// Only letters and digits, so that "Coalescing: copy" is "coalescing/copy".
std::string squashed(std::string_view text) {
  std::string out;
  for (const char c : ascii_lower(text)) {
    if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || static_cast<unsigned char>(c) > 127) {
      out += c;
    }
  }
  return out;
}

// Positions of the identity columns; nullopt for a missing one.
struct IdentityColumns {
  std::optional<std::size_t> student, name, first, last, login, number, id, email;
};

IdentityColumns identity_columns(const CsvTable& table, std::size_t header) {
  IdentityColumns out;
  const std::array<std::pair<std::optional<std::size_t>*, std::vector<std::string_view>>, 7> known =
      {{{&out.name, {"name", "full name"}},
        {&out.first, {"first name", "firstname", "given name"}},
        {&out.last, {"last name", "lastname", "surname", "family name"}},
        {&out.login, {"sis login id", "username", "login", "login id", "login_id"}},
        {&out.number,
         {"sis user id", "id number", "student id", "orgdefinedid", "number", "student number",
          "user_id"}},
        {&out.id, {"id", "identifier", "canvas_user_id"}},
        {&out.email, {"email", "email address", "e-mail", "e-mail address"}}}};
  for (std::size_t i = 0; i < table.columns(header); ++i) {
    const auto title = ascii_lower(trimmed(table.text(header, i)));
    if (title == "student" && !out.student) out.student = i;
    for (const auto& [column, titles] : known) {
      if (!*column && std::ranges::find(titles, title) != titles.end()) *column = i;
    }
  }
  return out;
}

GradebookKind kind_of(const CsvTable& table, std::size_t header, const IdentityColumns& columns) {
  std::set<std::string> titles;
  for (std::size_t i = 0; i < table.columns(header); ++i) {
    titles.insert(ascii_lower(trimmed(table.text(header, i))));
  }
  const auto has = [&](const char* title) { return titles.contains(title); };
  if (has("orgdefinedid") || has("end-of-line indicator")) return GradebookKind::kBrightspace;
  // Canvas can give the names in two columns.
  const bool has_name = columns.student || has("lastname");
  if (has_name && columns.id && has("section")) return GradebookKind::kCanvas;
  if (has("student id") && has("username") && columns.last) return GradebookKind::kBlackboard;
  if (has("identifier") || has("id number")) return GradebookKind::kMoodle;
  if (columns.first && columns.last && columns.email && !columns.student) {
    return GradebookKind::kMoodle;
  }
  return GradebookKind::kPlain;
}

class GradebookReader {
 public:
  GradebookReader(std::string_view bytes, const std::string& shown) : shown_(shown) {
    out_.table = CsvTable(bytes);
    if (out_.table.rows() == 0) {
      throw base::UsageError(fmt::format("{}:1: the roster is empty", shown_));
    }
    decode_cells();
    columns_ = identity_columns(out_.table, out_.header);
    out_.kind = kind_of(out_.table, out_.header, columns_);
    const bool is_named = columns_.student || columns_.login || columns_.number || columns_.email ||
                          columns_.name || columns_.last;
    if (!is_named) {
      throw base::UsageError(fmt::format(
          "{}:1: the first row names the columns; one of them must be `student`, or a platform's "
          "(Student, Username, ID number, Email address, ...)",
          shown_));
    }
  }

  Gradebook read() {
    for (std::size_t row = out_.header + 1; row < out_.table.rows(); ++row) add(row);
    for (const auto& one : out_.students) ++names_[one.name];
    for (std::size_t i = 0; i < out_.students.size(); ++i) name_key(out_.students[i], out_.rows[i]);
    return std::move(out_);
  }

 private:
  // A spreadsheet writes CSV files in a code page of its machine. The file itself keeps its bytes.
  void decode_cells() {
    for (std::size_t row = 0; row < out_.table.rows(); ++row) {
      for (std::size_t i = 0; i < out_.table.columns(row); ++i) {
        const auto text = trimmed(out_.table.text(row, i));
        if (base::replace_invalid_utf8(text) != text) decoded_[text] = text;
      }
    }
    std::vector<std::string*> cells;
    for (auto& one : decoded_) cells.push_back(&one.second);
    if (!cells.empty()) text::decode_legacy_cells(cells);
  }

  std::string cell(std::size_t row, std::optional<std::size_t> column) const {
    if (!column) return {};
    auto text = trimmed(out_.table.text(row, *column));
    if (const auto found = decoded_.find(text); found != decoded_.end()) text = found->second;
    return base::escape_controls(text::composed_text(text));
  }

  void add(std::size_t row) {
    Enrolled one;
    const bool is_canvas = out_.kind == GradebookKind::kCanvas;
    const auto student = cell(row, columns_.student);
    one.login = cell(row, columns_.login);
    one.number = cell(row, columns_.number);
    one.id = cell(row, columns_.id);
    one.email = cell(row, columns_.email);
    if (out_.kind == GradebookKind::kBrightspace) {
      // Brightspace writes "#" before both, so that spreadsheets read them as text.
      if (one.login.starts_with('#')) one.login.erase(0, 1);
      if (one.number.starts_with('#')) one.number.erase(0, 1);
    }
    if (one.id.starts_with("Participant ")) one.id.erase(0, 12);
    one.first_name = cell(row, columns_.first);
    one.last_name = cell(row, columns_.last);
    one.name = is_canvas ? student : cell(row, columns_.name);
    if (one.first_name.empty() && one.last_name.empty()) {
      std::tie(one.first_name, one.last_name) = split_name(one.name);
    }
    if (is_canvas || one.name.empty()) one.name = trimmed(one.first_name + " " + one.last_name);
    if (!is_canvas) one.student = student;
    // Canvas has rows of its own below the titles, and a student for tests at the end.
    const bool is_own = is_canvas && (one.id.empty() || one.name == "Test Student");
    const bool is_empty = one.name.empty() && one.student.empty() && one.login.empty() &&
                          one.number.empty() && one.email.empty() && one.id.empty();
    bool is_blank = true;
    for (std::size_t i = 0; i < out_.table.columns(row); ++i) {
      is_blank = is_blank && trimmed(out_.table.text(row, i)).empty();
    }
    if (is_own || is_blank || (is_empty && out_.kind != GradebookKind::kPlain)) return;
    out_.students.push_back(std::move(one));
    out_.rows.push_back(row);
  }

  // The login or the name if it is unique, or another unique field.
  void name_key(Enrolled& one, std::size_t row) {
    const auto name = names_[one.name] == 1 ? one.name : "";
    const bool has_key = columns_.student && out_.kind != GradebookKind::kCanvas;
    std::vector<std::string> choices = {one.login, name, one.email, one.number, one.id};
    if (has_key) choices = {one.student};
    bool is_known = false;
    for (const auto& choice : choices) {
      if (!is_student_name(choice)) continue;
      one.student = choice;
      if (keys_.insert(choice).second) return;
      is_known = true;
    }
    if (is_known) {
      throw base::UsageError(fmt::format("{}: row {} names {} a second time", shown_, row + 1,
                                         base::escape_controls(one.student)));
    }
    throw base::UsageError(
        fmt::format("{}: row {} has no student's name{}", shown_, row + 1,
                    one.name.empty() ? "" : " that tells this student from another of that name"));
  }

  const std::string& shown_;
  Gradebook out_;
  IdentityColumns columns_;
  std::map<std::string, std::string> decoded_;  // Cells that are not UTF-8.
  std::map<std::string, int> names_;
  std::set<std::string> keys_;
};

}  // namespace

std::string_view name(GradebookKind kind) { return kKinds.at(static_cast<std::size_t>(kind)); }

std::pair<std::string, std::string> split_name(const std::string& name) {
  if (const auto comma = name.find(','); comma != std::string::npos) {
    return {trimmed(name.substr(comma + 1)), trimmed(name.substr(0, comma))};
  }
  const auto space = name.rfind(' ');
  if (space == std::string::npos) return {"", name};
  return {name.substr(0, space), name.substr(space + 1)};
}

std::optional<std::size_t> Gradebook::column_called(std::string_view title) const {
  const auto wanted = squashed(title);
  for (std::size_t i = 0; i < table.columns(header); ++i) {
    const auto full = trimmed(table.text(header, i));
    // "Title (12345)" of Canvas, "Assignment: Title (Real)" of Moodle, "Title [Total Pts: 10 Score]
    // |12345" of Blackboard, "Title Points Grade <Numeric MaxPoints:10>" of Brightspace.
    auto text = full.substr(0, std::min(full.find(" [Total Pts"), full.find(" Points Grade")));
    if (const auto open = text.rfind(" ("); open != std::string::npos && text.ends_with(')')) {
      const auto inner = text.substr(open + 2, text.size() - open - 3);
      const bool is_number = inner.find_first_not_of("0123456789") == std::string::npos;
      if (is_number || inner == "Real") text = text.substr(0, open);
    }
    const auto colon = text.find(':');
    const auto after = colon == std::string::npos ? "" : text.substr(colon + 1);
    if (full == title || text == title) return i;
    if (!wanted.empty() && (squashed(text) == wanted || squashed(after) == wanted)) return i;
  }
  return std::nullopt;
}

Gradebook read_gradebook(std::string_view bytes, const std::string& shown) {
  return GradebookReader(bytes, shown).read();
}

bool is_student_name(std::string_view text) {
  return !text.empty() && text.size() <= 128 && text != "." && text != ".." &&
         text.find('/') == std::string_view::npos && base::escape_controls(text) == text;
}

}  // namespace warpgrade::grader::class_book
