// SPDX-License-Identifier: Apache-2.0
// NVRTC, loaded at run time, behind one macro that names the call and the error.
//
// This file declares the few functions that we use by their documented C interface, which has not
// changed since CUDA 7, so the build needs no toolkit headers.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>

namespace warpgrade::compile {

/// nvrtcResult: 0 is success; the two codes below are handled separately.
using NvrtcResult = int;
inline constexpr NvrtcResult kNvrtcSuccess = 0;
inline constexpr NvrtcResult kNvrtcOutOfMemory = 1;
inline constexpr NvrtcResult kNvrtcCompilation = 6;

using NvrtcProgram = struct OpaqueNvrtcProgram*;

/// The entry points, named without the prefix "nvrtc".
struct Nvrtc {
  const char* (*GetErrorString)(NvrtcResult);
  NvrtcResult (*CreateProgram)(NvrtcProgram*, const char* source, const char* name, int headers,
                               const char* const* texts, const char* const* names);
  NvrtcResult (*AddNameExpression)(NvrtcProgram, const char*);
  NvrtcResult (*CompileProgram)(NvrtcProgram, int count, const char* const* options);
  NvrtcResult (*GetProgramLogSize)(NvrtcProgram, std::size_t*);
  NvrtcResult (*GetProgramLog)(NvrtcProgram, char*);
  NvrtcResult (*GetPTXSize)(NvrtcProgram, std::size_t*);
  NvrtcResult (*GetPTX)(NvrtcProgram, char*);
  NvrtcResult (*GetCUBINSize)(NvrtcProgram, std::size_t*);
  NvrtcResult (*GetCUBIN)(NvrtcProgram, char*);
  NvrtcResult (*GetLoweredName)(NvrtcProgram, const char*, const char**);
  NvrtcResult (*DestroyProgram)(NvrtcProgram*);
};

/// A failed call: "nvrtcGetPTX: NVRTC_ERROR_INVALID_PROGRAM".
class NvrtcError : public std::runtime_error {
 public:
  NvrtcError(const std::string& what, NvrtcResult result)
      : std::runtime_error(what), code(result) {}
  NvrtcResult code;
};

/// Loads the library at `path`; throws NvrtcError with the loader's message on failure.
Nvrtc load_nvrtc(const std::string& path);

/// Throws NvrtcError unless `result` is success.
void check_nvrtc(const Nvrtc& nvrtc, NvrtcResult result, const char* call);

using SizeCall = NvrtcResult (*)(NvrtcProgram, std::size_t*);
using TextCall = NvrtcResult (*)(NvrtcProgram, char*);

/// The result of a pair of calls (size, then bytes), without the final zero that NVRTC appends to
/// text.
std::string fetch(const Nvrtc& nvrtc, NvrtcProgram program, SizeCall size_call, TextCall text_call,
                  const char* name);
std::string fetch_text(const Nvrtc& nvrtc, NvrtcProgram program, SizeCall size_call,
                       TextCall text_call, const char* name);

}  // namespace warpgrade::compile

/// Calls one entry point of `nvrtc` and checks it: WARPGRADE_NVRTC(nvrtc, GetPTX, program, text).
#define WARPGRADE_NVRTC(nvrtc, call, ...) \
  ::warpgrade::compile::check_nvrtc(nvrtc, (nvrtc).call(__VA_ARGS__), "nvrtc" #call)
