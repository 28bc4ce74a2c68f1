// SPDX-License-Identifier: Apache-2.0
// Functions of both host and device that call the host. nvcc warns, and compiles device code that
// ends at the call. Here it ends with a trap.
#include <algorithm>

#include "common/compile/directives.h"
#include "common/compile/host_code.h"
#include "common/compile/host_headers.h"

namespace warpgrade::compile {

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
