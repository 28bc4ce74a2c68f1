# SPDX-License-Identifier: Apache-2.0
"""Programs that overload a compiler: deep nesting, bombs, thousands of everything."""

from files import by_turns, fill, kernel

STORE = "OUT[0] = in[0];"


def many(count, text):
    """The text `count` times, each @ replaced by the repetition's number."""
    return "".join(text.replace("@", str(k)) for k in range(count))


def nested(begin, inside, end, depth):
    return begin * depth + inside + end * depth


def switch(count):
    cases = many(count, "case @: OUT[@ % 3] = in[@ * 37 % SIZE]; break;\n")
    return f"switch (INDEX * 7919 % {count}) {{\n{cases}}}"


def in_body(body):
    return lambda to: kernel(to, body)


def outside(text, body=STORE):
    return lambda to: kernel(to, body, text)


def nested_ifs(depth):
    return "#if 1\n" * depth + "#endif\n" * depth



def macro_bomb(levels, base="x = x * 3 + 1; "):
    """Macros that each expand to ten copies of the previous one."""
    lines = [f"#define B0 {base}"]
    lines += [f"#define B{k} {' '.join([f'B{k - 1}'] * 10)}" for k in range(1, levels + 1)]
    return "\n".join(lines) + "\n"


TEMPLATES = """
template <int N, int M>
struct Twice {
  static constexpr long long value = Twice<N - 1, 2 * M>::value + Twice<N - 1, 2 * M + 1>::value;
};
template <int M> struct Twice<0, M> { static constexpr long long value = M; };
"""
ENDLESS_TYPES = "template <class X> struct Next { using type = typename Next<Next<X>>::type; };\n"
# Each type contains the previous one twice.
LONG_NAMES = "template <class A, class B> struct P {};\nusing P0 = P<int, int>;\n"
LONG_NAMES += "".join(f"using P{k} = P<P{k - 1}, P{k - 1}>;\n" for k in range(1, 26))
LONG_NAMES += "template <class X> __device__ __noinline__ int named() { return sizeof(X); }\n"
CONSTEXPR_LOOP = """
constexpr unsigned long long f() {
  unsigned long long x = 0;
  for (unsigned long long k = 0; k < 1ull << 60; ++k) x += k;
  return x;
}
"""
CONSTEXPR_CALLS = "constexpr int f(int n) { return n < 2 ? n : f(n - 1) + f(n - 2); }\n"
CONSTEXPR_MEMORY = """
struct A { int x[1 << 26]; };
constexpr A f() {
  A a{};
  for (int k = 0; k < 1 << 26; ++k) a.x[k] = k;
  return a;
}
"""
PACK = """
template <int... I> struct S {};
template <int N, int... I> struct M : M<N - 1, N, I...> {};
template <int... I> struct M<0, I...> { using type = S<I...>; };
"""
# Each function calls the previous one.
CHAIN = "__device__ int g0(int x) { return x; }\n" + "".join(
    f"__device__ __noinline__ int g{k}(int x) {{ return g{k - 1}(x) * {k}; }}\n"
    for k in range(1, 3000)
)
PARAMETERS = ", ".join(f"int p{k}" for k in range(4000))

MAKERS = {
    "parentheses": in_body(f"OUT[0] = {nested('(', '1', ')', 50_000)};"),
    "unclosed_parentheses": in_body("OUT[0] = " + "(" * 500_000),
    "braces": in_body(nested("{", ";", "}", 50_000)),
    "unclosed_braces": in_body("{" * 1_000_000),
    "brackets": in_body("OUT" + "[" * 100_000),
    "lambdas_in_lambdas": in_body(
        "auto f = " + nested("[=] { return ", "1", "; }()", 300) + "; OUT[0] = f;"
    ),
    "angle_brackets": outside(
        f"template <class X> struct V {{}};\n{nested('V<', 'int', '>', 20_000)} v;\n"
    ),
    "minus_signs": in_body(f"OUT[0] = {'- ' * 200_000}1;"),
    "stars": outside(f"__device__ int {'*' * 200_000} p;\n"),
    "questions": in_body(f"OUT[0] = {'threadIdx.x ? 1 : ' * 20_000}2;"),
    "one_sum_of_200000": in_body(f"OUT[0] = {' + '.join(['in[0]'] * 200_000)};"),
    "nested_ifs_of_the_preprocessor": outside(nested_ifs(100_000)),
    "nested_ifs": in_body(many(5000, "if (in[@] > 1) {") + STORE + "}" * 5000),
    "nested_loops": in_body(many(100, "for (int k@ = 0; k@ < 2; ++k@) ") + STORE),
    "nested_loops_unrolled": in_body(
        many(30, "_Pragma(\"unroll\") for (int k@ = 0; k@ < 2; ++k@) ") + STORE
    ),
    "macro_bomb_of_a_million": lambda to: kernel(
        to, "unsigned x = INDEX; B6 OUT[0] = x;", macro_bomb(6)
    ),
    "macro_bomb_of_a_billion": lambda to: kernel(
        to, "unsigned x = INDEX; B9 OUT[0] = x;", macro_bomb(9)
    ),
    "macro_bomb_of_nothing": lambda to: kernel(to, "B9 " + STORE, macro_bomb(9, "")),
    "macro_of_a_long_text": lambda to: kernel(to, "printf(B8 0);", macro_bomb(8, '"x"')),
    "many_macros": outside(many(200_000, "#define M@ @\n")),
    "template_recursion": outside(ENDLESS_TYPES, "Next<int>::type x; OUT[0] = sizeof x;"),
    "template_tree": outside(TEMPLATES, "OUT[0] = Twice<25, 1>::value;"),
    "template_of_10000_numbers": outside(PACK, "M<10000>::type x; OUT[0] = sizeof x;"),
    "names_of_megabytes": outside(LONG_NAMES, "OUT[0] = named<P25>();"),
    "constexpr_loop": outside(CONSTEXPR_LOOP, "constexpr auto x = f(); OUT[0] = x;"),
    "constexpr_calls": outside(CONSTEXPR_CALLS, "constexpr int x = f(60); OUT[0] = x;"),
    "constexpr_memory": outside(CONSTEXPR_MEMORY, "constexpr A a = f(); OUT[0] = a.x[5];"),
    "array_of_a_million_values": outside(
        "__device__ int a[] = {" + "1, " * 1_000_000 + "};\n", "OUT[0] = a[INDEX];"
    ),
    "text_of_three_megabytes": outside(
        f'__device__ char a[] = "{"x" * 3_000_000}";\n', "OUT[0] = a[INDEX];"
    ),
    "unroll_100000": in_body(
        "T x = 0;\n#pragma unroll 100000\n"
        "for (int k = 0; k < 100000; ++k) x += in[k * 7 % SIZE] * k;\nOUT[0] = x;"
    ),
    "unroll_with_loads_and_stores": in_body(
        "#pragma unroll\n"
        "for (int k = 0; k < 4000; ++k) { volatile T x = in[k % SIZE]; OUT[0] = x * k; }"
    ),
    "switch_of_50000": in_body(switch(50_000)),
    "20000_lines_of_loads": in_body(
        "T x = 0;\n" + many(20_000, "x += in[(INDEX + @) % SIZE];\n") + "OUT[0] = x;"
    ),
    "20000_lines_of_volatile_stores": in_body(
        "volatile T* o = OUT;\n" + many(20_000, "o[0] = in[@ * 37 % SIZE];\n")
    ),
    "20000_lines_of_atomics": outside(
        "__device__ int a[1024];\n", many(20_000, "atomicAdd(&a[@ % 1024], @);\n")
    ),
    "10000_lines_of_shared_memory": in_body(
        "__shared__ volatile int s[1024];\n"
        + many(10_000, "s[(threadIdx.x * 33 + @) % 1024] += @;\n")
    ),
    # As many as the compiler accepts.
    "1500_lines_of_loads": in_body(
        "T x = 0;\n" + many(1500, "x += in[(INDEX + @) % SIZE];\n") + "OUT[0] = x;"
    ),
    "1500_lines_of_atomics": outside(
        "__device__ int a[1024];\n", many(1500, "atomicAdd(&a[@ % 1024], @);\n")
    ),
    "1500_lines_of_shared_memory": in_body(
        "__shared__ volatile int s[1024];\n"
        + many(1500, "s[(threadIdx.x * 33 + @) % 1024] += @;\n")
    ),
    "switch_of_1500": in_body(switch(1500)),
    "5000_lines_of_printf": in_body(many(5000, 'printf("@ %d\\n", INDEX);\n')),
    "5000_lines_of_races": in_body("__shared__ volatile int s;\n" + many(5000, "s += @;\n")),
    "2000_barriers": in_body(
        many(2000, "__syncthreads(); if (INDEX == @) OUT[0] = in[@ % SIZE];\n")
    ),
    "10000_registers": in_body(
        many(10_000, "T x@ = in[(INDEX + @) % SIZE];\n") + "__syncthreads();\nOUT[0] = "
        + " + ".join(f"x{k}" for k in range(10_000)) + ";"
    ),
    "65536_values_alive": in_body(
        "T x[65536];\n#pragma unroll\nfor (int k = 0; k < 65536; ++k) x[k] = in[k % SIZE];\n"
        "T y = 0;\n"
        "#pragma unroll\nfor (int k = 0; k < 65536; ++k) y = y * x[65535 - k];\nOUT[0] = y;"
    ),
    "5000_kernels": outside(many(5000, "__global__ void k@(int* p) { *p = @; }\n")),
    "20000_functions": outside(
        many(20_000, "__device__ __noinline__ int f@(int x) { return x * @; }\n"),
        "int x = INDEX;\n" + many(20_000, "x += f@(x);\n") + "OUT[0] = x;",
    ),
    "3000_calls_in_a_chain": outside(CHAIN, "OUT[0] = g2999(INDEX);"),
    "10000_shared_variables": in_body(
        many(10_000, "__shared__ volatile int s@; s@ = 1;\n") + STORE
    ),
    "50000_device_variables": outside(
        many(50_000, "__device__ int v@;\n"), many(2000, "v@ = 1;\n") + STORE
    ),
    "parameters_4000": lambda to: fill(f"__global__ void NAME({PARAMETERS}) {{}}\n", to),
    "parameter_of_4_kib": lambda to: fill(
        "struct L { char x[4096]; };\n__global__ void NAME(L a, L b) {}\n", to
    ),
    "overloads_5000": lambda to: kernel(
        to, "OUT[0] = f(N<5>());",
        "template <int> struct N {};\n" + many(5000, "__device__ int f(N<@>) { return @; }\n"),
    ),
    "errors_100000": outside(many(100_000, "int x@ = nothing@;\n")),
    "warnings_50000": in_body(many(50_000, "int unused@ = INDEX / 0;\n")),
    "name_of_a_megabyte": lambda to: kernel(
        to, f"int {'x' * 1_000_000} = 1; undefined_{'y' * 1_000_000}();"
    ),
    "labels_10000": in_body(
        "unsigned x = INDEX;\n"
        + "".join(f"l{k}: x = x * 5 + 1; if (x & 1) goto l{k * 7 % 9999};\n" for k in range(9999))
        + "OUT[0] = x;"
    ),
}


def files():
    return by_turns("bulk", MAKERS.items(), first=5)
