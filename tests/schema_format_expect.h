// Tables of what a format takes and what it does not.
#pragma once

#include "schema/format.h"

#include <gtest/gtest.h>

#include <string_view>
#include <vector>

namespace belay::schema {

using Texts = std::vector<std::string_view>;

inline void expect_format(Format format, const Texts& taken, const Texts& refused) {
  for (std::string_view text : taken) EXPECT_TRUE(has_format(text, format)) << name(format) << ": " << text;
  for (std::string_view text : refused) EXPECT_FALSE(has_format(text, format)) << name(format) << ": " << text;
}

}  // namespace belay::schema
