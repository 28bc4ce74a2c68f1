// SPDX-License-Identifier: Apache-2.0
#include "grader/class/archive_reader.h"

#include <archive.h>
#include <archive_entry.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <clocale>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "common/base/text.h"
#include "common/base/utf8.h"
#include "common/base/wire.h"
#include "common/compile/child.h"
#include "grader/class/hand_in.h"
#include "grader/class/names.h"
#include "grader/class/sandbox.h"

namespace warpgrade::grader::class_book {
namespace {

// APPNOTE.TXT of PKWARE, 4.3.7 (local header), 4.3.12 (central directory) and 4.3.16 (its end).
constexpr std::string_view kLocalMark("PK\x03\x04", 4);
constexpr std::string_view kCentralMark("PK\x01\x02", 4);
constexpr std::string_view kEndMark("PK\x05\x06", 4);
constexpr std::size_t kLocalSize = 30;
constexpr std::size_t kCentralSize = 46;
constexpr std::size_t kEndSize = 22;
constexpr std::size_t kMostComment = 65535;
constexpr std::uint64_t kUtf8Flag = 0x800;

class ZipBytes {
 public:
  explicit ZipBytes(std::span<char> bytes) : bytes_(bytes) {}

  void clear_wrong_flags() {
    const auto all = text(0, bytes_.size());
    const auto last = all.size() < kEndSize ? 0 : all.size() - kEndSize;
    const auto end = all.rfind(kEndMark, last);
    if (end == all.npos || all.size() - end > kEndSize + kMostComment) return;
    if (!has(end, kEndSize)) return;
    auto at = static_cast<std::size_t>(number(end + 16, 4));
    while (has(at, kCentralSize) && text(at, 4) == kCentralMark) {
      const auto name_size = static_cast<std::size_t>(number(at + 28, 2));
      if (!has(at + kCentralSize, name_size)) return;
      const auto name = text(at + kCentralSize, name_size);
      if (base::replace_invalid_utf8(name) != name) {
        clear(at + 8);
        const auto local = static_cast<std::size_t>(number(at + 42, 4));
        if (has(local, kLocalSize) && text(local, 4) == kLocalMark) clear(local + 6);
      }
      at += kCentralSize + name_size + static_cast<std::size_t>(number(at + 30, 2)) +
            static_cast<std::size_t>(number(at + 32, 2));
    }
  }

 private:
  bool has(std::size_t at, std::size_t size) const {
    return at <= bytes_.size() && size <= bytes_.size() - at;
  }
  std::string_view text(std::size_t at, std::size_t size) const {
    return std::string_view(bytes_.data(), bytes_.size()).substr(at, size);
  }
  std::uint64_t number(std::size_t at, std::size_t size) const {
    std::uint64_t out = 0;
    for (std::size_t i = 0; i < size; ++i) {
      out |= static_cast<std::uint64_t>(static_cast<unsigned char>(bytes_[at + i])) << (8 * i);
    }
    return out;
  }
  void clear(std::size_t at) {
    const auto flags = number(at, 2) & ~kUtf8Flag;
    bytes_[at] = static_cast<char>(flags & 0xff);
    bytes_[at + 1] = static_cast<char>(flags >> 8);
  }

  std::span<char> bytes_;
};

}  // namespace

void clear_wrong_utf8_flags(std::span<char> zip) { ZipBytes(zip).clear_wrong_flags(); }

namespace {

constexpr std::uint64_t kMostUnpackedBytes = std::uint64_t{192} << 20;
constexpr std::size_t kMostEntries = 50'000;

/// The command of the child: the archive is its standard input, the content its standard output.
constexpr const char* kUnpackCommand = "class-unpack";

/// The command of the child that decodes names, and what it does.
constexpr const char* kNamesCommand = "class-names";

constexpr std::chrono::seconds kMostTime{120};

using Reader = std::unique_ptr<archive, decltype(&archive_read_free)>;

std::string words(archive* reader) {
  const char* text = archive_error_string(reader);
  return base::escape_controls(text == nullptr ? "it is damaged" : text);
}

bool leads_out(std::string_view path) {
  if (path.starts_with('/')) return true;
  while (!path.empty()) {
    const auto end = std::min(path.find('/'), path.size());
    if (path.substr(0, end) == "..") return true;
    path.remove_prefix(std::min(end + 1, path.size()));
  }
  return false;
}

// The name of the entry, in any encoding.
std::string path_of(archive_entry* entry) {
  const char* text = archive_entry_pathname(entry);
  if (text == nullptr) text = archive_entry_pathname_utf8(entry);
  return text == nullptr ? std::string() : std::string(text);
}

bool is_zip(archive* reader) {
  return (archive_format(reader) & ARCHIVE_FORMAT_BASE_MASK) == ARCHIVE_FORMAT_ZIP;
}

// Names in no known encoding, and names of people that they may contain.
struct UnclearNames {
  std::vector<std::string> names;
  std::vector<std::string> people;
};

inline auto wire_fields(UnclearNames& message) { return std::tie(message.names, message.people); }

// A zip file without an encoding flag has names in UTF-8 (macOS, Linux) or in a code page of the
// machine that made it (Windows). Other archives keep names that are not UTF-8.
std::vector<std::string*> unclear_names(ArchiveContent& content) {
  std::vector<std::string*> out;
  for (auto& file : content.files) {
    const bool is_unclear = base::replace_invalid_utf8(file.path) != file.path;
    if (is_unclear && content.may_have_code_page) out.push_back(&file.path);
  }
  return out;
}

// Decodes names in a child process, since the C library's tables process bytes from students.
void decode_in_child(ArchiveContent& content, const std::vector<std::string>& people) {
  const auto unclear = unclear_names(content);
  if (unclear.empty()) return;
  UnclearNames message{{}, people};
  for (const auto* name : unclear) message.names.push_back(*name);
  const auto child =
      compile::run_child({"/proc/self/exe", {kNamesCommand}}, base::encode(message), kMostTime);
  const auto answer = base::decode<UnclearNames>(child.output);
  if (!answer || answer->names.size() != unclear.size()) return;  // they are shown escaped
  for (std::size_t i = 0; i < unclear.size(); ++i) *unclear[i] = answer->names[i];
}

void settle_names(ArchiveContent& content) {
  for (auto& file : content.files) {
    // Some programs of Windows write "\\" between folders.
    if (content.may_have_code_page) std::ranges::replace(file.path, '\\', '/');
    while (file.path.starts_with("./")) file.path.erase(0, 2);
    file.path = composed_text(file.path);
    if (file.refused.empty() && leads_out(file.path)) {
      file.refused = "its name leads out of the archive";
      file.bytes.clear();
    }
  }
}

std::string refusal(archive_entry* entry, std::string_view path, std::uint64_t so_far) {
  const auto type = archive_entry_filetype(entry);
  if (path.empty()) return "its name cannot be read";
  if (archive_entry_symlink(entry) != nullptr || archive_entry_hardlink(entry) != nullptr) {
    return "it is a link";
  }
  if (type != AE_IFREG && type != AE_IFDIR) return "it is not a file";
  if (archive_entry_is_encrypted(entry) != 0) return "it is encrypted";
  if (archive_entry_size_is_set(entry) != 0 &&
      archive_entry_size(entry) > static_cast<la_int64_t>(kMostArchivedBytes)) {
    return fmt::format("it is larger than {} MiB", kMostArchivedBytes >> 20);
  }
  if (so_far > kMostUnpackedBytes) {
    return fmt::format("the files before it have {} MiB already", kMostUnpackedBytes >> 20);
  }
  return {};
}

// Reads the bytes of the entry, up to the limit; stores any failure in `file`.
void read_entry(archive* reader, FoundFile& file) {
  std::array<char, 1 << 16> piece{};
  while (true) {
    const auto count = archive_read_data(reader, piece.data(), piece.size());
    if (count == 0) return;
    if (count < 0) {
      file.refused = words(reader);
    } else if (file.bytes.size() + static_cast<std::size_t>(count) > kMostArchivedBytes) {
      file.refused = fmt::format("it is larger than {} MiB", kMostArchivedBytes >> 20);
    } else {
      file.bytes.append(piece.data(), static_cast<std::size_t>(count));
      continue;
    }
    file.bytes.clear();
    return;
  }
}

// A private copy of a file's bytes; the file stays unchanged. Empty if the limit on memory is too
// small.
class OwnCopy {
 public:
  explicit OwnCopy(int descriptor) {
    constexpr off_t kMostBytes = off_t{256} << 20;
    struct stat about {};
    if (fstat(descriptor, &about) != 0 || about.st_size <= 0 || about.st_size > kMostBytes) return;
    const auto size = static_cast<std::size_t>(about.st_size);
    auto* place = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE, descriptor, 0);
    if (place != MAP_FAILED) bytes_ = {static_cast<char*>(place), size};
  }
  OwnCopy(const OwnCopy&) = delete;
  OwnCopy& operator=(const OwnCopy&) = delete;
  ~OwnCopy() {
    if (!bytes_.empty()) munmap(bytes_.data(), bytes_.size());
  }
  std::span<char> bytes() const { return bytes_; }

 private:
  std::span<char> bytes_;
};

// Supports only the kinds that is_archive_name() accepts. libarchive would start programs of the
// machine for some filters, and its other formats depend on libxml2.
void read_usual_kinds(archive* reader) {
  archive_read_support_format_7zip(reader);
  archive_read_support_format_rar(reader);
  archive_read_support_format_rar5(reader);
  archive_read_support_format_tar(reader);
  archive_read_support_format_zip(reader);
  archive_read_support_filter_bzip2(reader);
  archive_read_support_filter_gzip(reader);
  archive_read_support_filter_xz(reader);
  archive_read_support_filter_zstd(reader);
}

// The entries of the open file `descriptor`, with the names that it has.
ArchiveContent entries_of(int descriptor) {
  constexpr std::size_t kBlock = 1 << 16;
  ArchiveContent out;
  OwnCopy copy(descriptor);
  const Reader reader(archive_read_new(), archive_read_free);
  read_usual_kinds(reader.get());
  clear_wrong_utf8_flags(copy.bytes());
  const auto bytes = copy.bytes();
  const int opened = bytes.empty()
                         ? archive_read_open_fd(reader.get(), descriptor, kBlock)
                         : archive_read_open_memory(reader.get(), bytes.data(), bytes.size());
  if (opened != ARCHIVE_OK) {
    out.failure = words(reader.get());
    return out;
  }
  std::uint64_t total = 0;
  archive_entry* entry = nullptr;
  while (true) {
    const int state = archive_read_next_header(reader.get(), &entry);
    if (state == ARCHIVE_EOF) break;
    if (state < ARCHIVE_WARN) {
      out.failure = words(reader.get());
      break;
    }
    if (out.files.size() == kMostEntries) {
      out.failure = fmt::format("it holds more than {} files", kMostEntries);
      break;
    }
    FoundFile file;
    file.path = path_of(entry);
    file.time = archive_entry_mtime(entry);
    file.refused = refusal(entry, file.path, total);
    const bool is_folder = archive_entry_filetype(entry) == AE_IFDIR;
    if (is_folder && file.refused.empty()) continue;
    if (file.refused.empty()) read_entry(reader.get(), file);
    total += file.bytes.size();
    out.files.push_back(std::move(file));
  }
  out.may_have_code_page = is_zip(reader.get());
  return out;
}

int write_answer(const std::string& message) {
  std::string_view rest = message;
  while (!rest.empty()) {
    const auto count = ::write(STDOUT_FILENO, rest.data(), rest.size());
    if (count <= 0) return 3;
    rest.remove_prefix(static_cast<std::size_t>(count));
  }
  return 0;
}

}  // namespace

ArchiveContent unpack(int descriptor) {
  auto out = entries_of(descriptor);
  decode_legacy_names(unclear_names(out));
  settle_names(out);
  return out;
}

int run_unpack(const std::string& zone) {
  // libarchive converts local times with the C library; the zone is read before files are closed.
  setenv("TZ", zone == "UTC" ? "UTC0" : (":" + zone).c_str(), 1);
  tzset();
  // libarchive converts names to this locale's encoding, and the "C" locale has ASCII alone.
  std::setlocale(LC_CTYPE, "C.UTF-8");
  limit_process({.cpu_seconds = 60, .memory_bytes = std::uint64_t{1} << 30, .file_bytes = 0});
  confine({});
  return write_answer(base::encode(entries_of(STDIN_FILENO)));
}

int run_names() {
  load_legacy_encodings();
  limit_process({.cpu_seconds = 60, .memory_bytes = std::uint64_t{1} << 30, .file_bytes = 0});
  confine({});
  std::string bytes;
  std::array<char, 1 << 16> piece{};
  while (true) {
    const auto count = ::read(STDIN_FILENO, piece.data(), piece.size());
    if (count <= 0) break;
    bytes.append(piece.data(), static_cast<std::size_t>(count));
  }
  auto message = base::decode<UnclearNames>(bytes);
  if (!message) return 3;
  std::vector<std::string*> names;
  for (auto& one : message->names) names.push_back(&one);
  decode_legacy_names(names, message->people);
  message->people.clear();
  return write_answer(base::encode(*message));
}

ArchiveContent read_archive(std::string_view bytes, const ArchiveHints& hints) {
  const auto child =
      compile::run_child({"/proc/self/exe", {kUnpackCommand, hints.zone}}, bytes, kMostTime);
  if (auto content = base::decode<ArchiveContent>(child.output)) {
    decode_in_child(*content, hints.people);
    settle_names(*content);
    return *std::move(content);
  }
  ArchiveContent out;
  out.failure =
      child.timed_out || child.signal == SIGXCPU || child.signal == SIGKILL
          ? "unpacking it took too long"
          : fmt::format("unpacking it took too much memory, or crashed (signal {})", child.signal);
  return out;
}

}  // namespace warpgrade::grader::class_book
