// SPDX-License-Identifier: Apache-2.0
#include "grader/class/archive_reader.h"

#include <archive.h>
#include <archive_entry.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <clocale>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "common/base/text.h"
#include "common/base/utf8.h"
#include "common/base/wire.h"
#include "common/compile/child.h"
#include "grader/class/found_file.h"
#include "grader/class/names.h"
#include "grader/class/sandbox.h"
#include "grader/class/zip_flags.h"

namespace warpgrade::grader::class_book {

namespace fs = std::filesystem;

namespace {

struct Limits {
  std::size_t listed = 0;           // Limit on files that cannot be work; more of them are counted.
  std::size_t read = 0;             // Limit on files that may be work.
  std::uint64_t bytes = 0;          // Limit on all files that are read.
  std::uint64_t archive_bytes = 0;  // Limit on an archive in it.
  std::uint64_t cpu_seconds = 0;
};

// By ArchiveKind. An export holds the files of all students, and may be packed a second time.
constexpr std::uint64_t kMebi = std::uint64_t{1} << 20;
constexpr std::array<Limits, 3> kLimits = {{{500'000, 500'000, 16384 * kMebi, 2048 * kMebi, 1200},
                                            {500, 2000, 64 * kMebi, kMostArchivedBytes, 60},
                                            {500, 2000, 64 * kMebi, kMostArchivedBytes, 60}}};
constexpr std::size_t kMostEntries = 2'000'000;

/// The command of the child: the archive is its standard input, the content its standard output.
constexpr const char* kUnpackCommand = "class-unpack";

/// The command of the child that decodes names, and what it does.
constexpr const char* kNamesCommand = "class-names";

constexpr std::chrono::seconds kMostTime{120};
constexpr std::chrono::seconds kMostExportTime{2400};

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

std::string refusal(archive_entry* entry, std::string_view path, std::uint64_t so_far,
                    const Limits& limits) {
  const auto type = archive_entry_filetype(entry);
  if (path.empty()) return "its name cannot be read";
  if (archive_entry_symlink(entry) != nullptr || archive_entry_hardlink(entry) != nullptr) {
    return "it is a link";
  }
  if (type != AE_IFREG && type != AE_IFDIR) return "it is not a file";
  if (archive_entry_is_encrypted(entry) != 0) return "it is encrypted";
  if (so_far > limits.bytes) {
    return fmt::format("the files before it have {} MiB already", limits.bytes >> 20);
  }
  return {};
}

using Output = std::function<bool(std::string_view)>;

// Passes on the bytes of the entry, up to the limit, and stores their number or a failure in
// `file`. Returns the number of bytes that were passed on in any case.
std::uint64_t read_entry(archive* reader, std::uint64_t most, const Output& output,
                         FoundFile& file) {
  std::array<char, 1 << 16> piece{};
  std::uint64_t done = 0;
  while (file.refused.empty()) {
    const auto count = archive_read_data(reader, piece.data(), piece.size());
    if (count == 0) break;
    if (count < 0) {
      file.refused = words(reader);
    } else if (done + static_cast<std::uint64_t>(count) > most) {
      file.refused = fmt::format("it is larger than {} MiB", most >> 20);
    } else if (!output({piece.data(), static_cast<std::size_t>(count)})) {
      file.refused = "its bytes cannot be kept";
    } else {
      done += static_cast<std::uint64_t>(count);
    }
  }
  if (file.refused.empty()) file.size = done;
  return done;
}

// An open file as libarchive reads it, without wrong marks of names (zip_flags.h).
class MarkedFile {
 public:
  explicit MarkedFile(int descriptor) : descriptor_(descriptor) {
    struct stat about {};
    if (fstat(descriptor, &about) != 0) return;
    size_ = about.st_size;
    const auto read = [this](std::uint64_t offset, std::size_t size) {
      std::string out(size, '\0');
      const auto count = read_at(static_cast<off_t>(offset), out);
      out.resize(static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
      return out;
    };
    flags_ = wrong_utf8_flags(read, static_cast<std::uint64_t>(size_));
  }

  /// Returns libarchive's code.
  int open(archive* reader) {
    archive_read_set_read_callback(reader, [](archive* of, void* self, const void** piece) {
      return static_cast<MarkedFile*>(self)->read(of, piece);
    });
    archive_read_set_skip_callback(reader, [](archive* /*of*/, void* self, la_int64_t count) {
      return static_cast<MarkedFile*>(self)->skip(count);
    });
    archive_read_set_seek_callback(reader,
                                   [](archive* /*of*/, void* self, la_int64_t offset, int from) {
                                     return static_cast<MarkedFile*>(self)->seek(offset, from);
                                   });
    archive_read_set_callback_data(reader, this);
    return archive_read_open1(reader);
  }

 private:
  // As many bytes as `out` holds or the file has; negative on failure.
  ssize_t read_at(off_t offset, std::span<char> out) const {
    std::size_t done = 0;
    while (done < out.size()) {
      const auto count = pread(descriptor_, out.data() + done, out.size() - done,
                               offset + static_cast<off_t>(done));
      if (count < 0 && errno == EINTR) continue;
      if (count < 0) return count;
      if (count == 0) break;
      done += static_cast<std::size_t>(count);
    }
    return static_cast<ssize_t>(done);
  }

  la_ssize_t read(archive* reader, const void** piece) {
    const auto count = read_at(at_, piece_);
    if (count < 0) {
      archive_set_error(reader, errno, "it cannot be read: %s", strerror(errno));
      return ARCHIVE_FATAL;
    }
    clear_utf8_flags(flags_, static_cast<std::uint64_t>(at_),
                     std::span(piece_).first(static_cast<std::size_t>(count)));
    at_ += count;
    *piece = piece_.data();
    return count;
  }

  la_int64_t skip(la_int64_t count) {
    const auto most = std::min<la_int64_t>(count, size_ - at_);
    at_ += most;
    return most;
  }

  la_int64_t seek(la_int64_t offset, int from) {
    const auto begin = from == SEEK_SET ? 0 : from == SEEK_CUR ? at_ : size_;
    if (offset < -begin || offset > size_ - begin) return ARCHIVE_FATAL;
    return at_ = begin + offset;
  }

  int descriptor_;
  off_t size_ = 0;
  off_t at_ = 0;
  std::vector<std::uint64_t> flags_;
  std::array<char, 1 << 16> piece_{};
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

// Collects the entries of an archive, as far as its limits go.
class Listing {
 public:
  Listing(ArchiveKind kind, const Output& output)
      : limits_(kLimits.at(static_cast<std::size_t>(kind))), output_(output) {}

  /// False if no further entry is read.
  bool add(archive* reader, archive_entry* entry) {
    if (++entries_ > kMostEntries) return stop(kMostEntries);
    FoundFile file;
    file.path = path_of(entry);
    // The second byte of a letter may be a backslash, so names keep theirs until they are decoded.
    auto path = file.path;
    if (is_zip(reader)) std::ranges::replace(path, '\\', '/');
    file.time = archive_entry_mtime(entry);
    file.refused = refusal(entry, file.path, done_, limits_);
    if (archive_entry_filetype(entry) == AE_IFDIR && file.refused.empty()) return true;
    if (const auto library = library_folder(path); !library.empty()) {
      file.path.resize(library.size());
      file.refused.clear();
      if (libraries_.insert(file.path).second) out_.files.push_back(std::move(file));
      return true;
    }
    if (archive_entry_size_is_set(entry) != 0) {
      file.size = static_cast<std::uint64_t>(std::max<la_int64_t>(archive_entry_size(entry), 0));
    }
    if (!is_worth_reading(path)) {
      if (++listed_ <= limits_.listed) {
        out_.files.push_back(std::move(file));
      } else {
        ++out_.unlisted;
      }
      return true;
    }
    if (++read_ > limits_.read) return stop(limits_.read);
    const auto most = is_archive_name(path) ? limits_.archive_bytes : most_bytes(path);
    if (file.refused.empty() && file.size > most) {
      file.refused = fmt::format("it is larger than {} MiB", most >> 20);
    }
    file.offset = done_;
    done_ += read_entry(reader, most, output_, file);
    out_.files.push_back(std::move(file));
    return true;
  }

  void fail(const std::string& why) { out_.failure = why; }

  ArchiveContent finish(archive* reader) {
    out_.may_have_code_page = is_zip(reader);
    return std::move(out_);
  }

 private:
  bool stop(std::size_t most) {
    out_.failure = fmt::format("it holds more than {} files", most);
    return false;
  }

  Limits limits_;
  const Output& output_;
  ArchiveContent out_;
  std::set<std::string> libraries_;
  std::size_t entries_ = 0;
  std::size_t listed_ = 0;
  std::size_t read_ = 0;
  std::uint64_t done_ = 0;  // Bytes that were passed on.
};

// The entries of the open file `descriptor`, with the names that it has.
ArchiveContent entries_of(int descriptor, ArchiveKind kind, const Output& output) {
  Listing out(kind, output);
  MarkedFile file(descriptor);
  const Reader reader(archive_read_new(), archive_read_free);
  read_usual_kinds(reader.get());
  if (kind == ArchiveKind::kPacked) archive_read_support_format_raw(reader.get());
  if (file.open(reader.get()) != ARCHIVE_OK) {
    out.fail(words(reader.get()));
    return out.finish(reader.get());
  }
  archive_entry* entry = nullptr;
  while (true) {
    const int state = archive_read_next_header(reader.get(), &entry);
    if (state == ARCHIVE_EOF) break;
    if (state < ARCHIVE_WARN) {
      out.fail(words(reader.get()));
      break;
    }
    if (!out.add(reader.get(), entry)) break;
  }
  return out.finish(reader.get());
}

bool write_out(std::string_view rest) {
  while (!rest.empty()) {
    const auto count = ::write(STDOUT_FILENO, rest.data(), rest.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    rest.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}

// The child's output ends with the list of files, and its size.
using SizeBytes = std::array<char, sizeof(std::uint64_t)>;

std::optional<ArchiveContent> list_at_end(const Scratch& output) {
  const auto all = output.size();
  if (all < sizeof(SizeBytes)) return std::nullopt;
  std::uint64_t size = 0;
  const auto text = output.read(all - sizeof(size), sizeof(size));
  std::memcpy(&size, text.data(), sizeof(size));
  if (size > all - sizeof(size)) return std::nullopt;
  const auto kept = all - sizeof(size) - size;
  auto out = base::decode<ArchiveContent>(output.read(kept, size));
  const bool is_wrong = out && std::ranges::any_of(out->files, [&](const FoundFile& one) {
                          return is_worth_reading(one.path) && one.refused.empty() &&
                                 (one.offset > kept || one.size > kept - one.offset);
                        });
  return is_wrong ? std::nullopt : std::move(out);
}

}  // namespace

ArchiveContent unpack(int descriptor, ArchiveKind kind) {
  std::string all;
  auto out = entries_of(descriptor, kind, [&](std::string_view piece) {
    all += piece;
    return true;
  });
  for (auto& file : out.files) {
    if (file.refused.empty() && is_worth_reading(file.path)) {
      file.bytes = all.substr(file.offset, file.size);
    }
  }
  decode_legacy_names(unclear_names(out));
  settle_names(out);
  return out;
}

int run_unpack(const std::string& zone, int kind) {
  // libarchive converts local times with the C library; the zone is read before files are closed.
  setenv("TZ", zone == "UTC" ? "UTC0" : (":" + zone).c_str(), 1);
  tzset();
  // libarchive converts names to this locale's encoding, and the "C" locale has ASCII alone.
  std::setlocale(LC_CTYPE, "C.UTF-8");
  const auto& limits = kLimits.at(static_cast<std::size_t>(kind));
  limit_process(
      {.cpu_seconds = limits.cpu_seconds, .memory_bytes = std::uint64_t{1} << 30, .file_bytes = 0});
  confine({});
  auto content = entries_of(STDIN_FILENO, static_cast<ArchiveKind>(kind), write_out);
  const auto list = base::encode(content);
  const std::uint64_t size = list.size();
  SizeBytes bytes{};
  std::memcpy(bytes.data(), &size, sizeof(size));
  return write_out(list) && write_out({bytes.data(), bytes.size()}) ? 0 : 3;
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
  return write_out(base::encode(*message)) ? 0 : 3;
}

// The archive as an open file of its own.
class ArchiveFile {
 public:
  ArchiveFile(const FoundFile& archive, const fs::path& temporary) {
    if (archive.scratch) {
      copy_.emplace(temporary);
      constexpr std::uint64_t kPiece = 1 << 20;
      for (std::uint64_t done = 0; done < archive.size;) {
        const auto size = std::min(kPiece, archive.size - done);
        copy_->append(archive.scratch->read(archive.offset + done, size));
        done += size;
      }
    } else {
      opened_ = open(archive.on_disk.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    }
  }
  ArchiveFile(const ArchiveFile&) = delete;
  ArchiveFile& operator=(const ArchiveFile&) = delete;
  ~ArchiveFile() {
    if (opened_ >= 0) close(opened_);
  }
  int descriptor() const { return copy_ ? copy_->descriptor() : opened_; }

 private:
  std::optional<Scratch> copy_;
  int opened_ = -1;
};

ArchiveContent read_archive(const FoundFile& archive, ArchiveKind kind, const fs::path& temporary,
                            const ArchiveHints& hints) {
  const ArchiveFile file(archive, temporary);
  if (file.descriptor() < 0) return {{}, std::string("it cannot be read: ") + strerror(errno)};
  const auto output = std::make_shared<Scratch>(temporary);
  const auto keep = [&](std::string_view piece) {
    output->append(piece);
    return true;
  };
  const compile::Command command{
      "/proc/self/exe", {kUnpackCommand, hints.zone, std::to_string(static_cast<int>(kind))}};
  const auto child =
      compile::stream_child(command, {file.descriptor(), keep},
                            kind == ArchiveKind::kExport ? kMostExportTime : kMostTime);
  if (auto content = list_at_end(*output)) {
    for (auto& one : content->files) one.scratch = output;
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
