// SPDX-License-Identifier: Apache-2.0
// The message fields (base/wire.h) of a launch, its buffers and its findings, for messages to and
// from the process that owns the GPU.
#pragma once

#include <tuple>

#include "common/base/diagnostic.h"
#include "common/base/wire.h"
#include "common/run/sequence.h"

namespace warpgrade::base {

inline auto wire_fields(Dim3& extent) { return std::tie(extent.x, extent.y, extent.z); }
inline auto wire_fields(SourceLocation& where) {
  return std::tie(where.file, where.line, where.column);
}
constexpr DiagnosticKind wire_last(DiagnosticKind /*type*/) {
  return DiagnosticKind::kCompileError;
}
inline auto wire_fields(InLaunch& launch) {
  return std::tie(launch.number, launch.count, launch.kernel);
}
/// A GPU's diagnostics have a message and no facts.
inline auto wire_fields(Diagnostic& diagnostic) {
  return std::tie(diagnostic.kind, diagnostic.where, diagnostic.message, diagnostic.block,
                  diagnostic.thread, diagnostic.seen.launch);
}

}  // namespace warpgrade::base

namespace warpgrade::run {

inline auto wire_fields(BufferArgument& argument) { return std::tie(argument.index); }
inline auto wire_fields(PointerField& field) { return std::tie(field.offset, field.buffer); }
inline auto wire_fields(StructArgument& argument) {
  return std::tie(argument.bytes, argument.pointers);
}
inline auto wire_fields(Launch& launch) {
  return std::tie(launch.kernel, launch.grid, launch.block, launch.dynamic_shared_bytes,
                  launch.arguments, launch.cooperative, launch.cluster);
}
inline auto wire_fields(Sequence& sequence) { return std::tie(sequence.launches, sequence.places); }
inline auto wire_fields(Buffer& buffer) {
  return std::tie(buffer.name, buffer.bytes, buffer.element_bytes, buffer.read_only, buffer.defined,
                  buffer.symbol);
}

}  // namespace warpgrade::run
