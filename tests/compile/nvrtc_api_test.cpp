// SPDX-License-Identifier: Apache-2.0
// The compiler's library: files that cannot be loaded, and calls that fail.
#include "common/compile/nvrtc_api.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warpgrade::compile::nvrtc_api_test {

using testing::HasSubstr;

TEST(NvrtcApi, ALibraryThatIsNotThereIsToldInTheLoadersWords) {
  try {
    load_nvrtc("/no/such/libnvrtc.so.13");
    FAIL() << "loaded";
  } catch (const NvrtcError& error) {
    EXPECT_THAT(error.what(), HasSubstr("/no/such/libnvrtc.so.13"));
  }
}

TEST(NvrtcApi, ALibraryWithoutTheEntryPointsIsNone) {
  EXPECT_THROW(load_nvrtc("libm.so.6"), NvrtcError);
}

TEST(NvrtcApi, AFailureNamesTheCallAndTheError) {
  Nvrtc nvrtc{};
  nvrtc.GetErrorString = [](NvrtcResult) { return "NVRTC_ERROR_COMPILATION"; };
  nvrtc.GetProgramLogSize = [](NvrtcProgram, std::size_t*) { return kNvrtcCompilation; };
  nvrtc.GetPTXSize = [](NvrtcProgram, std::size_t* size) {
    *size = 5;
    return 0;
  };
  std::size_t size = 0;
  WARPGRADE_NVRTC(nvrtc, GetPTXSize, nullptr, &size);
  EXPECT_EQ(5U, size);
  try {
    WARPGRADE_NVRTC(nvrtc, GetProgramLogSize, nullptr, &size);
    FAIL() << "no error";
  } catch (const NvrtcError& error) {
    EXPECT_STREQ("nvrtcGetProgramLogSize: NVRTC_ERROR_COMPILATION", error.what());
    EXPECT_EQ(kNvrtcCompilation, error.code);
  }
}

}  // namespace warpgrade::compile::nvrtc_api_test
