// SPDX-License-Identifier: Apache-2.0
// Writes and reads the fields of a Job and an Answer in their order of declaration.
//
// `fields` names the fields of a struct once; a Writer and a Reader walk the same list, so that
// the two directions cannot disagree.
#include "common/compile/wire.h"

#include <cstring>

namespace warpgrade::compile {
namespace {

class Writer {
 public:
  void number(std::uint64_t value) {
    char bytes[sizeof value];
    std::memcpy(bytes, &value, sizeof value);
    out_.append(bytes, sizeof value);
  }
  void field(std::uint64_t value) { number(value); }
  void field(CompileStatus value) { number(static_cast<std::uint64_t>(value)); }
  void field(const std::string& text) {
    number(text.size());
    out_ += text;
  }
  void field(const std::vector<std::string>& list) {
    number(list.size());
    for (const auto& text : list) field(text);
  }
  std::string take() { return std::move(out_); }

 private:
  std::string out_;
};

class Reader {
 public:
  explicit Reader(std::string_view bytes) : rest_(bytes) {}
  void field(std::uint64_t& value) {
    const auto bytes = cut(sizeof value);
    if (ok_) std::memcpy(&value, bytes.data(), sizeof value);
  }
  void field(CompileStatus& value) {
    std::uint64_t number = 0;
    field(number);
    ok_ = ok_ && number <= static_cast<std::uint64_t>(CompileStatus::kToolError);
    if (ok_) value = static_cast<CompileStatus>(number);
  }
  void field(std::string& text) {
    std::uint64_t size = 0;
    field(size);
    text = cut(size);
  }
  void field(std::vector<std::string>& list) {
    std::uint64_t size = 0;
    field(size);
    for (std::uint64_t i = 0; ok_ && i < size; ++i) field(list.emplace_back());
  }
  /// True where everything was there and nothing is left over.
  bool complete() const { return ok_ && rest_.empty(); }

 private:
  std::string_view cut(std::uint64_t size) {
    ok_ = ok_ && size <= rest_.size();
    if (!ok_) return {};
    const auto bytes = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return bytes;
  }

  std::string_view rest_;
  bool ok_ = true;
};

template <typename Visitor, typename AJob>
void job_fields(Visitor& visitor, AJob& job) {
  visitor.field(job.library);
  visitor.field(job.toolkit_folders);
  visitor.field(job.folder);
  visitor.field(job.name);
  visitor.field(job.source);
  visitor.field(job.architecture);
  visitor.field(job.expressions);
  visitor.field(job.cpu_seconds);
  visitor.field(job.memory_bytes);
}

template <typename Visitor, typename AnAnswer>
void answer_fields(Visitor& visitor, AnAnswer& answer) {
  visitor.field(answer.outcome);
  visitor.field(answer.failure);
  visitor.field(answer.log);
  visitor.field(answer.ptx);
  visitor.field(answer.machine_code);
  visitor.field(answer.lowered);
}

}  // namespace

std::string encode(const Job& job) {
  Writer writer;
  job_fields(writer, job);
  return writer.take();
}

std::string encode(const Answer& answer) {
  Writer writer;
  answer_fields(writer, answer);
  return writer.take();
}

std::optional<Job> decode_job(std::string_view bytes) {
  Job job;
  Reader reader(bytes);
  job_fields(reader, job);
  return reader.complete() ? std::optional(std::move(job)) : std::nullopt;
}

std::optional<Answer> decode_answer(std::string_view bytes) {
  Answer answer;
  Reader reader(bytes);
  answer_fields(reader, answer);
  return reader.complete() ? std::optional(std::move(answer)) : std::nullopt;
}

}  // namespace warpgrade::compile
