// SPDX-License-Identifier: Apache-2.0
#include "grader/profile/arguments.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <system_error>
#include <utility>

#include "common/base/error.h"
#include "common/base/text.h"
#include "grader/text/scalars.h"

namespace warpgrade::grader::profile {
namespace {

std::vector<std::byte> read_elements(const ArgumentSpec& spec, const BufferSpec& buffer) {
  const auto path = base::escape_controls(buffer.file.string());
  std::error_code error;
  const auto size = std::filesystem::file_size(buffer.file, error);
  if (error) refuse(spec.text, fmt::format("{} cannot be read: {}", path, error.message()));
  if (size != buffer.bytes()) {
    refuse(spec.text, fmt::format("{} has {} bytes, but {} elements of {} are {}", path, size,
                                  buffer.count, text::name(buffer.type), buffer.bytes()));
  }
  std::vector<std::byte> out(size);
  std::ifstream in(buffer.file, std::ios::binary);
  in.read(reinterpret_cast<char*>(out.data()), static_cast<std::streamsize>(size));
  if (!in) refuse(spec.text, fmt::format("{} cannot be read", path));
  return out;
}

// Collects buffers in the order of the parameters, and each parameter's position among them.
class ArgumentMaker {
 public:
  explicit ArgumentMaker(const std::vector<ArgumentSpec>& specs) : specs_(specs) {
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < specs.size(); ++i) {
      if (const auto* buffer = std::get_if<BufferSpec>(&specs[i].value)) {
        add(i, fmt::format("argument {}", i), *buffer, sum);
      } else if (const auto* structure = std::get_if<StructSpec>(&specs[i].value)) {
        for (std::size_t p = 0; p < structure->pointers.size(); ++p) {
          const auto* own = std::get_if<BufferSpec>(&structure->pointers[p].to);
          if (own != nullptr) add(i, fmt::format("argument {}, address {}", i, p), *own, sum);
        }
      }
    }
    if (sum > kMostBufferBytes) {
      throw base::UsageError(fmt::format(
          "the buffers have {} bytes together, more than 8 GiB, the most that a launch may have",
          sum));
    }
  }

  Arguments make() {
    Arguments out;
    for (const auto& spec : specs_) out.arguments.push_back(argument(spec));
    for (const auto& one : buffers_) out.buffers.push_back(filled(one));
    return out;
  }

  std::size_t place_to_dump(std::string_view index) const {
    const auto dot = index.find('.');
    const auto parameter = text::parse_count(index.substr(0, dot));
    if (parameter && *parameter < specs_.size()) {
      const auto made = argument(specs_[*parameter]);
      if (dot == std::string_view::npos) {
        if (const auto* buffer = std::get_if<run::BufferArgument>(&made)) return buffer->index;
      } else if (const auto* structure = std::get_if<run::StructArgument>(&made)) {
        const auto which = text::parse_count(index.substr(dot + 1));
        if (which && *which < structure->pointers.size()) return structure->pointers[*which].buffer;
      }
    }
    throw base::UsageError(fmt::format(
        "--dump: parameter {} is not a buffer; the first address in a struct is INDEX.0",
        base::escape_controls(index)));
  }

 private:
  struct Named {
    std::size_t parameter;
    std::string name;
    const BufferSpec* spec;
  };

  void add(std::size_t parameter, std::string name, const BufferSpec& spec, std::uint64_t& sum) {
    buffers_.push_back({parameter, std::move(name), &spec});
    sum += spec.bytes();
  }

  std::size_t place_of(const BufferSpec& spec) const {
    const auto found = std::find_if(buffers_.begin(), buffers_.end(),
                                    [&](const Named& one) { return one.spec == &spec; });
    return static_cast<std::size_t>(found - buffers_.begin());
  }

  std::size_t place_of(const ArgumentSpec& from, const SameSpec& same) const {
    if (same.parameter < specs_.size()) {
      const auto* buffer = std::get_if<BufferSpec>(&specs_[same.parameter].value);
      if (buffer != nullptr) return place_of(*buffer);
    }
    refuse(from.text, fmt::format("parameter {} is not a buffer; name one that is in, inout or out",
                                  same.parameter));
  }

  run::Argument argument(const ArgumentSpec& spec) const {
    if (const auto* number = std::get_if<std::vector<std::byte>>(&spec.value)) return *number;
    if (const auto* buffer = std::get_if<BufferSpec>(&spec.value)) {
      return run::BufferArgument{place_of(*buffer)};
    }
    if (const auto* same = std::get_if<SameSpec>(&spec.value)) {
      return run::BufferArgument{place_of(spec, *same)};
    }
    const auto& structure = std::get<StructSpec>(spec.value);
    run::StructArgument out{structure.bytes, {}};
    for (const auto& [offset, to] : structure.pointers) {
      const auto* own = std::get_if<BufferSpec>(&to);
      out.pointers.push_back(
          {offset, own != nullptr ? place_of(*own) : place_of(spec, std::get<SameSpec>(to))});
    }
    return out;
  }

  run::Buffer filled(const Named& one) const {
    const auto& spec = *one.spec;
    run::Buffer out;
    out.name = one.name;
    out.bytes = spec.file.empty() ? verify::fill(spec.type, spec.count, spec.fill, spec.seed)
                                  : read_elements(specs_[one.parameter], spec);
    out.element_bytes = verify::size_of(spec.type);
    out.read_only = spec.is_input;
    out.defined = !spec.is_output;
    return out;
  }

  const std::vector<ArgumentSpec>& specs_;
  std::vector<Named> buffers_;
};

}  // namespace

Arguments make_arguments(const std::vector<ArgumentSpec>& specs) {
  return ArgumentMaker(specs).make();
}

run::Buffer make_buffer(const ArgumentSpec& spec) {
  if (!std::holds_alternative<BufferSpec>(spec.value)) {
    refuse(spec.text,
           "is not a buffer; use in:TYPE:COUNT:INIT, inout:TYPE:COUNT:INIT or "
           "out:TYPE:COUNT");
  }
  return std::move(make_arguments({spec}).buffers.front());
}

std::size_t buffer_to_dump(std::string_view index, const std::vector<ArgumentSpec>& specs) {
  return ArgumentMaker(specs).place_to_dump(index);
}

}  // namespace warpgrade::grader::profile
