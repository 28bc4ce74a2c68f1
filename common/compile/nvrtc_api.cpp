// SPDX-License-Identifier: Apache-2.0
#include "common/compile/nvrtc_api.h"

#include <dlfcn.h>

#include <filesystem>

namespace warpgrade::compile {
namespace {

template <typename Function>
void bind(void* library, const char* name, Function& function) {
  void* address = ::dlsym(library, name);
  if (address == nullptr) throw NvrtcError(std::string("libnvrtc lacks ") + name, 0);
  function = reinterpret_cast<Function>(address);
}

// NVRTC opens its library of builtins by its bare name, which the loader finds only in the system's
// folders or among loaded libraries. In NVIDIA's wheels it is beside libnvrtc.
void load_builtins(const std::filesystem::path& folder) {
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(folder, ignored)) {
    const auto name = entry.path().filename().string();
    if (name.starts_with("libnvrtc-builtins.so.")) ::dlopen(entry.path().c_str(), RTLD_NOW);
  }
}

}  // namespace

Nvrtc load_nvrtc(const std::string& path) {
  load_builtins(std::filesystem::path(path).parent_path());
  // Never closed: the process ends after the one compilation that it was started for.
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
  WARPGRADE_BIND(DestroyProgram);
#undef WARPGRADE_BIND
  return nvrtc;
}

void check_nvrtc(const Nvrtc& nvrtc, NvrtcResult result, const char* call) {
  if (result == 0) return;
  throw NvrtcError(std::string(call) + ": " + nvrtc.GetErrorString(result), result);
}

std::string fetch(const Nvrtc& nvrtc, NvrtcProgram program, SizeCall size_call, TextCall text_call,
                  const char* name) {
  std::size_t size = 0;
  check_nvrtc(nvrtc, size_call(program, &size), name);
  std::string out(size, '\0');
  check_nvrtc(nvrtc, text_call(program, out.data()), name);
  return out;
}

std::string fetch_text(const Nvrtc& nvrtc, NvrtcProgram program, SizeCall size_call,
                       TextCall text_call, const char* name) {
  auto out = fetch(nvrtc, program, size_call, text_call, name);
  out.resize(out.find('\0') == std::string::npos ? out.size() : out.find('\0'));
  return out;
}

}  // namespace warpgrade::compile
