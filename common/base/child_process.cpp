// SPDX-License-Identifier: Apache-2.0
#include "common/base/child_process.h"

#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>

namespace warpgrade::base {
namespace {

bool is_socket(int descriptor) {
  struct stat found {};
  return fstat(descriptor, &found) == 0 && S_ISSOCK(found.st_mode);
}

// Whether `descriptor` becomes readable, or writable, within `timeout` seconds.
bool is_ready(int descriptor, short events, double timeout) {
  if (timeout < 0) return true;
  pollfd entry{descriptor, events, 0};
  int found = 0;
  do {
    found = poll(&entry, 1, static_cast<int>(timeout * 1e3));
  } while (found < 0 && errno == EINTR);
  return found > 0;
}

bool write_all(int descriptor, std::string_view bytes, double timeout) {
  // Otherwise a closed socket would end this process by SIGPIPE.
  const int flags = timeout < 0 ? MSG_NOSIGNAL : MSG_NOSIGNAL | MSG_DONTWAIT;
  const bool sends = is_socket(descriptor);
  while (!bytes.empty()) {
    if (!is_ready(descriptor, POLLOUT, timeout)) return false;
    const auto count = sends ? send(descriptor, bytes.data(), bytes.size(), flags)
                             : write(descriptor, bytes.data(), bytes.size());
    if (count < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (count <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}

bool read_all(int descriptor, char* bytes, std::size_t size, double timeout) {
  while (size > 0) {
    if (!is_ready(descriptor, POLLIN, timeout)) return false;
    const auto count = read(descriptor, bytes, size);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    bytes += count;
    size -= static_cast<std::size_t>(count);
  }
  return true;
}

}  // namespace

bool write_message(int descriptor, std::string_view message, double timeout) {
  const std::uint64_t size = message.size();
  const std::string_view head(reinterpret_cast<const char*>(&size), sizeof size);
  return write_all(descriptor, head, timeout) && write_all(descriptor, message, timeout);
}

std::optional<std::string> read_message(int descriptor, double timeout, std::uint64_t most_bytes) {
  std::uint64_t size = 0;
  if (!read_all(descriptor, reinterpret_cast<char*>(&size), sizeof size, timeout)) return {};
  if (size > most_bytes) return {};
  std::string out(size, '\0');
  if (!read_all(descriptor, out.data(), size, timeout)) return {};
  return out;
}

bool is_readable(int descriptor, double seconds) { return is_ready(descriptor, POLLIN, seconds); }

int wait_for(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) return -1;
  }
  return status;
}

}  // namespace warpgrade::base
