// SPDX-License-Identifier: Apache-2.0
// An NVRTC that appends the PTX to its machine code, for the driver of sim_libcuda.cpp. Other
// readers of the machine code see an ELF file with some bytes after its end.
//
// The real library must be in the folder `real` next to this one, under the same name.
#include <dlfcn.h>

#include <cstddef>
#include <cstdlib>
#include <string>

namespace {

using Program = void*;
using Ask = int (*)(Program, std::size_t*);
using Fill = int (*)(Program, char*);

void* library() {
  static void* const handle = [] {
    Dl_info self{};
    dladdr(reinterpret_cast<const void*>(&library), &self);
    std::string path = self.dli_fname;
    path.insert(path.rfind('/'), "/real");
    return dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  }();
  if (handle == nullptr) std::abort();
  return handle;
}

template <typename Function>
Function real(const char* name, Function) {
  return reinterpret_cast<Function>(dlsym(library(), name));
}

std::size_t size(const char* call, Program program) {
  std::size_t out = 0;
  real(call, Ask())(program, &out);
  return out;
}

}  // namespace

#define FORWARD(symbol, type, parameters, ...)            \
  [[gnu::visibility("default")]] type symbol parameters { \
    return real(#symbol, &symbol)(__VA_ARGS__);           \
  }

extern "C" {
FORWARD(nvrtcVersion, int, (int* major, int* minor), major, minor)
FORWARD(nvrtcGetErrorString, const char*, (int result), result)
FORWARD(nvrtcCreateProgram, int,
        (Program * program, const char* source, const char* name, int headers,
         const char* const* texts, const char* const* names),
        program, source, name, headers, texts, names)
FORWARD(nvrtcAddNameExpression, int, (Program program, const char* name), program, name)
FORWARD(nvrtcCompileProgram, int, (Program program, int count, const char* const* options), program,
        count, options)
FORWARD(nvrtcGetProgramLogSize, int, (Program program, std::size_t* size), program, size)
FORWARD(nvrtcGetProgramLog, int, (Program program, char* log), program, log)
FORWARD(nvrtcGetPTXSize, int, (Program program, std::size_t* size), program, size)
FORWARD(nvrtcGetPTX, int, (Program program, char* ptx), program, ptx)
FORWARD(nvrtcGetLoweredName, int, (Program program, const char* name, const char** lowered),
        program, name, lowered)
FORWARD(nvrtcDestroyProgram, int, (Program * program), program)

[[gnu::visibility("default")]] int nvrtcGetCUBINSize(Program program, std::size_t* bytes) {
  const int result = real("nvrtcGetCUBINSize", Ask())(program, bytes);
  if (result == 0 && *bytes > 0) *bytes += size("nvrtcGetPTXSize", program);
  return result;
}

[[gnu::visibility("default")]] int nvrtcGetCUBIN(Program program, char* code) {
  const int result = real("nvrtcGetCUBIN", Fill())(program, code);
  const auto bytes = size("nvrtcGetCUBINSize", program);
  if (result == 0 && bytes > 0) real("nvrtcGetPTX", Fill())(program, code + bytes);
  return result;
}
}
