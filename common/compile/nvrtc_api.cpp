// SPDX-License-Identifier: Apache-2.0
#include "common/compile/nvrtc_api.h"

#include <dlfcn.h>

namespace warpgrade::compile {
namespace {

template <typename Function>
void bind(void* library, const char* name, Function& function) {
  void* address = ::dlsym(library, name);
  if (address == nullptr) throw NvrtcError(std::string("libnvrtc lacks ") + name, 0);
  function = reinterpret_cast<Function>(address);
}

}  // namespace

Nvrtc load_nvrtc(const std::string& path) {
  // Never closed: the process ends with the one compilation it was started for.
  void* library = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) throw NvrtcError(std::string("cannot load libnvrtc: ") + ::dlerror(), 0);
  Nvrtc nvrtc{};
#define WARPGRADE_BIND(call) bind(library, "nvrtc" #call, nvrtc.call)
  WARPGRADE_BIND(GetErrorString);
  WARPGRADE_BIND(CreateProgram);
  WARPGRADE_BIND(AddNameExpression);
  WARPGRADE_BIND(CompileProgram);
  WARPGRADE_BIND(GetProgramLogSize);
  WARPGRADE_BIND(GetProgramLog);
  WARPGRADE_BIND(GetPTXSize);
  WARPGRADE_BIND(GetPTX);
  WARPGRADE_BIND(GetCUBINSize);
  WARPGRADE_BIND(GetCUBIN);
  WARPGRADE_BIND(GetLoweredName);
#undef WARPGRADE_BIND
  return nvrtc;
}

void check_nvrtc(const Nvrtc& nvrtc, NvrtcResult result, const char* call) {
  if (result == 0) return;
  throw NvrtcError(std::string(call) + ": " + nvrtc.GetErrorString(result), result);
}

}  // namespace warpgrade::compile
