// What the tests of stores say about results, and the records that they use.
#pragma once

#include "support/task_records.h"

#include <belay/store/store.h>

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace belay::store {

using check::child_record;
using check::created_record;
using check::finding_record;
using check::finished_record;
using check::outcome_record;
using check::said_record;
using check::turn_record;
using Kind = Error::Kind;
using Records = std::vector<task::Record>;
using Words = std::vector<std::string>;

template <class T>
std::string said(const Expected<T>& result) {
  return result ? "fine" : std::string(name(result.error().kind)) + ": " + result.error().message;
}
template <class T>
testing::AssertionResult fails(const Expected<T>& result, Kind kind, const std::string& with = {}) {
  if (!result && result.error().kind == kind && result.error().message.find(with) != std::string::npos)
    return testing::AssertionSuccess();
  return testing::AssertionFailure() << said(result) << " instead of " << name(kind) << " with '" << with << "'";
}
#define EXPECT_FINE(result) EXPECT_EQ(said(result), "fine")
#define ASSERT_FINE(result) ASSERT_EQ(said(result), "fine")

}  // namespace belay::store
