// SPDX-License-Identifier: Apache-2.0
#include "grader/profile/arguments.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "common/base/error.h"

namespace warpgrade::grader::profile::arguments_test {

// Kernel arguments as written on the command line.

using testing::HasSubstr;

template <typename T>
T scalar(const std::string& spec) {
  const auto parsed = parse_argument(spec);
  const auto& bytes = std::get<std::vector<std::byte>>(parsed.value);
  T out{};
  EXPECT_EQ(sizeof(T), bytes.size()) << spec;
  std::memcpy(&out, bytes.data(), std::min(sizeof(T), bytes.size()));
  return out;
}

BufferSpec buffer(const std::string& spec) {
  return std::get<BufferSpec>(parse_argument(spec).value);
}

std::string spec_error(const std::string& spec) {
  try {
    parse_argument(spec);
  } catch (const base::UsageError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(ArgumentSpec, NumbersHaveTheBytesOfTheirType) {
  EXPECT_EQ(5, scalar<std::int32_t>("i32:5"));
  EXPECT_EQ(-5, scalar<std::int32_t>("i32:-5"));
  EXPECT_EQ(4294967295u, scalar<std::uint32_t>("u32:4294967295"));
  EXPECT_EQ(INT64_MIN, scalar<std::int64_t>("i64:-9223372036854775808"));
  EXPECT_EQ(UINT64_MAX, scalar<std::uint64_t>("u64:0xffffffffffffffff"));
  EXPECT_EQ(1.5f, scalar<float>("f32:1.5"));
  EXPECT_EQ(-1.5e-300, scalar<double>("f64:-1.5e-300"));
  EXPECT_EQ(-128, scalar<std::int8_t>("i8:-128"));
  EXPECT_EQ(255, scalar<std::uint8_t>("u8:0xff"));
  EXPECT_EQ(-32768, scalar<std::int16_t>("i16:-32768"));
  EXPECT_EQ(65535, scalar<std::uint16_t>("u16:65535"));
  EXPECT_TRUE(scalar<bool>("bool:1"));
  EXPECT_FALSE(scalar<bool>("bool:0"));
}

TEST(ArgumentSpec, WholeNumbersGetTheWidthOfTheirParameter) {
  EXPECT_EQ(-5, scalar<std::int64_t>("int:-5"));
  auto spec = parse_argument("int:200");
  ASSERT_TRUE(fit_width(spec, 1));  // As unsigned.
  EXPECT_EQ(std::vector{std::byte{200}}, std::get<std::vector<std::byte>>(spec.value));
  spec = parse_argument("int:-2");
  ASSERT_TRUE(fit_width(spec, 2));
  EXPECT_EQ((std::vector{std::byte{0xfe}, std::byte{0xff}}),
            std::get<std::vector<std::byte>>(spec.value));
  spec = parse_argument("int:4294967296");
  EXPECT_FALSE(fit_width(spec, 4));
  EXPECT_FALSE(fit_width(spec, 12));
  EXPECT_TRUE(fit_width(spec, 8));
  EXPECT_FALSE(parse_argument("i32:5").fits_width);
  EXPECT_EQ("--arg int:1.5: `1.5` is not a whole number", spec_error("int:1.5"));
  EXPECT_EQ("--arg int:: `` is not a whole number", spec_error("int:"));
  EXPECT_EQ(UINT64_MAX, scalar<std::uint64_t>("int:18446744073709551615"));
  EXPECT_THAT(spec_error("int:18446744073709551616"), HasSubstr("is not a whole number"));
}

TEST(ArgumentSpec, NumbersThatDoNotFitAreRefused) {
  EXPECT_EQ("--arg i32:2147483648: `2147483648` is not a number of type i32",
            spec_error("i32:2147483648"));
  for (const auto* spec :
       {"i32:", "i32", "i32:5x", "i32:1.5", "u32:-1", "u64:18446744073709551616", "f32:", "f32:one",
        "f32:1,5", "i32:5:6", "bool:2", "bool:true", "bool:-1", "bool:", "i8:128", "u8:256",
        "u8:-1", "i16:32768", "u16:65536"}) {
    EXPECT_THAT(spec_error(spec), HasSubstr("is not a number of type")) << spec;
  }
  EXPECT_THAT(spec_error("f16:1"),
              HasSubstr("neither in, inout, out, same, struct, int nor a type of numbers"));
  EXPECT_THAT(spec_error(""),
              HasSubstr("neither in, inout, out, same, struct, int nor a type of numbers"));
}

TEST(ArgumentSpec, BuffersHaveTypeCountAndContent) {
  const auto in = buffer("in:f16:10:random:7");
  EXPECT_TRUE(in.is_input);
  EXPECT_EQ(verify::ElementType::kF16, in.type);
  EXPECT_EQ(10u, in.count);
  EXPECT_EQ(20u, in.bytes());
  EXPECT_EQ(verify::Fill::kRandom, in.fill);
  EXPECT_EQ(7u, in.seed);
  const auto out = buffer("out:u64:3");
  EXPECT_FALSE(out.is_input);
  EXPECT_EQ(24u, out.bytes());
  EXPECT_EQ(verify::Fill::kZeros, out.fill);
  EXPECT_EQ(verify::Fill::kIota, buffer("in:i32:3:iota").fill);
  EXPECT_EQ("a:b.bin", buffer("in:i32:3:file:a:b.bin").file);
}

TEST(ArgumentSpec, CountsAreExpressionsAndShapes) {
  EXPECT_EQ(1048576U, buffer("in:f32:1024*1024:iota").count);
  EXPECT_TRUE(buffer("in:f32:1024*1024:iota").extents.empty());
  EXPECT_EQ((std::vector<std::uint64_t>{64, 32}), buffer("in:f32:64x32:iota").extents);
  EXPECT_EQ((std::vector<std::uint64_t>{64, 33}), buffer("out:f32:8*8 x (32 + 1)").extents);
  EXPECT_EQ(34U, buffer("out:f32:ceil_div(1000, 32) + max(1, 2)").count);
  EXPECT_EQ((std::vector<std::uint64_t>{5, 7}), buffer("out:f32:max(3, 5)x7").extents);
  for (const auto* spec : {"out:f32:3/2", "out:f32:n", "out:f32:2-2", "out:f32:2x", "out:f32:x2",
                           "out:f32:2**3", "out:f32:1e300"}) {
    EXPECT_THAT(spec_error(spec), HasSubstr("is not a count of elements (a number such as"))
        << spec;
  }
}

TEST(ArgumentSpec, BadBuffersAreRefusedWithTheForm) {
  EXPECT_THAT(spec_error("in:f33:10:zeros"), HasSubstr("unknown type `f33`"));
  EXPECT_THAT(spec_error("in:f33:10:zeros"), HasSubstr("in:TYPE:COUNT:INIT"));
  for (const auto* spec :
       {"in:f32:0:zeros", "in:f32:-1:zeros", "in:f32:x:zeros", "out:f32", "out"}) {
    EXPECT_NE("accepted", spec_error(spec)) << spec;
  }
  for (const auto* spec : {"in:f32:4", "in:f32:4:", "in:f32:4:zeros:1", "in:f32:4:random",
                           "in:f32:4:random:x", "in:f32:4:file:", "in:f32:4:ones"}) {
    EXPECT_NE("accepted", spec_error(spec)) << spec;
  }
  EXPECT_THAT(spec_error("out:f32:4:zeros"), HasSubstr("out:TYPE:COUNT and starts as zeros"));
}

TEST(ArgumentSpec, HugeBuffersAreRefusedBeforeTheyAreMade) {
  EXPECT_THAT(spec_error("out:f64:1073741825"), HasSubstr("more than 8 GiB"));
  EXPECT_THAT(spec_error("out:f64:18446744073709551615"), HasSubstr("more than 8 GiB"));
}

TEST(ArgumentSpec, ABufferInPlaceHasContentAndIsNoInput) {
  const auto inout = buffer("inout:i32:3:iota");
  EXPECT_FALSE(inout.is_input);
  EXPECT_EQ(verify::Fill::kIota, inout.fill);
  EXPECT_THAT(spec_error("inout:i32:3"), HasSubstr("is not a known content"));
  EXPECT_THAT(spec_error("inout:i33:3:iota"), HasSubstr("inout:TYPE:COUNT:INIT"));
}

TEST(ArgumentSpec, AStructIsItsBytesInOrder) {
  const auto parsed = parse_argument("struct:00ff10Ab");
  EXPECT_EQ(4U, parsed.bytes());
  const auto& read = std::get<StructSpec>(parsed.value);
  EXPECT_EQ((std::vector<std::byte>{std::byte{0}, std::byte{255}, std::byte{16}, std::byte{171}}),
            read.bytes);
  EXPECT_TRUE(read.pointers.empty());
}

TEST(ArgumentSpec, AStructHasAddressesBetweenCommas) {
  const auto parsed = parse_argument("struct:01000000,00000000,&2,&in:f32:4:random:7,05");
  EXPECT_EQ(25U, parsed.bytes());
  const auto& read = std::get<StructSpec>(parsed.value);
  ASSERT_EQ(2U, read.pointers.size());
  EXPECT_EQ(8U, read.pointers[0].offset);
  EXPECT_EQ(2U, std::get<SameSpec>(read.pointers[0].to).parameter);
  EXPECT_EQ(16U, read.pointers[1].offset);
  EXPECT_TRUE(std::get<BufferSpec>(read.pointers[1].to).is_input);
  EXPECT_EQ(std::byte{5}, read.bytes.back());
}

TEST(ArgumentSpec, BadStructsAndAliasesAreRefused) {
  for (const auto* spec : {"struct", "struct:", "struct:0", "struct:0g", "struct:00,", "struct:,00",
                           "struct:&", "struct:&x", "struct:&-1", "struct:&in:f32:4", "struct:0x00",
                           "struct:00 00", "same", "same:", "same:x", "same:-1", "same:1:2"}) {
    EXPECT_NE("accepted", spec_error(spec)) << spec;
  }
  EXPECT_THAT(spec_error("struct:123"), HasSubstr("each has two hexadecimal digits"));
  EXPECT_THAT(spec_error("struct:" + std::string(65538, '0')), HasSubstr("more than 32768 bytes"));
}

// The launch that --arg describes: arguments, buffers, and the buffers that --dump selects.

std::vector<ArgumentSpec> specs_of(const std::vector<std::string>& texts) {
  std::vector<ArgumentSpec> out;
  for (const auto& text : texts) out.push_back(parse_argument(text));
  return out;
}

std::string arguments_error(const std::vector<std::string>& texts) {
  try {
    make_arguments(specs_of(texts));
  } catch (const base::UsageError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Arguments, ArgumentsAndBuffersKeepTheirOrder) {
  const auto made = make_arguments(
      {parse_argument("out:i32:2"), parse_argument("i32:9"), parse_argument("in:i32:3:iota")});
  ASSERT_EQ(3u, made.arguments.size());
  ASSERT_EQ(2u, made.buffers.size());
  EXPECT_EQ(0u, std::get<run::BufferArgument>(made.arguments[0]).index);
  EXPECT_EQ(1u, std::get<run::BufferArgument>(made.arguments[2]).index);
  EXPECT_EQ(std::vector<std::byte>(8), made.buffers[0].bytes);
  EXPECT_FALSE(made.buffers[0].read_only);
  EXPECT_FALSE(made.buffers[0].defined);
  EXPECT_TRUE(made.buffers[1].read_only);
  std::vector<std::int32_t> values(3);
  std::memcpy(values.data(), made.buffers[1].bytes.data(), 12);
  EXPECT_THAT(values, testing::ElementsAre(0, 1, 2));
}

TEST(Arguments, FilesMustHoldExactlyTheElements) {
  const auto path = std::filesystem::path(testing::TempDir()) / "argument_spec.bin";
  std::ofstream(path, std::ios::binary) << "abcdefgh";
  const auto made = make_arguments({parse_argument("in:i32:2:file:" + path.string())});
  EXPECT_EQ(std::byte{'h'}, made.buffers[0].bytes.back());
  for (const auto& spec : {"in:i32:1:file:" + path.string(), "in:i32:3:file:" + path.string(),
                           "in:i32:2:file:" + path.string() + ".not_there"}) {
    EXPECT_THROW(make_arguments({parse_argument(spec)}), base::UsageError) << spec;
  }
  std::filesystem::remove(path);
}

// A file as numpy.save() writes it, version 1.0; see numpy.lib.format.
std::filesystem::path npy(const std::string& name, std::string header, const std::string& bytes) {
  header.resize(118 - 1, ' ');
  header += '\n';
  const auto path = std::filesystem::path(testing::TempDir()) / name;
  std::ofstream file(path, std::ios::binary);
  file << "\x93NUMPY" << '\1' << '\0' << static_cast<char>(118) << '\0' << header << bytes;
  return path;
}

TEST(Arguments, FilesOfNumpyAreCheckedAgainstTypeAndCount) {
  const std::string bytes("\0\0\x80\x3f\0\0\0\x40\0\0\x40\x40\0\0\x80\x40\0\0\xa0\x40\0\0\xc0\x40",
                          24);
  const auto path =
      npy("six.npy", "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }", bytes);
  const auto made = [&](const std::string& spec) {
    return make_arguments({parse_argument(spec + ":file:" + path.string())}).buffers.front().bytes;
  };
  const auto six = made("in:f32:2x3");  // 1 to 6.
  float last = 0;
  std::memcpy(&last, six.data() + 20, 4);
  EXPECT_EQ(6.0F, last);
  EXPECT_EQ(six, made("in:f32:6"));
  const auto refusal = [&](const std::string& spec, const std::filesystem::path& file) {
    try {
      make_arguments({parse_argument(spec + ":file:" + file.string())});
    } catch (const base::UsageError& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  EXPECT_THAT(refusal("in:f32:3x2", path), HasSubstr("has the shape 2x3, but COUNT is 3x2"));
  EXPECT_THAT(refusal("in:f32:5", path), HasSubstr("has the shape 2x3, but COUNT is 5"));
  EXPECT_THAT(refusal("in:i32:6", path), HasSubstr("has elements of f32, not of i32"));
  EXPECT_THAT(
      refusal("in:f32:6", npy("order.npy",
                              "{'descr': '<f4', 'fortran_order': True, 'shape': (2, 3), }", bytes)),
      HasSubstr("in the order of columns"));
  EXPECT_THAT(
      refusal("in:f32:6",
              npy("big.npy", "{'descr': '>f4', 'fortran_order': False, 'shape': (6,), }", bytes)),
      HasSubstr("in big-endian order; save it as '<f4'"));
  EXPECT_THAT(
      refusal("in:f32:7",
              npy("short.npy", "{'descr': '<f4', 'fortran_order': False, 'shape': (7,), }", bytes)),
      HasSubstr("as long as its header says"));
  EXPECT_THAT(
      refusal("in:f32:6", npy("object.npy",
                              "{'descr': '|O8', 'fortran_order': False, 'shape': (6,), }", bytes)),
      HasSubstr("has elements of the type |O8"));
  EXPECT_THAT(
      refusal("in:f32:6",
              npy("list.npy", "{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (6,), }",
                  bytes)),
      HasSubstr("has a header that is not supported"));
  EXPECT_EQ("accepted",
            refusal("in:r12:2",
                    npy("records.npy", "{'descr': '|V12', 'fortran_order': False, 'shape': (2,), }",
                        bytes)));
  std::ofstream(std::filesystem::path(testing::TempDir()) / "text.npy") << "text";
  EXPECT_THAT(refusal("in:f32:6", std::filesystem::path(testing::TempDir()) / "text.npy"),
              HasSubstr("is not a file of NumPy"));
}

TEST(Arguments, AllBuffersTogetherHaveALimit) {
  EXPECT_THAT(arguments_error(std::vector<std::string>(3, "out:f64:500000000")),
              HasSubstr("more than 8 GiB"));
}

TEST(Arguments, ABufferInPlaceIsNoInputAndDefined) {
  const auto made = make_arguments(specs_of({"inout:u8:3:iota"}));
  EXPECT_FALSE(made.buffers[0].read_only);
  EXPECT_TRUE(made.buffers[0].defined);
  EXPECT_EQ((std::vector<std::byte>{std::byte{0}, std::byte{1}, std::byte{2}}),
            made.buffers[0].bytes);
}

TEST(Arguments, AnAliasIsTheBufferOfAnotherParameter) {
  const auto made = make_arguments(specs_of({"same:2", "in:u8:3:iota", "out:u8:3"}));
  ASSERT_EQ(2U, made.buffers.size());
  EXPECT_EQ(1U, std::get<run::BufferArgument>(made.arguments[0]).index);
  EXPECT_EQ("--arg same:3: parameter 3 is not a buffer; name one that is in, inout or out",
            arguments_error({"same:3", "in:u8:3:iota", "i32:5"}));
  EXPECT_NE("accepted", arguments_error({"i32:5", "same:0"}));
  EXPECT_NE("accepted", arguments_error({"same:0"}));
  EXPECT_NE("accepted", arguments_error({"struct:&1", "struct:00"}));
}

TEST(Arguments, AStructPointsToParametersAndToBuffersOfItsOwn) {
  const auto specs = specs_of({"out:u8:3", "struct:&in:u8:2:iota,&0,&out:u16:4,07", "u8:1"});
  const auto made = make_arguments(specs);
  ASSERT_EQ(3U, made.buffers.size());
  EXPECT_EQ("argument 1, address 0", made.buffers[1].name);
  EXPECT_TRUE(made.buffers[1].read_only);
  EXPECT_EQ(8U, made.buffers[2].bytes.size());
  const auto& argument = std::get<run::StructArgument>(made.arguments[1]);
  EXPECT_EQ(25U, argument.bytes.size());
  ASSERT_EQ(3U, argument.pointers.size());
  EXPECT_EQ(1U, argument.pointers[0].buffer);
  EXPECT_EQ(0U, argument.pointers[1].buffer);
  EXPECT_EQ(8U, argument.pointers[1].offset);
  EXPECT_EQ(2U, argument.pointers[2].buffer);
  EXPECT_EQ(0U, buffer_to_dump("0", specs));
  EXPECT_EQ(1U, buffer_to_dump("1.0", specs));
  EXPECT_EQ(0U, buffer_to_dump("1.1", specs));
  EXPECT_EQ(2U, buffer_to_dump("1.2", specs));
  for (const auto* wrong : {"1", "1.3", "1.", "2", "3", "0.0", "", "x"}) {
    EXPECT_THROW(buffer_to_dump(wrong, specs), base::UsageError) << wrong;
  }
}

}  // namespace warpgrade::grader::profile::arguments_test
