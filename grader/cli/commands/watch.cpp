// SPDX-License-Identifier: Apache-2.0
// `warpgrade watch`: one exercise on the screen, graded again whenever its file is saved.
//
// A grade runs beside the loop, which waits for keys, for changes of files and for the grade's end.
// Saves during a grade lead to one more grade after it. Only a key leads to another exercise.

#include <fmt/format.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <future>
#include <map>
#include <optional>
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
  std::string name() const { return current().lab->id + "/" + current().exercise->id; }

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
      say(fmt::format("{} is not there: waiting for it to be saved.", shown_file()));
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
    show();
  }

  // The report of the last attempt, its changes, and the keys.
  void show() {
    const auto style = text::style_of_stdout();
    std::string out = isatty(STDOUT_FILENO) == 1 ? "\033[H\033[2J\033[3J" : "";
    const auto& report = last_[name()];
    if (!report.exercises.empty()) out += render_text(report, style);
    if (!trouble_.empty()) {
      out += text::wrapped(base::escape_controls(trouble_, /*keep_newlines=*/true), 0, false,
                           style.width());
    }
    if (!remarks_.empty()) {
      out += text::wrapped(base::escape_controls(remarks_, /*keep_newlines=*/true), 0, false,
                           style.width());
    }
    if (!is_first_ && trouble_.empty()) out += change_lines(style);
    out += hints_shown_;
    out += keys_line(style);
    print(out);
  }

  std::string change_lines(const text::Style& style) const {
    if (changes_.empty()) return "\nsince the last attempt: nothing changed\n";
    std::string out = "\nsince the last attempt\n";
    for (const auto& change : changes_) {
      const auto colour = change.direction == watch::Direction::kBetter  ? text::Colour::kGreen
                          : change.direction == watch::Direction::kWorse ? text::Colour::kRed
                                                                         : text::Colour::kDim;
      out += "  " + style(colour, change.text) + '\n';
    }
    return out;
  }

  std::string keys_line(const text::Style& style) const {
    const auto& items = last_.at(name()).exercises;
    const bool passed = !items.empty() && items.front().verdict == report::Verdict::kPass;
    const auto where = fmt::format("{} of {}: {}", current_ + 1, exercises_.size(), shown_file());
    if (keyboard_.descriptor() < 0) return fmt::format("\nwaiting for a save of {}\n", where);
    return fmt::format(
        "\n{}\n{}\n",
        style(text::Colour::kBold, "h hint   n next   p previous   r report   q quit"),
        passed && current_ + 1 < exercises_.size() ? where + " is passed; n goes on"
                                                   : "waiting for a save of " + where);
  }

  void show_hint() {
    const auto& exercise = *current().exercise;
    const auto key = (course_.root / "labs" / name()).string();
    // The session remembers hints even if the file cannot store them.
    auto& shown = hints_seen_[key];
    const auto seen = std::max(shown, watch::seen_hints(watch::hints_file(), key));
    // The report shows the first one, so a key asks for one more.
    const auto count = std::min(seen + 1, exercise.hints.size());
    if (count != seen) watch::keep_seen_hints(watch::hints_file(), key, count);
    shown = count;
    const auto width = text::style_of_stdout().width();
    hints_shown_ = "\n";
    for (std::size_t i = 1; i < count; ++i) {
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
      case 'p':
        move_by(key == 'n' ? 1 : -1);
        break;
      case 'r':
        hints_shown_.clear();
        show();
        break;
      case 'q':
        is_over_ = true;
        break;
      default:
        break;
    }
  }

  void move_by(int step) {
    const auto last = exercises_.size() - 1;
    if (step > 0 ? current_ == last : current_ == 0) {
      say(step > 0 ? "This is the last exercise." : "This is the first exercise.");
      return;
    }
    go_to(step > 0 ? current_ + 1 : current_ - 1);
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
    return shown_path(course_, current().lab->folder / current().exercise->file_name());
  }
  static void say(const std::string& text) { print(text + '\n'); }

  const course::Course& course_;
  std::vector<course::Selected> exercises_;
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
  const auto course = course::read_course(course::find_root(), options.selections);
  return Watch(course, select(course, options.selections), options).run();
}

}  // namespace warpgrade::grader::cli
