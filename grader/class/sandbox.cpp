// SPDX-License-Identifier: Apache-2.0
#include "grader/class/sandbox.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <optional>

#include "common/base/error.h"
#include "common/compile/child.h"
#include "grader/class/namespaces.h"

namespace warpgrade::grader::class_book {
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

#if defined(__x86_64__)
constexpr std::uint32_t kArchitecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr std::uint32_t kArchitecture = AUDIT_ARCH_AARCH64;
#else
constexpr std::uint32_t kArchitecture = 0;
#endif

// Calls that no grade needs: connections, other processes, mounts, the kernel's own matters, and
// the ways around a filter (io_uring).
constexpr auto kRefusedCalls = std::to_array<long>({
    SYS_socket,
    SYS_socketpair,
    SYS_connect,
    SYS_bind,
    SYS_listen,
    SYS_accept,
    SYS_accept4,
    SYS_sendto,
    SYS_sendmsg,
    SYS_ptrace,
    SYS_process_vm_readv,
    SYS_process_vm_writev,
    SYS_mount,
    SYS_umount2,
    SYS_pivot_root,
    SYS_chroot,
    SYS_unshare,
    SYS_setns,
    SYS_keyctl,
    SYS_add_key,
    SYS_request_key,
    SYS_bpf,
    SYS_perf_event_open,
    SYS_userfaultfd,
    SYS_init_module,
    SYS_finit_module,
    SYS_delete_module,
    SYS_kexec_load,
    SYS_reboot,
    SYS_swapon,
    SYS_swapoff,
    SYS_sethostname,
    SYS_setdomainname,
    SYS_settimeofday,
    SYS_clock_settime,
    SYS_adjtimex,
    SYS_quotactl,
    SYS_open_by_handle_at,
    SYS_name_to_handle_at,
    425L /* io_uring_setup */,
    426L /* io_uring_enter */,
    427L /* io_uring_register */,
    428L /* open_tree */,
    429L /* move_mount */,
    430L /* fsopen */,
    431L /* fsconfig */,
    432L /* fsmount */,
    433L /* fspick */,
    438L /* pidfd_getfd */,
    442L /* mount_setattr */,
});

// Listed system calls that a process with a card may make if an argument has this value. A socket
// pair connects it to the process that holds the card, and CUDA's driver listens on a local socket.
// connect() remains refused and messages carry no address, so it reaches no one else.
struct CardCall {
  long call;
  std::optional<std::size_t> argument;
  std::uint32_t value = 0;
};
constexpr auto kCardCalls = std::to_array<CardCall>({
    {SYS_socketpair, {}},
    {SYS_socket, 0, AF_UNIX},
    {SYS_bind, {}},
    {SYS_listen, {}},
    {SYS_accept, {}},
    {SYS_accept4, {}},
    {SYS_sendto, 4, 0},
});

// Ends with a verdict if the call is `one`; otherwise keeps the call's number loaded.
void add_card_call(std::vector<sock_filter>& program, const CardCall& one) {
  const auto call = static_cast<std::uint32_t>(one.call);
  const sock_filter allow = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
  if (!one.argument) {
    program.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 1));
    program.push_back(allow);
    return;
  }
  const auto at = static_cast<std::uint32_t>(offsetof(seccomp_data, args) + 8 * *one.argument);
  const std::array<sock_filter, 7> steps = {{
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 6),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, at),  // both halves, the lower one first
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, one.value, 0, 3),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, at + 4),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 1),
      allow,
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
  }};
  program.insert(program.end(), steps.begin(), steps.end());
}

bool refuse_calls(bool with_card) {
  if (kArchitecture == 0) return false;
  constexpr auto kAt = [](std::size_t offset) { return static_cast<std::uint32_t>(offset); };
  std::vector<sock_filter> program = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, kAt(offsetof(seccomp_data, arch))),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, kArchitecture, 1, 0),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, kAt(offsetof(seccomp_data, nr))),
      // Numbers of x32, by which the list could be passed.
      BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
  };
  for (const auto& one : kCardCalls) {
    if (with_card) add_card_call(program, one);
  }
  for (const long call : kRefusedCalls) {
    program.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<std::uint32_t>(call), 0, 1));
    program.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM));
  }
  program.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
  const sock_fprog filter{static_cast<unsigned short>(program.size()), program.data()};
  return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0;
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
  // Without it neither layer is allowed to a process without privileges; it also ends setuid.
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return out;
  out.landlock = restrict_files(view);
  out.seccomp = refuse_calls(view.card);
  return out;
}

Confinement available_confinement() {
  Confinement out;
  out.bubblewrap = has_bubblewrap();
  out.landlock = landlock_version();
  out.seccomp = kArchitecture != 0 && prctl(PR_GET_SECCOMP, 0, 0, 0, 0) >= 0;
  out.apart_with_card = !out.bubblewrap && can_fork_apart();
  return out;
}

bool has_bubblewrap() {
  // For tests of the other layer alone.
  if (std::getenv("WARPGRADE_NO_BUBBLEWRAP") != nullptr) return false;
  if (access("/usr/bin/bwrap", X_OK) != 0) return false;
  try {
    const compile::Command command{"/usr/bin/bwrap",
                                   {"--unshare-all", "--ro-bind", "/", "/", "/bin/true"}};
    const auto child = compile::run_child(command, {}, std::chrono::seconds(20));
    return !child.timed_out && child.signal == 0 && child.exit_code == 0;
  } catch (const base::ToolError&) {
    return false;
  }
}

std::vector<std::string> bubblewrap_words(const View& view, bool gpu) {
  // The folder for temporary files of whoever runs the class may be missing in the sandbox.
  std::vector<std::string> out = {
      "/usr/bin/bwrap", "--unshare-all", "--die-with-parent", "--proc", "/proc",
      "--tmpfs",        "/tmp",          "--setenv",          "TMPDIR", "/tmp"};
  const auto add = [&](std::initializer_list<std::string> words) { out.insert(out.end(), words); };
  if (gpu) {
    add({"--dev-bind", "/dev", "/dev", "--ro-bind", "/sys", "/sys"});
  } else {
    add({"--dev", "/dev"});
  }
  std::vector<std::string> bound = {"/proc", "/dev"};
  for (const auto& path : view.readable) {
    // A path in a folder that is bound already needs no place of its own.
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
