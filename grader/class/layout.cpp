// SPDX-License-Identifier: Apache-2.0
#include "grader/class/layout.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/base/text.h"
#include "grader/class/hand_in.h"
#include "grader/class/names.h"
#include "grader/class/timestamps.h"

namespace warpgrade::grader::class_book {
namespace {

constexpr std::array<std::string_view, 10> kLayouts = {
    "canvas", "moodle",   "blackboard", "brightspace", "gradescope",
    "github", "nbgrader", "autolab",    "submitty",    "folders"};

using Splits = std::vector<LayoutParts>;

std::int64_t number_in(const std::string& text) {
  return text.empty() || text.size() > 9 ? 0 : std::stoll(text);
}

std::optional<LayoutParts> canvas(const std::string& path) {
  // A text or a link that a student entered has no number of an upload.
  static const NameRule kForm(
      R"(^(?:.*/)?(?:(?<student>[^/]+?)_(?<late>LATE_)?(?<number>\d+)|(?<late_too>LATE_)?(?<nobody>anon_[A-Za-z0-9]+)))"
      R"(_(?:\d+_(?<rest>[^/]+)|(?<text>(?:text|link)\.html))$)");
  static const NameRule kAgain(
      R"(^(?<before>.+)-(?<again>\d{1,3})(?<suffix>\.[^./-]+)$(?<student>))");
  const auto found =
      kForm.groups(path, {"student", "late", "number", "late_too", "nobody", "rest", "text"});
  if (!found) return std::nullopt;
  const auto& part = *found;
  LayoutParts out;
  out.student = part[4].empty() ? part[0] + "_" + part[2] : part[4];
  out.identity = {"", "", part[2], ""};
  out.late_mark = !part[1].empty() || !part[3].empty();
  out.rest = part[5].empty() ? part[6] : part[5];
  if (const auto again = kAgain.groups(part[5], {"before", "again", "suffix"})) {
    out.rest = (*again)[0] + (*again)[2];
    out.number = number_in((*again)[1]);
  }
  return out;
}

// The parts that the groups of `form` find in a path: student, name, login, number, group, rest.
std::optional<LayoutParts> parts_by(const NameRule& form, const std::string& path) {
  const auto found = form.groups(path, {"student", "name", "login", "number", "group", "rest"});
  if (!found) return std::nullopt;
  const auto& part = *found;
  LayoutParts out;
  out.student = part[0];
  out.identity = {part[1], part[2], part[3], ""};
  out.group = part[4];
  out.rest = part[5];
  return out;
}

std::optional<LayoutParts> moodle(const std::string& path) {
  static const NameRule kForm(
      R"(^(?:.*/)?(?<student>(?<name>[^/_]+))(?:_(?<group>(?<number>\d+)))?_assignsubmission_(?:file|onlinetext)(?:_?/|_)(?<rest>.+)$)");
  return parts_by(kForm, path);
}

// A split for each `mark` in the text: before it the title, behind it the student.
Splits by_title(const LayoutParts& rest, const std::string& text, char mark) {
  Splits out;
  for (auto at = text.find(mark); at != std::string::npos; at = text.find(mark, at + 1)) {
    if (at == 0 || at + 1 == text.size()) continue;
    auto one = rest;
    one.title = text.substr(0, at);
    one.student = one.identity.login = text.substr(at + 1);
    out.push_back(std::move(one));
  }
  return out;
}

Splits blackboard(const std::string& path, const TimeZone& zone) {
  static const NameRule kForm(
      R"(^(?:.*/)?(?<group>(?<student>[^/]+)_attempt_\d{4}-\d\d-\d\d-\d\d-\d\d-\d\d)(?:_(?<rest>.+)|\.txt)$)");
  auto whole = parts_by(kForm, path);
  if (!whole) return {};
  constexpr std::size_t kTimeLength = 19;  // at the end of the group
  whole->time = parse_time(whole->group.substr(whole->group.size() - kTimeLength), zone);
  whole->is_companion = whole->rest.empty();
  if (whole->is_companion) whole->rest = whole->group + ".txt";
  return by_title(*whole, whole->student, '_');
}

Splits autolab(const std::string& path) {
  Splits out;
  const auto name = path.substr(path.rfind('/') + 1);
  for (auto at = name.find('_'); at != std::string::npos; at = name.find('_', at + 1)) {
    const auto end = name.find_first_not_of("0123456789", at + 1);
    if (at == 0 || end == at + 1 || end == std::string::npos || name[end] != '_') continue;
    LayoutParts one;
    one.student = name.substr(0, at);
    const bool is_address = one.student.find('@') != std::string::npos;
    (is_address ? one.identity.email : one.identity.login) = one.student;
    one.group = name.substr(0, end);
    one.attempt = number_in(name.substr(at + 1, end - at - 1));
    one.rest = name.substr(end + 1);
    if (!one.rest.empty() && one.attempt > 0) out.push_back(std::move(one));
  }
  return out;
}

std::optional<LayoutParts> submitty(const std::string& path) {
  static const NameRule kForm(
      R"(^(?<group>(?<student>(?<login>[^/]+))/(?<number>\d+))/(?<rest>.+)$)");
  auto out = parts_by(kForm, path);
  if (!out) return out;
  out->attempt = number_in(out->identity.number);
  out->identity.number.clear();
  out->is_companion = out->rest == ".submit.timestamp";
  return out;
}

std::optional<LayoutParts> brightspace(const std::string& path, const TimeZone& zone) {
  static const NameRule kForm(
      R"(^(?:.*/)?(?<group>(?<number>\d+)-\d+) ?- ?(?<student>(?<name>[^/]+?)) ?- ?(?<time>[A-Z][a-z]{2} \d{1,2}, \d{4} \d{3,4} [AP]M)/(?<rest>.+)$)");
  auto out = parts_by(kForm, path);
  if (out) out->time = parse_time(kForm.groups(path, {"time"})->front(), "%b %d, %Y %I%M %p", zone);
  return out;
}

std::optional<LayoutParts> gradescope(const std::string& path) {
  static const NameRule kForm(R"(^(?:.*/)?(?<student>(?<group>submission_\d+))/(?<rest>.+)$)");
  return parts_by(kForm, path);
}

std::optional<LayoutParts> nbgrader(const std::string& path) {
  static const NameRule kForm(
      R"(^(?:(?:.*/)?submitted/)?(?<group>(?<student>(?<login>[^/]+))/[^/]+)/(?<rest>.+)$)");
  if (is_platforms_own(Layout::kNbgrader, path)) return std::nullopt;
  auto out = parts_by(kForm, path);
  if (out) out->is_companion = out->rest == "timestamp.txt";
  return out;
}

std::optional<LayoutParts> folders(const std::string& path) {
  const auto cut = path.find('/');
  if (cut == std::string::npos || cut == 0) return std::nullopt;
  LayoutParts out;
  out.student = path.substr(0, cut);
  out.rest = path.substr(cut + 1);
  return out;
}

Splits github(const std::string& path) {
  static const NameRule kCloned(
      R"(^(?:.*/)?(?<group>(?<lab>[^/]+)-submissions/\g{lab}-(?<student>(?<login>[^/]+)))/(?<rest>.+)$)");
  if (const auto found = parts_by(kCloned, path)) return {*found};
  auto whole = folders(path);
  if (!whole) return {};
  whole->group = whole->identity.login = whole->student;
  // A student's whole name comes first: most folders have no title.
  auto out = by_title(*whole, whole->student, '-');
  out.insert(out.begin(), *whole);
  return out;
}

// The text after `key`, up to the end of the line.
std::string value_of(std::string_view line, std::string_view key) {
  const auto at = line.find(key);
  if (at == std::string_view::npos) return {};
  auto value = line.substr(at + key.size());
  const auto begin = value.find_first_not_of(" '\"");
  const auto end = value.find_last_not_of(" '\"\r");
  return begin == std::string_view::npos ? "" : std::string(value.substr(begin, end + 1 - begin));
}

}  // namespace

std::span<const std::string_view> layout_names() { return kLayouts; }

Splits splits_of(Layout layout, const std::string& path, const TimeZone& zone) {
  const auto alone = [](std::optional<LayoutParts> one) {
    return one ? Splits{*std::move(one)} : Splits{};
  };
  switch (layout) {
    case Layout::kCanvas:
      return alone(canvas(path));
    case Layout::kMoodle:
      return alone(moodle(path));
    case Layout::kBlackboard:
      return blackboard(path, zone);
    case Layout::kBrightspace:
      return alone(brightspace(path, zone));
    case Layout::kGradescope:
      return alone(gradescope(path));
    case Layout::kGithub:
      return github(path);
    case Layout::kNbgrader:
      return alone(nbgrader(path));
    case Layout::kAutolab:
      return autolab(path);
    case Layout::kSubmitty:
      return alone(submitty(path));
    case Layout::kFolders:
      return alone(folders(path));
  }
  return {};
}

HandedIdentity identity_in(const std::string& folder) {
  static const NameRule kSakai(R"(^(?<name>[^()]+?) ?\((?<student>[^()]+)\)$)");
  static const NameRule kIlias(
      R"(^(?<last>[^_]+)_(?<first>[^_]+)_(?<student>[^_].*)_(?<number>\d+)$)");
  if (const auto found = kSakai.groups(folder, {"name", "student"})) {
    return {(*found)[0], (*found)[1], "", ""};
  }
  if (const auto found = kIlias.groups(folder, {"first", "last", "student"})) {
    return {(*found)[0] + " " + (*found)[1], (*found)[2], "", ""};
  }
  return {};
}

bool is_platforms_own(Layout layout, std::string_view path) {
  static constexpr std::array<std::string_view, 5> kFolders = {"source/", "release/", "autograded/",
                                                               "feedback/", "exchange/"};
  if (layout == Layout::kGradescope) return path.ends_with("submission_metadata.yml");
  if (layout == Layout::kBrightspace) return path == "index.html";
  // Sakai's export has the files that the instructor returned (sakaiproject/sakai,
  // assignment.properties, download.feedback.attachment).
  if (layout == Layout::kFolders) return path.find("/Feedback Attachment(s)/") != path.npos;
  if (layout == Layout::kSubmitty) return path.ends_with("/user_assignment_settings.json");
  if (layout == Layout::kNbgrader && path.ends_with("/submission_secret.txt")) return true;
  return layout == Layout::kNbgrader &&
         (std::ranges::any_of(kFolders, [&](auto one) { return path.starts_with(one); }) ||
          path == "gradebook.db" || path == "nbgrader_config.py");
}

LayoutGuess fit_layout(Layout layout, const std::vector<std::string>& paths) {
  const auto fits = [&](const std::string& path) { return !splits_of(layout, path, {}).empty(); };
  return {layout, static_cast<std::size_t>(std::ranges::count_if(paths, fits)), paths.size()};
}

LayoutGuess guess_layout(const std::vector<std::string>& paths) {
  const auto has = [&](const auto& is_it) { return std::ranges::any_of(paths, is_it); };
  LayoutGuess best;
  for (const auto layout : {Layout::kCanvas, Layout::kMoodle, Layout::kBlackboard,
                            Layout::kBrightspace, Layout::kGradescope, Layout::kAutolab}) {
    const auto guess = fit_layout(layout, paths);
    if (guess.fitting > best.fitting && 2 * guess.fitting >= paths.size()) best = guess;
  }
  if (best.fitting > 0) return best;
  const bool in_submitted = has([](const std::string& path) {
    return path.starts_with("submitted/") && std::ranges::count(path, '/') >= 3;
  });
  // Sakai puts a file of that name into the folder of a student, "Doe, Jane(jdoe)".
  const bool has_stamp = has([](const std::string& path) {
    return path.ends_with("/timestamp.txt") && !path.ends_with(")/timestamp.txt");
  });
  if (has([](const std::string& path) { return path.ends_with("/.submit.timestamp"); })) {
    best.layout = Layout::kSubmitty;
  } else if (in_submitted || has_stamp) {
    best.layout = Layout::kNbgrader;
  } else if (has([](const std::string& path) { return path.find("/.git/HEAD") != path.npos; })) {
    best.layout = Layout::kGithub;
  }
  return fit_layout(best.layout, paths);
}

std::vector<GroupMetadata> gradescope_metadata(std::string_view text) {
  std::vector<GroupMetadata> out;
  for (const auto line : base::lines_of(text)) {
    if (line.starts_with("submission_")) {
      out.emplace_back().group = std::string(line.substr(0, line.find(':')));
    }
    if (out.empty()) continue;
    // Only the keys of the submission itself: those of its history are deeper.
    if (line.starts_with("  - :name:")) {
      out.back().students.emplace_back().name = value_of(line, ":name:");
    } else if (line.starts_with("    :") && !out.back().students.empty()) {
      auto& student = out.back().students.back();
      if (line.starts_with("    :sid:")) student.number = value_of(line, ":sid:");
      if (line.starts_with("    :email:")) student.email = value_of(line, ":email:");
    } else if (line.starts_with("  :created_at:")) {
      out.back().time = parse_time(value_of(line, ":created_at:"), {});
    }
  }
  return out;
}

bool has_blackboard_text(std::string_view receipt) {
  constexpr std::string_view kNone =
      "There is no student submission text data for this assignment.";
  bool is_inside = false;
  for (const auto line : base::lines_of(receipt)) {
    if (line.starts_with("Comments:")) break;
    const bool is_text = line.find_first_not_of(" \t\r") != std::string_view::npos;
    if (is_inside && is_text && !line.starts_with(kNone)) return true;
    is_inside = is_inside || line.starts_with("Submission Field:");
  }
  return false;
}

std::vector<HandedIdentity> blackboard_students(std::string_view text) {
  std::vector<HandedIdentity> out;
  static const NameRule kOne(R"(^\s*(?<name>.*?)\s*\((?<student>[^()]+)\)\s*$)");
  for (const auto line : base::lines_of(text)) {
    if (!line.starts_with("Name:")) continue;
    auto rest = line.substr(5);
    while (!rest.empty()) {
      const auto end = std::min(rest.find("),"), rest.size());
      const auto part = rest.substr(0, std::min(end + 1, rest.size()));
      if (const auto found = kOne.groups(part, {"name", "student"})) {
        out.push_back({(*found)[0], (*found)[1], "", ""});
      }
      rest.remove_prefix(std::min(end + 2, rest.size()));
    }
    break;
  }
  return out;
}

}  // namespace warpgrade::grader::class_book
