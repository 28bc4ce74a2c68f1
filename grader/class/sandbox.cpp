// SPDX-License-Identifier: Apache-2.0
#include "grader/class/sandbox.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sched.h>
#include <seccomp.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "common/base/child_process.h"
#include "common/base/error.h"
#include "common/compile/child.h"

namespace warpgrade::grader::class_book {
namespace {

constexpr int kNoNamespaces = 1;
constexpr int kSignalled = 128;  // process 1 cannot end by a signal of its own, so it adds this

bool write_file(const char* path, const std::string& text) {
  const int file = open(path, O_WRONLY | O_CLOEXEC);
  if (file < 0) return false;
  const bool done = write(file, text.data(), text.size()) == static_cast<ssize_t>(text.size());
  close(file);
  return done;
}

// Users other than root need a namespace of users, in which they keep their numbers.
bool enter_namespaces() {
  constexpr int kFlags = CLONE_NEWPID | CLONE_NEWNS | CLONE_NEWNET | CLONE_NEWIPC;
  const auto user = geteuid();
  const auto group = getegid();
  if (user == 0) return unshare(kFlags) == 0;
  return unshare(kFlags | CLONE_NEWUSER) == 0 && write_file("/proc/self/setgroups", "deny") &&
         write_file("/proc/self/uid_map", fmt::format("{0} {0} 1", user)) &&
         write_file("/proc/self/gid_map", fmt::format("{0} {0} 1", group));
}

// A /proc of the new namespace of processes. Its settings are the whole machine's.
bool mount_proc() {
  constexpr auto kFlags = MS_NOSUID | MS_NODEV | MS_NOEXEC;
  if (mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0) return false;
  if (mount("proc", "/proc", "proc", kFlags, nullptr) != 0) return false;
  for (const auto* path : {"/proc/sys", "/proc/sysrq-trigger", "/proc/irq", "/proc/bus", "/proc/fs",
                           "/proc/acpi", "/proc/scsi"}) {
    if (access(path, F_OK) != 0) continue;
    if (mount(path, path, nullptr, MS_BIND | MS_REC, nullptr) != 0) return false;
    constexpr auto kReadOnly = MS_REMOUNT | MS_BIND | MS_RDONLY | kFlags;
    if (mount(nullptr, path, nullptr, kReadOnly, nullptr) != 0) return false;
  }
  return true;
}

void die_with_parent() { prctl(PR_SET_PDEATHSIG, SIGKILL); }

// Waits for `child` and ends as it did.
[[noreturn]] void end_as(pid_t child) {
  int status = 0;
  while (true) {
    const pid_t ended = wait(&status);
    if (ended == child) break;
    if (ended < 0 && errno != EINTR) _exit(kNoNamespaces);
  }
  const int code = WIFEXITED(status) ? WEXITSTATUS(status) : kSignalled + WTERMSIG(status);
  if (code > kSignalled) {
    const rlimit none{0, 0};
    setrlimit(RLIMIT_CORE, &none);
    std::signal(code - kSignalled, SIG_DFL);
    kill(getpid(), code - kSignalled);
  }
  _exit(code);
}

}  // namespace

pid_t fork_apart() {
  const pid_t outside = fork();
  if (outside != 0) return outside;
  die_with_parent();
  if (!enter_namespaces()) _exit(kNoNamespaces);
  const pid_t first = fork();  // process 1 of the new namespace
  if (first < 0) _exit(kNoNamespaces);
  if (first > 0) end_as(first);
  die_with_parent();
  if (!mount_proc()) _exit(kNoNamespaces);
  const pid_t child = fork();
  if (child < 0) _exit(kNoNamespaces);
  if (child > 0) end_as(child);
  die_with_parent();
  return 0;
}

bool works_apart(const std::function<bool()>& act) {
  const pid_t child = fork_apart();
  if (child < 0) return false;
  if (child == 0) _exit(act() ? 0 : kNoNamespaces);
  const int status = base::wait_for(child);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/// Whether bubblewrap is installed and may make its namespaces here.
static bool has_bubblewrap();

namespace {

namespace fs = std::filesystem;

// Landlock's interface, as of include/uapi/linux/landlock.h of Linux 6.12; older headers lack
// parts.
struct Ruleset {
  std::uint64_t files = 0;
  std::uint64_t network = 0;
  std::uint64_t scoped = 0;
};
struct [[gnu::packed]] PathRule {
  std::uint64_t allowed = 0;
  std::int32_t descriptor = -1;
};
constexpr long kCreateRuleset = 444;  // the numbers are the same on every architecture
constexpr long kAddRule = 445;
constexpr long kRestrictSelf = 446;
constexpr unsigned kPathBeneath = 1;
constexpr std::uint64_t kExecute = 1;
constexpr std::uint64_t kWriteFile = 2;
constexpr std::uint64_t kReadFile = 4;
constexpr std::uint64_t kReadFolder = 8;
constexpr std::uint64_t kTruncate = 1 << 14;
constexpr std::uint64_t kIoctl = 1 << 15;

int landlock_version() {
  return static_cast<int>(std::max(0L, syscall(kCreateRuleset, nullptr, 0, 1U)));
}

Ruleset handled_by(int version) {
  Ruleset out;
  out.files = (1 << 13) - 1;               // since the first: 13 rights of files and folders
  if (version >= 2) out.files |= 1 << 13;  // moving between folders
  if (version >= 3) out.files |= kTruncate;
  if (version >= 4) out.network = 3;  // bind and connect, TCP
  if (version >= 5) out.files |= kIoctl;
  if (version >= 6) out.scoped = 3;  // abstract sockets and signals
  return out;
}

void allow(int ruleset, const std::string& path, std::uint64_t rights) {
  const int descriptor = open(path.c_str(), O_PATH | O_CLOEXEC);
  if (descriptor < 0) return;
  std::error_code ignored;
  if (!fs::is_directory(path, ignored)) {
    rights &= kExecute | kWriteFile | kReadFile | kTruncate | kIoctl;
  }
  PathRule rule{rights, descriptor};
  syscall(kAddRule, ruleset, kPathBeneath, &rule, 0U);
  close(descriptor);
}

int restrict_files(const View& view) {
  const int version = landlock_version();
  if (version == 0) return 0;
  const auto handled = handled_by(version);
  const std::size_t size = version >= 6 ? 24 : version >= 4 ? 16 : 8;
  const auto ruleset = static_cast<int>(syscall(kCreateRuleset, &handled, size, 0U));
  if (ruleset < 0) return 0;
  for (const auto& path : view.readable) {
    allow(ruleset, path, kExecute | kReadFile | kReadFolder);
  }
  for (const auto& path : view.writable) {
    allow(ruleset, path,
          (kReadFile | kReadFolder | kWriteFile | kTruncate | kIoctl) & handled.files);
  }
  const bool done = syscall(kRestrictSelf, ruleset, 0U) == 0;
  close(ruleset);
  return done ? version : 0;
}

// Calls that no grade needs: connections, other processes, mounts, the kernel's own matters, and
// the ways around a filter (io_uring).
constexpr auto kRefusedCalls = std::to_array<int>({
    SCMP_SYS(ptrace),
    SCMP_SYS(process_vm_readv),
    SCMP_SYS(process_vm_writev),
    SCMP_SYS(mount),
    SCMP_SYS(umount2),
    SCMP_SYS(pivot_root),
    SCMP_SYS(chroot),
    SCMP_SYS(unshare),
    SCMP_SYS(setns),
    SCMP_SYS(keyctl),
    SCMP_SYS(add_key),
    SCMP_SYS(request_key),
    SCMP_SYS(bpf),
    SCMP_SYS(perf_event_open),
    SCMP_SYS(userfaultfd),
    SCMP_SYS(init_module),
    SCMP_SYS(finit_module),
    SCMP_SYS(delete_module),
    SCMP_SYS(kexec_load),
    SCMP_SYS(reboot),
    SCMP_SYS(swapon),
    SCMP_SYS(swapoff),
    SCMP_SYS(sethostname),
    SCMP_SYS(setdomainname),
    SCMP_SYS(settimeofday),
    SCMP_SYS(clock_settime),
    SCMP_SYS(adjtimex),
    SCMP_SYS(quotactl),
    SCMP_SYS(open_by_handle_at),
    SCMP_SYS(name_to_handle_at),
    SCMP_SYS(io_uring_setup),
    SCMP_SYS(io_uring_enter),
    SCMP_SYS(io_uring_register),
    SCMP_SYS(open_tree),
    SCMP_SYS(move_mount),
    SCMP_SYS(fsopen),
    SCMP_SYS(fsconfig),
    SCMP_SYS(fsmount),
    SCMP_SYS(fspick),
    SCMP_SYS(pidfd_getfd),
    SCMP_SYS(mount_setattr),
    SCMP_SYS(connect),
    SCMP_SYS(sendmsg),
});

// Calls for connections. A process with a card may make them, except with such an argument: a
// socket pair connects it to the process that holds the card, and CUDA's driver listens on a local
// socket. connect() remains refused and messages carry no address, so it reaches no one else.
struct SocketCall {
  int call;
  std::optional<scmp_arg_cmp> refused_with_card;
};
const auto kSocketCalls = std::to_array<SocketCall>({
    {SCMP_SYS(socket), SCMP_A0(SCMP_CMP_NE, AF_UNIX)},
    {SCMP_SYS(sendto), SCMP_A4(SCMP_CMP_NE, 0)},
    {SCMP_SYS(socketpair), {}},
    {SCMP_SYS(bind), {}},
    {SCMP_SYS(listen), {}},
    {SCMP_SYS(accept), {}},
    {SCMP_SYS(accept4), {}},
});

// A process that calls the kernel as another architecture does, x32 or 32-bit code, is killed.
bool refuse_calls(bool with_card) {
  const std::unique_ptr<void, decltype(&seccomp_release)> filter(seccomp_init(SCMP_ACT_ALLOW),
                                                                 &seccomp_release);
  if (!filter) return false;
  const auto refuse = [&](int call, const std::vector<scmp_arg_cmp>& arguments) {
    return seccomp_rule_add_array(filter.get(), SCMP_ACT_ERRNO(EPERM), call,
                                  static_cast<unsigned>(arguments.size()), arguments.data()) == 0;
  };
  bool done = seccomp_attr_set(filter.get(), SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS) == 0 &&
              std::ranges::all_of(kRefusedCalls, [&](int call) { return refuse(call, {}); });
  for (const auto& [call, argument] : kSocketCalls) {
    if (!with_card) {
      done = done && refuse(call, {});
    } else if (argument) {
      done = done && refuse(call, {*argument});
    }
  }
  return done && seccomp_load(filter.get()) == 0;
}

void lower(decltype(RLIMIT_AS) resource, rlim_t value) {
  rlimit old{RLIM_INFINITY, RLIM_INFINITY};
  getrlimit(resource, &old);
  const rlimit both{std::min(value, old.rlim_cur), std::min(value, old.rlim_max)};
  setrlimit(resource, &both);
}

}  // namespace

void limit_process(const ProcessLimits& limits) {
  lower(RLIMIT_CPU, limits.cpu_seconds);
  lower(RLIMIT_AS, limits.memory_bytes);
  lower(RLIMIT_FSIZE, limits.file_bytes);
  lower(RLIMIT_NOFILE, limits.open_files);
  lower(RLIMIT_NPROC, limits.processes);
  lower(RLIMIT_CORE, 0);
}

std::vector<std::string> card_devices(const fs::path& devices) {
  std::vector<std::string> out;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(devices, ignored)) {
    const auto name = entry.path().filename().string();
    if (name.starts_with("nvidia") || name == "dxg") out.push_back(entry.path().string());
  }
  return out;
}

std::string describe(const Confinement& confinement) {
  std::string out;
  const auto add = [&](const std::string& part) { out += (out.empty() ? "" : ", ") + part; };
  if (confinement.bubblewrap) add("bubblewrap");
  if (confinement.landlock > 0) add(fmt::format("Landlock {}", confinement.landlock));
  if (confinement.seccomp) add("seccomp");
  if (out.empty()) {
    return "none but limits: this kernel has no Landlock and bubblewrap may not be used; install "
           "bubblewrap";
  }
  // Namespaces separate processes but protect no files, so they are not a sandbox on their own.
  if (confinement.apart_with_card) add("namespaces with a card");
  return out;
}

Confinement confine(const View& view) {
  Confinement out;
  // An unprivileged process needs this for both layers; it also disables setuid.
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return out;
  out.landlock = restrict_files(view);
  out.seccomp = refuse_calls(view.card);
  return out;
}

Confinement available_confinement() {
  Confinement out;
  out.bubblewrap = has_bubblewrap();
  out.landlock = landlock_version();
  out.seccomp = prctl(PR_GET_SECCOMP, 0, 0, 0, 0) >= 0;
  out.apart_with_card = !out.bubblewrap && can_fork_apart();
  return out;
}

static std::string bubblewrap_program() {
  const auto found = base::find_program("bwrap");
  return found.empty() ? "/usr/bin/bwrap" : found.string();
}

static bool has_bubblewrap() {
  // For tests of the other layer alone.
  if (std::getenv("WARPGRADE_NO_BUBBLEWRAP") != nullptr) return false;
  const auto program = bubblewrap_program();
  if (access(program.c_str(), X_OK) != 0) return false;
  try {
    const compile::Command command{program, {"--unshare-all", "--ro-bind", "/", "/", "/bin/true"}};
    const auto child = compile::run_child(command, {}, std::chrono::seconds(20));
    return !child.timed_out && child.signal == 0 && child.exit_code == 0;
  } catch (const base::ToolError&) {
    return false;
  }
}

std::vector<std::string> bubblewrap_words(const View& view, bool gpu) {
  // The TMPDIR of the user who runs the class may not exist in the sandbox.
  std::vector<std::string> out = {bubblewrap_program()};
  const auto add = [&](std::initializer_list<std::string> words) { out.insert(out.end(), words); };
  add({"--unshare-all", "--die-with-parent", "--proc", "/proc", "--tmpfs", "/tmp"});
  add({"--setenv", "TMPDIR", "/tmp"});
  if (gpu) {
    add({"--dev-bind", "/dev", "/dev", "--ro-bind", "/sys", "/sys"});
  } else {
    add({"--dev", "/dev"});
  }
  std::vector<std::string> bound = {"/proc", "/dev"};
  for (const auto& path : view.readable) {
    // A path in a folder that is bound already needs no further mount.
    const bool is_there = std::ranges::any_of(bound, [&](const std::string& folder) {
      return path == folder || path.starts_with(folder + "/");
    });
    if (is_there) continue;
    add({"--ro-bind-try", path, path});
    bound.push_back(path);
  }
  add({"--chdir", "/", "--"});
  return out;
}

}  // namespace warpgrade::grader::class_book
