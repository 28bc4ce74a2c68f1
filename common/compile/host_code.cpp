// SPDX-License-Identifier: Apache-2.0
#include "common/compile/host_code.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "common/compile/directives.h"
#include "common/compile/host_constants.h"
#include "common/compile/log_entries.h"
#include "common/compile/program.h"
#include "common/compile/source_outline.h"

namespace warpgrade::compile {
namespace {

// clang-format off
constexpr auto kNames = std::to_array<const char*>({
    "alloca.h", "any", "atomic", "barrier", "bit", "bitset", "byteswap.h", "cfenv", "charconv",
    "clocale", "codecvt", "compare", "complex", "complex.h", "concepts", "condition_variable",
    "coroutine", "csetjmp", "csignal", "cub/device/device_adjacent_difference.cuh",
    "cub/device/device_copy.cuh", "cub/device/device_for.cuh", "cub/device/device_histogram.cuh",
    "cub/device/device_memcpy.cuh", "cub/device/device_merge.cuh",
    "cub/device/device_merge_sort.cuh", "cub/device/device_partition.cuh",
    "cub/device/device_radix_sort.cuh", "cub/device/device_reduce.cuh",
    "cub/device/device_run_length_encode.cuh", "cub/device/device_scan.cuh",
    "cub/device/device_segmented_radix_sort.cuh", "cub/device/device_segmented_reduce.cuh",
    "cub/device/device_segmented_sort.cuh", "cub/device/device_select.cuh",
    "cub/device/device_transform.cuh", "cub/util_allocator.cuh", "cublas.h", "cublasLt.h",
    "cublasXt.h", "cublas_api.h", "cublas_v2.h", "cuchar", "cudaGL.h", "cudaProfiler.h",
    "cuda_gl_interop.h", "cuda_occupancy.h", "cuda_profiler_api.h", "cudnn.h", "cufft.h",
    "cufftXt.h", "cupti.h", "cusolverDn.h", "cusolverSp.h", "cusolver_common.h", "cusparse.h",
    "cusparse_v2.h", "cutensor.h", "cwchar", "cwctype", "dirent.h", "dlfcn.h", "driver_functions.h",
    "emmintrin.h", "endian.h", "execution", "expected", "fcntl.h", "fenv.h", "filesystem", "format",
    "forward_list", "future", "immintrin.h", "iso646.h", "iterator", "latch", "libgen.h", "locale",
    "locale.h", "mpi.h", "nccl.h", "netdb.h", "npp.h", "nppi.h", "numbers", "nvJitLink.h",
    "nvToolsExt.h", "platform.h", "nvrtc.h", "nvtx3/nvToolsExt.h", "nvtx3/nvtx3.hpp", "optional",
    "poll.h", "pthread.h", "ranges", "ratio", "regex", "sched.h", "scoped_allocator", "semaphore",
    "semaphore.h", "setjmp.h", "shared_mutex", "source_location", "span", "stdalign.h",
    "stop_token", "streambuf", "strings.h", "syncstream", "sys/mman.h", "sys/resource.h",
    "sys/stat.h", "sys/sysinfo.h", "sys/wait.h", "system_error", "termios.h", "tgmath.h",
    "thrust/adjacent_difference.h", "thrust/allocate_unique.h", "thrust/async/copy.h",
    "thrust/binary_search.h", "thrust/complex.h", "thrust/copy.h", "thrust/count.h",
    "thrust/device_allocator.h", "thrust/device_delete.h", "thrust/device_free.h",
    "thrust/device_make_unique.h", "thrust/device_malloc.h", "thrust/device_malloc_allocator.h",
    "thrust/device_new.h", "thrust/device_new_allocator.h", "thrust/device_ptr.h",
    "thrust/device_reference.h", "thrust/device_vector.h", "thrust/equal.h",
    "thrust/execution_policy.h", "thrust/extrema.h", "thrust/fill.h", "thrust/find.h",
    "thrust/for_each.h", "thrust/gather.h", "thrust/generate.h", "thrust/host_vector.h",
    "thrust/inner_product.h", "thrust/iterator/retag.h", "thrust/logical.h", "thrust/memory.h",
    "thrust/merge.h", "thrust/mismatch.h", "thrust/partition.h", "thrust/per_device_resource.h",
    "thrust/random.h", "thrust/random/discard_block_engine.h",
    "thrust/random/linear_congruential_engine.h", "thrust/random/linear_feedback_shift_engine.h",
    "thrust/random/normal_distribution.h", "thrust/random/subtract_with_carry_engine.h",
    "thrust/random/uniform_int_distribution.h", "thrust/random/uniform_real_distribution.h",
    "thrust/random/xor_combine_engine.h", "thrust/reduce.h", "thrust/remove.h", "thrust/replace.h",
    "thrust/reverse.h", "thrust/scan.h", "thrust/scatter.h", "thrust/sequence.h",
    "thrust/set_operations.h", "thrust/shuffle.h", "thrust/sort.h", "thrust/swap.h",
    "thrust/system/cuda/execution_policy.h", "thrust/system/cuda/vector.h",
    "thrust/system/omp/execution_policy.h", "thrust/system_error.h", "thrust/tabulate.h",
    "thrust/transform.h", "thrust/transform_reduce.h", "thrust/transform_scan.h",
    "thrust/uninitialized_copy.h", "thrust/uninitialized_fill.h", "thrust/unique.h",
    "thrust/universal_allocator.h", "thrust/universal_ptr.h", "thrust/universal_vector.h",
    "thrust/zip_function.h", "typeindex", "valarray", "values.h", "variant", "version", "wchar.h",
    "wctype.h", "x86intrin.h", "xmmintrin.h",
});
// clang-format on

// Names, and folders with a trailing slash.
constexpr auto kHostLibraries = std::to_array<std::string_view>({
    "EGL/",
    "Eigen/",
    "FreeImage.h",
    "GL/",
    "GLES2/",
    "GLES3/",
    "GLFW/",
    "OpenGL/",
    "SDL.h",
    "SDL/",
    "SDL2/",
    "X11/",
    "benchmark/",
    "boost/",
    "conio.h",
    "cutil.h",
    "cutil_inline.h",
    "direct.h",
    "drvapi_error_string.h",
    "exception.h",
    "fmt/",
    "freeglut.h",
    "glew.h",
    "glm/glm.hpp",
    "glut.h",
    "gtest/",
    "helper_cuda.h",
    "helper_cuda_drvapi.h",
    "helper_cuda_gl.h",
    "helper_cusolver.h",
    "helper_functions.h",
    "helper_gl.h",
    "helper_image.h",
    "helper_multiprocess.h",
    "helper_nvJPEG.hxx",
    "helper_string.h",
    "helper_timer.h",
    "io.h",
    "jpeglib.h",
    "nvrtc_helper.h",
    "opencv/",
    "opencv2/",
    "png.h",
    "process.h",
    "rendercheck_gl.h",
    "sdkHelper.h",
    "shrQATest.h",
    "shrUtils.h",
    "stb_image.h",
    "stb_image_write.h",
    "tiffio.h",
    "timer.h",
    "vulkan/",
    "wb.h",
    "windows.h",
    "Windows.h",
});

}  // namespace

bool is_header_of_host_library(std::string_view name) {
  return std::ranges::any_of(kHostLibraries, [&](std::string_view one) {
    return one.ends_with('/') ? name.starts_with(one) : name == one;
  });
}

std::span<const char* const> host_headers() { return kNames; }

/// Whether `name` is a function of the C library that only the host has, and that nvcc knows in
/// every file.
static bool is_function_of_host(std::string_view name) {
  static constexpr std::array<std::string_view, 12> kNamesOfHost = {
      "atof", "atoi",  "getenv", "memcmp", "memmove", "puts",
      "rand", "srand", "strcmp", "strcpy", "strncmp", "strncpy"};
  return std::ranges::count(kNamesOfHost, name) != 0;
}

namespace {

static_assert(kRelaxedConstexpr.size() == std::string_view("constexpr").size());

// Types and functions that only host code has.
constexpr std::array<std::string_view, 6> kHostWords = {"std",  "thrust", "cub",
                                                        "FILE", "chrono", "filesystem"};
// Directives in a function's body that also affect the code after it.
constexpr std::array<std::string_view, 5> kLasting = {"pack", "push_macro", "pop_macro", "once",
                                                      "diag"};

bool is_host_message(std::string_view message) {
  return has_part(message, "is considered a host function") ||
         has_part(message, "explicitly marked as a __host__ function") ||
         has_part(message, "is considered a host variable") ||
         has_part(message, "was inferred to be __host__");
}

bool is_missing_file(std::string_view message) {
  return has_part(message, "cannot open source file") ||
         has_part(message, "could not open source file");
}

// cudaMalloc, cublasHandle_t, CUdevice
bool is_of_host_library(std::string_view word) {
  static constexpr std::array<std::string_view, 9> kPrefixes = {
      "cuda", "cublas", "cufft", "cusparse", "cusolver", "curand", "nccl", "nvtx", "CU"};
  return std::ranges::any_of(kPrefixes, [&](std::string_view prefix) {
    return word.size() > prefix.size() && word.starts_with(prefix) && word[prefix.size()] != '_';
  });
}

// The offset of the item's name: for an #include its file's name, else its first character.
std::size_t name_begin(std::string_view text, const Item& item) {
  return item.kind == ItemKind::kInclude ? text.find(item.name, item.begin) : item.begin;
}

// Whether a directive inside blanked code stays: all but #includes and pragmas that end with the
// function.
bool stays(std::string_view directive) {
  const auto parts = tokens_of(directive.substr(1));
  const auto word = [&](std::size_t i) {
    return i < parts.size() ? directive.substr(1 + parts[i].begin, parts[i].end - parts[i].begin)
                            : std::string_view();
  };
  if (word(0) == "include") return false;
  if (word(0) != "pragma") return true;
  return std::ranges::any_of(kLasting, [&](std::string_view one) {
    return has_part(word(1), one) || has_part(word(2), one);
  });
}

// The outermost class that contains the member `item`; nullptr if none does.
const Item* class_of(const std::vector<Item>& items, const Item& item) {
  const auto found = std::ranges::find_if(items, [&](const Item& other) {
    return other.kind == ItemKind::kType && !other.is_member && other.begin <= item.begin &&
           item.end <= other.end;
  });
  return found == items.end() ? nullptr : &*found;
}

}  // namespace

HostCode::HostCode(std::string name, std::string source) : name_(std::move(name)) {
  files_[name_].text = std::move(source);
}

std::string HostCode::source() const { return edited(files_.at(name_)); }

std::vector<SourceText> HostCode::sources() const {
  std::vector<SourceText> out = {{name_, source()}};
  for (const auto& [path, file] : files_) {
    if (path != name_) out.push_back({path, edited(file)});
  }
  return out;
}

std::string HostCode::header(const std::string& path, std::string text) {
  auto& file = files_[path];
  if (file.text != text) {
    file = {};
    file.text = std::move(text);
  }
  return edited(file);
}

bool HostCode::leave_out(std::string_view log) {
  outline_all();
  const auto entries = log_entries(log, name_);
  const auto findings = locate(entries);
  bool found = false;
  for (const auto& finding : findings) {
    const auto& message = finding.entry->message;
    if (is_missing_file(message)) found |= leave_out_missing_include(finding);
    if (is_host_message(message)) found |= leave_out_host_declaration(finding, findings);
  }
  if (found) {
    leave_out_launchers();
    return true;
  }
  // Not earlier, because with this option the compiler no longer reports host functions.
  if (!wants_default_device_ && std::ranges::any_of(findings, is_lambda_of_device)) {
    wants_default_device_ = true;
    return true;
  }
  // Only the first finding outside host code counts: after an error the compiler skips some text,
  // and may report false errors.
  for (const auto& finding : findings) {
    if (leave_out_mistake(finding)) return true;
    if (finding.entry->message.starts_with("expected a")) return false;
  }
  return false;
}

bool HostCode::ignore_attributes(std::string_view log) {
  static constexpr std::array<std::string_view, 4> kIgnored = {"__host__", "__shared__",
                                                               "__constant__", "__device__"};
  const auto entries = log_entries(log, name_);
  bool found = false;
  for (const auto& finding : locate(entries)) {
    const auto word = last_quoted(finding.entry->message);
    const auto rest = std::string_view(finding.file->text).substr(finding.offset);
    const bool is_ignored = has_part(finding.entry->message, "does not apply here") &&
                            std::ranges::count(kIgnored, word) != 0 && rest.starts_with(word);
    if (is_ignored) found |= finding.file->ignored.try_emplace(finding.offset, word).second;
  }
  return found;
}

std::string HostCode::ignored_attributes() const {
  std::string out;
  for (const auto& [path, file] : files_) {
    for (const auto& [at, word] : file.ignored) {
      out += entry_at(path, file.text, at,
                      "warning #1835-D: attribute \"" + word + "\" does not apply here");
    }
  }
  return out;
}

bool HostCode::has_designator(std::string_view log) {
  const auto entries = log_entries(log, name_);
  return std::ranges::any_of(locate(entries), [](const Finding& finding) {
    const auto rest = std::string_view(finding.file->text).substr(finding.offset);
    return rest.size() > 1 && rest[0] == '.' &&
           (std::isalpha(static_cast<unsigned char>(rest[1])) != 0 || rest[1] == '_');
  });
}

std::vector<LeftOut> HostCode::left_out() const {
  std::vector<LeftOut> out;
  for (const auto& [path, file] : files_) {
    for (const auto& [place, item] : file.blanked) {
      const auto at = name_begin(file.text, item);
      const auto line_begin = file.text.rfind('\n', at) + 1;  // 0 in the first line
      out.push_back({path, line_of_offset(file.text, at),
                     static_cast<std::uint32_t>(at - line_begin + 1), item.name});
    }
  }
  std::ranges::stable_sort(out, {}, [&](const LeftOut& item) {
    return std::tuple(item.file != name_, std::string_view(item.file), item.line);
  });
  return out;
}

std::vector<HostCode::Finding> HostCode::locate(const std::vector<LogEntry>& entries) {
  std::vector<Finding> out;
  for (const auto& entry : entries) {
    const auto file = files_.find(entry.file);
    if (!entry.is_error || entry.line == 0 || file == files_.end()) continue;
    const auto offset = offset_of(file->second.text, entry.line, entry.column);
    out.push_back({&file->second, offset, &entry});
  }
  return out;
}

// A macro of one file may mark functions of another.
void HostCode::outline_all() {
  Macros macros;
  bool is_new = false;
  for (auto& [path, file] : files_) {
    is_new |= !file.is_outlined;
    if (!file.is_outlined) file.tokens = tokens_of(file.text);
    file.is_outlined = true;
  }
  if (!is_new) return;
  for (int pass = 0; pass < 2; ++pass) {  // independent of the order of definitions in the files
    for (auto& [path, file] : files_) add_macros(file.text, file.tokens, macros);
  }
  for (auto& [path, file] : files_) file.items = outline(file.text, file.tokens, macros);
}

bool HostCode::blank(File& file, const Item& item) {
  if (!file.blanked.try_emplace({item.begin, item.end}, item).second) return false;
  if (!item.name.empty()) names_.insert(item.name);
  return true;
}

// A lambda with auto parameters is reported at its parenthesis.
bool HostCode::is_lambda_of_device(const Finding& found) {
  const auto* item = item_at(found.file->items, found.offset);
  return item != nullptr && item->is_device && is_host_message(found.entry->message) &&
         found.file->text[found.offset] == '(';
}

// A declaration that the compiler reports as the host's.
bool HostCode::leave_out_host_declaration(const Finding& found, const std::vector<Finding>& all) {
  auto& file = *found.file;
  const auto* item = item_at(file.items, found.offset);
  if (item == nullptr || item->is_device) return false;
  const bool is_function = item->kind == ItemKind::kFunction;
  const bool can_be_relaxed =
      is_function && found.offset < item->head_end && item->constexpr_at != std::string_view::npos;
  if (can_be_relaxed && file.relaxed.insert(item->constexpr_at).second) return true;
  const bool is_certain = item->launches || item->name == "main";
  if (item->looks_device && !is_certain) return false;  // its space is missing
  // The compiler also treats an unknown word as a variable.
  const bool is_doubtful = std::ranges::any_of(all, [&](const Finding& other) {
    return other.file == &file && item->begin <= other.offset && other.offset < item->end &&
           !is_host_message(other.entry->message);
  });
  const bool is_variable = has_part(found.entry->message, "host variable");
  if (is_variable && !is_function && is_doubtful && !speaks_of_host(file, *item)) return false;
  const bool is_needed = item->is_member && (item->is_virtual || !(is_function || item->is_static));
  if (!is_needed) return blank(file, *item);
  const auto* whole = class_of(file.items, *item);
  return whole != nullptr && !whole->is_device && blank(file, *whole);
}

// A declaration with another error that only host code can have.
bool HostCode::leave_out_mistake(const Finding& found) {
  auto& file = *found.file;
  const auto* item = item_at(file.items, found.offset);
  if (item != nullptr && item->is_member && item->kind != ItemKind::kFunction) {
    item = class_of(file.items, *item);
  }
  if (item == nullptr || item->is_device || item->is_assertion || item->looks_device) return false;
  return speaks_of_host(file, *item) && blank(file, *item);
}

bool HostCode::speaks_of_host(const File& file, const Item& item) const {
  const bool is_function = item.kind == ItemKind::kFunction && item.head_end < item.end;
  if (lacks_include_ || (is_function && !file.relaxed.contains(item.constexpr_at))) return true;
  const auto first = std::ranges::lower_bound(file.tokens, item.begin, {}, &Token::begin);
  return std::any_of(first, file.tokens.end(), [&](const Token& token) {
    if (token.begin >= item.end || token.kind != TokenKind::kWord) return false;
    const auto word = word_of(token, file.text);
    return std::ranges::count(kHostWords, word) != 0 || is_of_host_library(word) ||
           names_.contains(word);
  });
}

// Whether some host function could need a missing file.
bool HostCode::has_host_function() const {
  return std::ranges::any_of(files_, [](const auto& entry) {
    return std::ranges::any_of(entry.second.items, [](const Item& item) {
      return item.kind == ItemKind::kFunction && !item.is_device && !item.looks_device &&
             item.head_end < item.end && item.constexpr_at == std::string_view::npos;
    });
  });
}

bool HostCode::leave_out_missing_include(const Finding& found) {
  auto& file = *found.file;
  const auto line = found.entry->line;
  const bool has_host = has_host_function();
  for (const auto& item : file.items) {
    if (item.kind != ItemKind::kInclude || line_of_offset(file.text, item.begin) != line) continue;
    if (!has_host && !is_header_of_host_library(without_quotes(item.name))) continue;
    lacks_include_ = true;
    return blank(file, item);
  }
  return false;
}

// Functions that launch kernels, and main(), are always host code; this saves a compilation.
void HostCode::leave_out_launchers() {
  for (auto& [path, file] : files_) {
    for (const auto& item : file.items) {
      const bool is_certain = item.kind == ItemKind::kFunction && !item.is_device &&
                              !item.is_member && !item.is_conditional &&
                              (item.launches || item.name == "main");
      if (is_certain) blank(file, item);
    }
  }
}

std::string HostCode::edited(const File& file) const {
  const bool is_whole =
      file.blanked.empty() && file.relaxed.empty() && file.ignored.empty() && file.stubs.empty();
  if (is_whole) return file.text;
  auto out = file.text;
  for (const auto& [at, word] : file.ignored) fill_with_blanks(out, at, at + word.size());
  for (const auto at : file.relaxed) {
    out.replace(at, kRelaxedConstexpr.size(), kRelaxedConstexpr);
  }
  for (const auto& item : file.stubs) replace_by_stub(out, file, item);
  for (const auto& [place, item] : file.blanked) {
    auto at = item.begin;
    auto token = std::ranges::lower_bound(file.tokens, item.begin, {}, &Token::begin);
    for (; token != file.tokens.end() && token->begin < item.end; ++token) {
      if (token->kind != TokenKind::kDirective || item.kind == ItemKind::kInclude) continue;
      const auto text = std::string_view(file.text).substr(token->begin, token->end - token->begin);
      if (!stays(text)) continue;
      fill_with_blanks(out, at, token->begin);
      at = token->end;
    }
    fill_with_blanks(out, at, item.end);
  }
  // Text after blanked code may now start its line, and so be a directive.
  return neutralise_directives(out);
}

std::string call_of_both(std::string_view function) {
  return "warning: a __host__ __device__ function calls the __host__ function \"" +
         std::string(function) +
         "\"; nvcc leaves this call out of device code, and what follows it";
}

bool HostCode::leave_out_callers_of_host(std::string_view log) {
  const auto entries = log_entries(log, name_);
  bool found = false;
  for (const auto& finding : locate(entries)) {
    const auto& message = finding.entry->message;
    const auto* item = item_at(finding.file->items, finding.offset);
    const bool is_unknown = has_part(message, "is undefined") || has_part(message, "has no member");
    if (item == nullptr || !is_unknown || !is_for_both(*finding.file, *item)) continue;
    const auto word = last_quoted(message);
    if (!names_.contains(word) && !is_function_of_host(word)) continue;
    callers_.push_back(
        {std::string(finding.entry->file), *item, finding.offset, std::string(word)});
    found |= blank(*finding.file, *item);
  }
  return found;
}

bool HostCode::keep_callers_of_host(std::string_view log) {
  const auto is_caller = [&](std::string_view name) {
    return std::ranges::any_of(callers_, [&](const Caller& one) { return one.item.name == name; });
  };
  for (const auto& entry : log_entries(log, name_)) {
    if (entry.is_error && !is_caller(last_quoted(entry.message))) return false;
  }
  for (const auto& caller : callers_) {
    files_.at(caller.path).blanked.erase({caller.item.begin, caller.item.end});
  }
  for (const auto& caller : callers_) {
    if (!is_caller(caller.callee) && !make_stub(caller.callee)) return false;
  }
  wants_default_device_ = true;  // The stubs have no space.
  return true;
}

std::string HostCode::calls_of_host() const {
  std::string out;
  const bool are_kept =
      std::ranges::any_of(files_, [](const auto& entry) { return !entry.second.stubs.empty(); });
  if (!are_kept) return out;
  for (const auto& caller : callers_) {
    const auto& text = files_.at(caller.path).text;
    out += entry_at(caller.path, text, caller.offset, call_of_both(caller.callee));
  }
  return out;
}

// Replaces the functions of the host called `name` by stubs. Returns false if no function has the
// name.
bool HostCode::make_stub(std::string_view name) {
  bool found = false;
  for (auto& [path, file] : files_) {
    const auto is_it = [&](const auto& blanked) {
      const auto& item = blanked.second;
      return item.name == name && item.kind == ItemKind::kFunction && item.head_end < item.end;
    };
    for (auto at = std::ranges::find_if(file.blanked, is_it); at != file.blanked.end();
         at = std::ranges::find_if(file.blanked, is_it)) {
      file.stubs.push_back(at->second);
      file.blanked.erase(at);
      found = true;
    }
    found |= std::ranges::any_of(file.stubs, [&](const Item& item) { return item.name == name; });
  }
  return found;
}

// Whether the head of the function has both spaces; a macro may contain the host's.
bool HostCode::is_for_both(const File& file, const Item& item) const {
  if (item.kind != ItemKind::kFunction || item.head_end >= item.end) return false;
  const auto head = std::string_view(file.text).substr(item.begin, item.head_end - item.begin);
  if (has_part(head, "__host__")) return has_part(head, "__device__");
  for (const auto& [path, other] : files_) {
    for (const auto& token : other.tokens) {
      if (token.kind != TokenKind::kDirective) continue;
      const auto inside =
          std::string_view(other.text).substr(token.begin + 1, token.end - token.begin - 1);
      const auto parts = tokens_of(inside);
      if (parts.size() < 3 || !has_part(inside, "__host__")) continue;
      const auto name = inside.substr(parts[1].begin, parts[1].end - parts[1].begin);
      const auto words = tokens_of(head);
      const bool has_macro = std::ranges::any_of(words, [&](const Token& word) {
        return head.substr(word.begin, word.end - word.begin) == name;
      });
      if (has_macro) return true;
    }
  }
  return false;
}

// Keeps only the head of the function `item`, with a trap as its body. `out` has the places of
// `file`.
void HostCode::replace_by_stub(std::string& out, const File& file, const Item& item) {
  for (const auto& token : file.tokens) {
    const bool is_host = token.begin >= item.begin && token.end <= item.head_end &&
                         out.compare(token.begin, token.end - token.begin, "__host__") == 0;
    if (is_host) fill_with_blanks(out, token.begin, token.end);
  }
  constexpr std::string_view kTrap = "__trap();";
  const auto begin = item.head_end + 1;
  fill_with_blanks(out, begin, item.end - 1);
  const auto room = out.find(std::string(kTrap.size(), ' '), begin);
  if (room < item.end) out.replace(room, kTrap.size(), kTrap);
}

}  // namespace warpgrade::compile
