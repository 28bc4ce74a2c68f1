// SPDX-License-Identifier: Apache-2.0
// `warpgrade watch`: one exercise on the screen, graded again whenever its file is saved.
//
// A grade runs beside the loop, which waits for keys, for changes of files and for the grade's end.
// Saves during a grade lead to one more grade after it. Only a key leads to another exercise.
// The screen shows as much of the report as fits, from its top, where the cause and the next step
// are; a key shows all of it.

#include <fmt/format.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <future>
#include <map>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "common/base/error.h"
#include "common/base/text.h"
#include "grader/cli/commands/commands.h"
#include "grader/cli/version.h"
#include "grader/course/course.h"
#include "grader/grade/grading_session.h"
#include "grader/html/render_html.h"
#include "grader/report/render_text.h"
#include "grader/text/files.h"
#include "grader/watch/events.h"
#include "grader/watch/student_progress.h"

namespace warpgrade::grader::cli {
namespace {

// A grade that ran to its end, or why it did not.
struct Attempt {
  std::string exercise;
  report::Report report;
  std::string trouble;
  std::string not_kept;  // Why the progress file was not written.
  std::string no_page;   // Why the page was not.
};

// Becomes readable when a grade has ended.
class EndBell {
 public:
  EndBell() : descriptor_(eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)) {
    if (descriptor_ < 0) throw base::ToolError("watch: the system has no descriptor left");
  }
  EndBell(const EndBell&) = delete;
  EndBell& operator=(const EndBell&) = delete;
  ~EndBell() { close(descriptor_); }
  int descriptor() const { return descriptor_; }
  void ring() const { eventfd_write(descriptor_, 1); }
  void silence() const {
    eventfd_t ignored = 0;
    eventfd_read(descriptor_, &ignored);
  }

 private:
  int descriptor_;
};

// The report as a page that a browser loads again every two seconds.
void write_page(const std::string& file, report::Report report) {
  report.provenance = provenance(std::chrono::system_clock::now());
  auto page = html::render(report);
  constexpr std::string_view kHead = "<head>";
  const auto head = page.find(kHead);
  if (head != std::string::npos) {
    page.insert(head + kHead.size(), "\n<meta http-equiv=\"refresh\" content=\"2\">");
  }
  text::write_atomically(file, page);
}

// Zeros if standard output is not a terminal.
winsize terminal_size() {
  winsize size{};
  const bool is_known = isatty(STDOUT_FILENO) == 1 && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0;
  return is_known ? size : winsize{};
}

std::size_t terminal_rows() { return terminal_size().ws_row; }

// `text` with lines of at most `columns` characters, broken between words. A report's lines of
// source can be longer than the terminal. Sequences that colour have no width.
std::string folded(const std::string& text, std::size_t columns) {
  std::string out;
  std::size_t width = 0;
  std::size_t after_space = 0;  // Width of the text behind the last space.
  std::optional<std::size_t> space;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\033') {
      const auto end = std::min(text.find('m', i), text.size() - 1);
      out += text.substr(i, end - i + 1);
      i = end;
      continue;
    }
    const bool is_first_byte = (static_cast<unsigned char>(text[i]) & 0xC0U) != 0x80U;
    if (text[i] == '\n') {
      width = 0;
      space.reset();
    } else if (is_first_byte) {
      if (width == columns && space) {
        out[*space] = '\n';
        width = after_space;
        space.reset();
      }
      if (text[i] == ' ' && width > 0 && out.back() != ' ' && out.back() != '\n') {
        space = out.size();
        after_space = 0;
      } else {
        ++after_space;
      }
      ++width;
    }
    out += text[i];
  }
  return out;
}

std::size_t count_lines(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count(text, '\n'));
}

// The first `most` lines of `text`.
std::string first_lines(const std::string& text, std::size_t most) {
  std::size_t end = 0;
  for (std::size_t i = 0; i < most && end < text.size(); ++i) end = text.find('\n', end) + 1;
  return text.substr(0, end);
}

class Watch {
 public:
  Watch(const course::Course& course, std::vector<course::Selected> exercises,
        const WatchOptions& options)
      : course_(course), exercises_(std::move(exercises)), options_(options) {
    go_to(first_open());
  }

  int run() {
    while (!is_over_) {
      if (!grading_ && files_.changed()) begin();
      wait();
    }
    // An unwanted grade need not finish.
    if (grading_) leave_at_once();
    print("\n");
    return 0;
  }

 private:
  const course::Selected& current() const { return exercises_[current_]; }
  static std::string name_of(const course::Selected& one) {
    return one.lab->id + "/" + one.exercise->id;
  }
  std::string name() const { return name_of(current()); }

  // The first exercise that is not passed.
  std::size_t first_open() const {
    const auto progress = watch::read_progress(watch::progress_file(), course_.root);
    for (std::size_t i = 0; i < exercises_.size(); ++i) {
      const auto& one = exercises_[i];
      const auto found = progress.find(one.lab->id + "/" + one.exercise->id);
      if (found == progress.end() || !found->second.passed) return i;
    }
    return 0;
  }

  void go_to(std::size_t number) {
    current_ = number;
    hints_shown_.clear();
    files_.watch(current().lab->folder / current().exercise->file_name());
  }

  void begin() {
    if (!files_.is_there()) {
      // An editor that saves by renaming has it back in a moment, which wakes the loop.
      say(fmt::format("{} does not exist. Waiting for you to save it.", shown_file()));
      return;
    }
    say(fmt::format("grading {} ...", name()));
    grading_ = std::async(std::launch::async, [this, selected = current(), name = name()] {
      Attempt out{name, {}, {}, {}, {}};
      try {
        grade::GradingSession session(options_.backend, {}, cases::kDefaultSeed);
        out.report = session.grade({grade::student_task(course_, selected)}, /*counters=*/false,
                                   /*pictures=*/!options_.html.empty());
        out.not_kept = watch::keep_progress(watch::progress_file(), course_.root, out.report);
      } catch (const std::exception& error) {
        out.trouble = error.what();
      }
      try {  // A page that cannot be written costs the page, not the report.
        if (!options_.html.empty() && out.trouble.empty()) write_page(options_.html, out.report);
      } catch (const std::exception& error) {
        out.no_page = error.what();
      }
      bell_.ring();
      return out;
    });
  }

  void end() {
    bell_.silence();
    auto attempt = grading_->get();
    grading_.reset();
    auto& before = last_[attempt.exercise];
    std::vector<watch::AttemptChange> changes;
    const bool is_first = before.exercises.empty();
    if (attempt.trouble.empty()) {
      if (!is_first) {
        changes =
            watch::changes_between(before.exercises.front(), attempt.report.exercises.front());
      }
      before = std::move(attempt.report);
    }
    if (attempt.exercise != name()) return;
    changes_ = std::move(changes);
    trouble_ = std::move(attempt.trouble);
    remarks_ = std::move(attempt.no_page);
    if (!attempt.not_kept.empty() && !is_told_of_progress_) {
      is_told_of_progress_ = true;
      remarks_ += fmt::format("{}Your progress was not saved: {}", remarks_.empty() ? "" : "\n",
                              attempt.not_kept);
    }
    is_first_ = is_first;
    hints_shown_.clear();  // They were about the file before.
    show();
  }

  // The report of the last attempt, or as much of it as fits, then its changes and the keys.
  void show(bool whole = false) {
    const auto style = text::style_of_stdout();
    const auto& report = last_[name()];
    std::string top;
    if (!report.exercises.empty()) top += report_from_title(report, style);
    if (!trouble_.empty()) {
      top += text::wrapped(base::escape_controls(trouble_, /*keep_newlines=*/true), 0, false,
                           style.width());
    }
    if (const auto columns = terminal_size().ws_col; columns > 0) top = folded(top, columns);
    std::string bottom;
    if (!remarks_.empty()) {
      bottom += text::wrapped(base::escape_controls(remarks_, /*keep_newlines=*/true), 0, false,
                              style.width());
    }
    if (!is_first_ && trouble_.empty()) bottom += change_lines(style);
    bottom += hints_shown_ + keys_line(style);
    const auto clear = isatty(STDOUT_FILENO) == 1 ? "\033[H\033[2J\033[3J" : "";
    print(clear + (whole ? top : fitting(top, count_lines(bottom))) + bottom);
  }

  // The report without the lines about the run, which are the same at each attempt.
  static std::string report_from_title(const report::Report& report, const text::Style& style) {
    const auto text = render_text(report, style);
    const auto title = text.find("\n\n");
    const auto summary = text.rfind("\n\n");
    return title < summary ? text.substr(title + 2, summary - title - 1) : text;
  }

  // `text`, or its first lines if the terminal is too small for it and `others` below it.
  static std::string fitting(const std::string& text, std::size_t others) {
    constexpr std::size_t kLeast = 8;  // For the verdict and its cause.
    const auto rows = terminal_rows();
    const auto all = count_lines(text);
    if (rows == 0 || all + others < rows) return text;
    const auto room = rows > others + 2 ? rows - others - 2 : 0;
    const auto shown = std::max(room, kLeast);
    if (shown + 1 >= all) return text;
    return first_lines(text, shown) + fmt::format("  {} more lines: press r\n", all - shown);
  }

  std::string change_lines(const text::Style& style) const {
    constexpr std::size_t kMost = 4;  // The first ones are points and gates that turned.
    if (changes_.empty()) return "\nsince the last attempt: nothing changed\n";
    std::string out = "\nsince the last attempt\n";
    const bool is_small = terminal_rows() != 0 && terminal_rows() < 40;
    const auto shown = is_small ? std::min(changes_.size(), kMost) : changes_.size();
    for (const auto& change : std::span(changes_).first(shown)) {
      const auto colour = change.direction == watch::Direction::kBetter  ? text::Colour::kGreen
                          : change.direction == watch::Direction::kWorse ? text::Colour::kRed
                                                                         : text::Colour::kDim;
      out += "  " + style(colour, change.text) + '\n';
    }
    return out;
  }

  std::string keys_line(const text::Style& style) {
    std::string out = "\n";
    if (!options_.html.empty()) out += page_line(options_.html);
    const bool has_keys = keyboard_.descriptor() >= 0;
    if (has_keys) {
      out += style(text::Colour::kBold, "h hint   n next   p previous   r report   q quit") + '\n';
    }
    if (has_passed()) return out + text::wrapped(after_pass(has_keys), 0, false, style.width());
    const auto waiting = fmt::format("Waiting for you to save {} (exercise {} of {}).",
                                     shown_file(), current_ + 1, exercises_.size());
    return out + text::wrapped(waiting, 0, false, style.width());
  }

  bool has_passed() const {
    const auto found = last_.find(name());
    return found != last_.end() && !found->second.exercises.empty() &&
           found->second.exercises.front().verdict == report::Verdict::kPass;
  }

  std::string after_pass(bool has_keys) {
    const auto next = next_exercise();
    if (!next) return "Passed, and so are all other exercises. Well done.";
    if (has_keys) return fmt::format("Passed. Press n for the next exercise, {}.", name_of(*next));
    return fmt::format("Passed. The next exercise is {0}: {1} watch {0}", name_of(*next),
                       base::program_call());
  }

  // The next watched exercise; after the last one, the first exercise of the course that is open.
  std::optional<course::Selected> next_exercise() {
    if (current_ + 1 < exercises_.size()) return exercises_[current_ + 1];
    std::vector<std::string> ignored;
    if (!whole_) whole_ = course::read_usable_labs(course_.root, ignored);
    const auto progress = watch::read_progress(watch::progress_file(), course_.root);
    return watch::next_exercise(*whole_, progress);
  }

  void show_hint() {
    const auto& exercise = *current().exercise;
    const auto key = (course_.root / "labs" / name()).string();
    // The session remembers hints even if the file cannot store them.
    auto& shown = hints_seen_[key];
    const auto seen = std::max(shown, watch::seen_hints(watch::hints_file(), key));
    // The report shows the first one, so a key requests one more.
    const auto count = std::min(seen + 1, exercise.hints.size());
    if (count != seen) watch::keep_seen_hints(watch::hints_file(), key, count);
    shown = count;
    const auto width = text::style_of_stdout().width();
    hints_shown_ = "\n";
    // A small terminal has room for one hint below the report's cause.
    const bool is_small = terminal_rows() != 0 && terminal_rows() < 40;
    for (std::size_t i = is_small ? count - 1 : 1; i < count; ++i) {
      hints_shown_ += text::wrapped(base::escape_controls(exercise.shown_hint(i)), 2, false, width);
    }
    if (count == seen) hints_shown_ += "  These are all hints.\n";
    show();
  }

  void press(char key) {
    switch (key) {
      case 'h':
        show_hint();
        break;
      case 'n':
        go_to_next();
        break;
      case 'p':
        go_to_previous();
        break;
      case 'r':
        hints_shown_.clear();
        show(/*whole=*/true);
        break;
      case 'q':
        is_over_ = true;
        break;
      default:
        break;
    }
  }

  void go_to_next() {
    const bool is_last = current_ + 1 == exercises_.size();
    const auto next = is_last && !has_passed() ? std::nullopt : next_exercise();
    if (!next) {
      say("This is the last exercise.");
      return;
    }
    const auto is_next = [&](const auto& one) { return name_of(one) == name_of(*next); };
    const auto found = std::ranges::find_if(exercises_, is_next);
    const auto number = static_cast<std::size_t>(found - exercises_.begin());
    if (found == exercises_.end()) exercises_.push_back(*next);
    go_to(number);
  }

  void go_to_previous() {
    if (current_ == 0) {
      say("This is the first exercise.");
      return;
    }
    go_to(current_ - 1);
  }

  // Waits for a key, a save, the grade's end, or the end of the output's reader.
  void wait() {
    constexpr int kLookAgainMs = 2000;  // For folders without change notification.
    std::array<pollfd, 4> all = {{{keyboard_.descriptor(), POLLIN, 0},
                                  {files_.descriptor(), POLLIN, 0},
                                  {bell_.descriptor(), POLLIN, 0},
                                  {STDOUT_FILENO, 0, 0}}};
    const auto count = poll(all.data(), all.size(), kLookAgainMs);
    if (count == 0) files_.look();
    if (count <= 0) return;
    const auto& [keys, files, bell, reader] = all;
    if ((reader.revents & (POLLERR | POLLHUP)) != 0) is_over_ = true;
    if (files.revents != 0) files_.drain();
    if (bell.revents != 0) end();
    if (keys.revents == 0) return;
    const auto key = keyboard_.next();
    if (!key) is_over_ = true;
    if (key) press(*key);
  }

  [[noreturn]] void leave_at_once() {
    print("\n");
    keyboard_.restore();
    std::_Exit(0);
  }

  std::string shown_file() const {
    return course::path_from_here(current().lab->folder / current().exercise->file_name());
  }
  static void say(const std::string& text) { print(text + '\n'); }

  const course::Course& course_;
  std::optional<course::Course> whole_;      ///< Read when the watched exercises are passed.
  std::vector<course::Selected> exercises_;  ///< They point into a course.
  const WatchOptions& options_;
  std::size_t current_ = 0;
  bool is_over_ = false;
  watch::Keyboard keyboard_;
  watch::WatchedFiles files_;
  EndBell bell_;
  std::map<std::string, report::Report> last_;  ///< The last attempt at each exercise.
  std::vector<watch::AttemptChange> changes_;
  bool is_first_ = true;
  std::string trouble_;
  std::string remarks_;
  bool is_told_of_progress_ = false;
  std::string hints_shown_;
  std::map<std::string, std::size_t> hints_seen_;  ///< How many, by exercise.
  std::optional<std::future<Attempt>> grading_;    // Ended first: last.
};

}  // namespace

int run_command(const WatchOptions& options) {
  const auto course = course::read_course(course::find_working_root(), options.selections);
  return Watch(course, select(course, options.selections), options).run();
}

}  // namespace warpgrade::grader::cli
