// SPDX-License-Identifier: Apache-2.0
#include "common/compile/stand_ins.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <map>
#include <memory>
#include <sstream>
#include <string>

#include "common/compile/host_macro_texts.h"
#include "tests/compile/compiling.h"

namespace warpgrade::compile::stand_ins_test {

// Replaces identifiers that are not ASCII: lengths and places stay, names stay distinct, and logs
// get the original names back.

TEST(AsciiNames, ReplacesIdentifiersAndKeepsTheLength) {
  AsciiNames names;
  const std::string text = "int größe = 数 + größe;\n#define HÖHE 3\n";
  const auto out = names.replace(text);
  EXPECT_EQ(text.size(), out.size());
  for (const char c : out) EXPECT_LT(static_cast<unsigned char>(c), 0x80) << out;
  EXPECT_EQ(out.substr(out.find("gr"), 7), out.substr(out.rfind("gr"), 7));
  EXPECT_EQ(text, names.restore(out));
}

TEST(AsciiNames, NamesThatDifferOnlyBeyondAsciiStayApart) {
  AsciiNames names;
  const auto out = names.replace("größe grüße grqqse grqrse");
  EXPECT_NE(out.substr(0, 7), out.substr(8, 7));
  EXPECT_EQ("größe grüße grqqse grqrse", names.restore(out));
}

TEST(AsciiNames, LeavesCommentsAndLiteralsAlone) {
  AsciiNames names;
  const std::string text = "// Größe\nprintf(\"Größe %d\\n\", n); /* ä */ char c = 'x';\n";
  EXPECT_EQ(text, names.replace(text));
}

TEST(AsciiNames, QuotationMarksAndSignsOfAnEditorStay) {
  AsciiNames names;
  const std::string text = "puts(“a”); x = a × b − c;\u00a0";
  EXPECT_EQ(text, names.replace(text));
}

TEST(AsciiNames, PlainTextHasNothingToRestore) {
  AsciiNames names;
  EXPECT_EQ("int a;", names.replace("int a;"));
  EXPECT_EQ("x.cu(1): error", names.restore("x.cu(1): error"));
}

TEST(AsciiNames, AHeaderSharesTheNamesOfTheMainFile) {
  AsciiNames names;
  const auto main_file = names.replace("int größe;");
  EXPECT_EQ(main_file, names.replace("int größe;"));
}

// The predefined macros of nvcc: all of its list, the same for every machine, moment and path.

using testing::HasSubstr;
using testing::Not;

constexpr std::string_view kList = base::embedded(kMacroTexts, "host_macros.txt").text;

// The value of each macro with a value in `lines` by its name; macros with parameters are left out.
std::map<std::string, std::string> values_in(std::string_view lines) {
  std::map<std::string, std::string> out;
  std::istringstream in{std::string(lines)};
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line);
    std::string directive;
    std::string name;
    words >> directive >> name;
    std::string value;
    std::getline(words >> std::ws, value);
    if (directive == "#define" && name.find('(') == std::string::npos) out[name] = value;
  }
  return out;
}

std::map<std::string, std::string> listed() {
  return values_in(kList.substr(0, kList.find("// What depends on")));
}

// The output of a command, or nothing if it fails.
std::string output_of(const std::string& command) {
  std::string out;
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(::popen(command.c_str(), "r"), ::pclose);
  std::array<char, 4096> buffer{};
  while (pipe && std::fgets(buffer.data(), buffer.size(), pipe.get()) != nullptr) {
    out += buffer.data();
  }
  return out;
}

constexpr const char* kSame =
    "constexpr bool same(const char* a, const char* b) {\n"
    "  while (*a != 0 && *a == *b) { ++a; ++b; }\n  return *a == *b;\n}\n"
    "#define TEXT_OF(...) #__VA_ARGS__\n#define TEXT(...) TEXT_OF(__VA_ARGS__)\n";

TEST(HostMacros, DeviceCodeSeesTheWholeListOfNvcc) {
  const auto values = listed();
  EXPECT_EQ(442U, values.size());
  std::string source = kSame;
  for (const auto& [name, value] : values) {
    source += "#ifndef " + name + "\n#error lacks " + name + "\n#endif\n";
    const bool names_another = value.find("__") != std::string::npos;
    if (names_another) continue;
    source += "static_assert(same(TEXT(" + name + "), R\"(" + value + ")\"), \"" + name + "\");\n";
  }
  source +=
      "static_assert(__INT64_C(5) == 5L && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ &&\n"
      "              __DBL_MAX__ > 1e308 && __WCHAR_MIN__ < 0, \"\");\n"
      "__global__ void k() {}\n";
  for (const auto& diagnostic : diagnostics_of(source)) ADD_FAILURE() << diagnostic.message;
}

// If nvcc with the same host compiler is installed, the list must match its output.
TEST(HostMacros, TheListIsNvccs) {
  const auto actual = values_in(output_of(
      "nvcc -E -Xcompiler -dM -x cu -arch=sm_90 -D__CUDA_ARCH__=900 /dev/null 2>/dev/null"));
  const auto found = actual.find("__VERSION__");
  if (found == actual.end() || found->second != "\"12.2.0\"" || !actual.contains("__x86_64__")) {
    GTEST_SKIP() << "needs nvcc with GCC 12.2 on x86_64";
  }
  for (const auto& [name, value] : listed()) {
    if (name == "CUDA_DOUBLE_MATH_FUNCTIONS") continue;  // only in the pass for the device
    EXPECT_EQ(actual.contains(name) ? actual.at(name) : "none", value) << name;
  }
  const auto predefined = values_in(output_of("g++ -E -dM -x c++ -std=gnu++17 /dev/null"));
  for (const auto& [name, value] : predefined) EXPECT_EQ(value, listed()[name]) << name;
}

TEST(HostMacros, AKernelChoosesAsUnderNvcc) {
  const auto program = program_of(
      "#ifdef __NVCC__\n#define BOTH __host__ __device__\n#else\n#define BOTH\n#endif\n"
      "#if defined(__CUDACC_RTC__) || defined(__EDG__) || !defined(__GNUC__) || __GNUC__ < 12\n"
      "#error not nvcc\n#endif\n"
      "#if __cplusplus != 201703L || __INT_MAX__ != 2147483647 || __CHAR_BIT__ != 8\n"
      "#error not C++17\n#endif\n"
      "#include <cuda/std/limits>\n#include <cooperative_groups.h>\n#include <cuda_fp16.h>\n"
      "BOTH int twice(int x) { return 2 * x; }\n"
      "__global__ void k(int* o) { *o = twice(*o) + cuda::std::numeric_limits<int>::digits; }\n");
  EXPECT_EQ("k(int*)", program.kernels.at(0).signature);
}

TEST(HostMacros, KeepPlacesAndNamesInMessages) {
  const auto found =
      diagnostics_of("#define LIMIT __INT_MAX__\n\nint __device__ a = __GNUC__ b;\n");
  ASSERT_EQ(1U, found.size());
  EXPECT_EQ(3U, found[0].where.line);
  const HostMacros macros;
  const std::string text =
      "#include <linux/x.h>\nint linux = __GNUC__; // __GNUC__\nauto s = \"__GNUC__\";\n";
  EXPECT_EQ("#include <linux/x.h>\nint linuX = __GNUc__; // __GNUC__\nauto s = \"__GNUC__\";\n",
            macros.replace(text));
  EXPECT_EQ(text, macros.restore(macros.replace(text)));
}

TEST(HostMacros, ACounterCounts) {
  EXPECT_THAT(diagnostics_of("static_assert(__COUNTER__ == 0, \"\");\n"
                             "#ifdef __COUNTER__\nstatic_assert(__COUNTER__ == 1, \"\");\n#endif\n"
                             "#define JOIN_(a, b) a##b\n#define JOIN(a, b) JOIN_(a, b)\n"
                             "#define NEW_NAME JOIN(name, __COUNTER__)\n"
                             "__device__ int NEW_NAME;\n__device__ int NEW_NAME;\n"),
              testing::IsEmpty());
}

// The values are those of `nvcc -E -arch=sm_90`.
TEST(HostMacros, ACounterCountsThroughMacros) {
  EXPECT_THAT(
      diagnostics_of("#define JOIN_(a, b) a##b\n#define JOIN(a, b) JOIN_(a, b)\n"
                     "#define UNIQUE __COUNTER__\n#define N (UNIQUE)\n"
                     "#define NEW_NAME(x) JOIN(x, __COUNTER__)\n"
                     "#define PAIR(x) int NEW_NAME(x), JOIN(x##_, __COUNTER__)\n"
                     "static_assert(UNIQUE == 0 && UNIQUE == 1 && N == 2, \"\");\n"
                     "__device__ int NEW_NAME(a);\n__device__ int NEW_NAME(a);\n"
                     "static_assert(UNIQUE == 5, \"\");\n__device__ PAIR(b);\n"
                     "#if UNIQUE != 8 || !defined(UNIQUE)\n#error wrong\n#endif\n"
                     "__device__ int JOIN(c,\n UNIQUE);\n__device__ int* p = &c9;\n"
                     "static_assert(N == 10 && N == 11 && __COUNTER__ == 12, \"\");\n"
                     "#undef N\nconstexpr int N = 3;\nstatic_assert(N == 3, \"\");\n"
                     "#undef UNIQUE\n#define UNIQUE 7\nstatic_assert(UNIQUE == 7, \"\");\n"),
      testing::IsEmpty());
}

TEST(HostMacros, AMacroInABranchKeepsItsValue) {
  EXPECT_THAT(
      diagnostics_of("#ifdef __NVCC__\n#define ID 5\n#else\n#define ID __COUNTER__\n#endif\n"
                     "#if 0\n#define N __COUNTER__\n#endif\n"
                     "constexpr int N = ID;\nstatic_assert(N == 5, \"\");\n"
                     "static_assert(__COUNTER__ == 0, \"\");\n"),
      testing::IsEmpty());
}

// The name of a file, its folder and the time must not change what its kernel stores.
TEST(HostMacros, NothingOfThePathOrTheMomentReachesDeviceCode) {
  const std::string header =
      "__device__ const char* in_header() { return __FILE__ __TIME__; }\n"
      "__device__ void check_in_header(int i) { assert(i > 1); }\n";
  const std::string source =
      "#include \"inner.h\"\n#include <cuda/std/source_location>\n"
      "#define JOIN(a, b) a##b\n"
      "__global__ void k(const char** o, int i) {\n"
      "  const char* texts[] = {\n"
      "      __FILE__, __BASE_FILE__, __FILE_NAME__, __DATE__, __TIME__, __TIMESTAMP__,\n"
      "      __builtin_FILE(), JOIN(__FI, LE__), JOIN(__TI, ME__), JOIN(__DA, TE__),\n"
      "      cuda::std::source_location::current().file_name(), in_header()};\n"
      "  assert(i > 0);\n  check_in_header(i);\n  o[i] = texts[i];\n}\n";
  const auto ptx_in = [&](const std::string& name) {
    const TemporaryFolder folder;
    folder.write("inner.h", header);
    auto request = request_for(source, folder.path());
    request.file = name;
    auto ptx = program_of(request).ptx.text();
    return ptx.substr(0, ptx.find("\t.file\t"));
  };
  const auto first = ptx_in("ada.cu");
  EXPECT_EQ(first, ptx_in("charles/babbage.cu"));
  EXPECT_THAT(first, Not(HasSubstr("97, 100, 97")));                             // "ada"
  EXPECT_THAT(first, HasSubstr("{107, 101, 114, 110, 101, 108, 46, 99, 117}"));  // "kernel.cu"
}

}  // namespace warpgrade::compile::stand_ins_test
