// SPDX-License-Identifier: Apache-2.0
#include "common/compile/host_headers.h"

#include <algorithm>
#include <array>

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
    "nvToolsExt.h", "nvml.h", "nvrtc.h", "nvtx3/nvToolsExt.h", "nvtx3/nvtx3.hpp", "optional",
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

bool is_function_of_host(std::string_view name) {
  static constexpr std::array<std::string_view, 12> kNamesOfHost = {
      "atof", "atoi",  "getenv", "memcmp", "memmove", "puts",
      "rand", "srand", "strcmp", "strcpy", "strncmp", "strncpy"};
  return std::ranges::count(kNamesOfHost, name) != 0;
}

}  // namespace warpgrade::compile
