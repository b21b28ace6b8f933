// Names of tools that a server offers.
#include <belay/turn.h>

#include <gtest/gtest.h>

namespace belay::turn {
namespace {

TEST(Names, are_split_at_the_first_separator) {
  EXPECT_EQ(split_name("files__find"), (ToolName{"files", "find"}));
  EXPECT_EQ(split_name("files__find__all"), (ToolName{"files", "find__all"}));
  EXPECT_EQ(split_name("files___find"), (ToolName{"files", "_find"}));
  EXPECT_EQ(split_name("a_b__c_d"), (ToolName{"a_b", "c_d"}));
}

TEST(Names, have_no_server_without_both_halves) {
  for (std::string_view name : {"", "read", "read_file", "__read", "read__", "_"})
    EXPECT_EQ(split_name(name), (ToolName{{}, name})) << name;
}

TEST(Names, may_say_mcp_in_front) {
  EXPECT_EQ(split_name("mcp__files__find"), (ToolName{"files", "find"}));
  EXPECT_EQ(split_name("mcp__find"), (ToolName{{}, "find"}));
}

TEST(Names, mean_themselves_first) {
  const std::vector<std::string> names = {"read", "files__find", "mcp__files__find"};
  EXPECT_EQ(resolve_name("files__find", names), 1u);
  EXPECT_EQ(resolve_name("mcp__files__find", names), 2u);
  EXPECT_EQ(resolve_name("read", names), 0u);
}

TEST(Names, mean_the_one_tool_of_that_server_and_never_one_of_two) {
  EXPECT_EQ(resolve_name("mcp__files__find", {"read", "files__find"}), 1u);
  EXPECT_EQ(resolve_name("files__find", {"mcp__files__find"}), 0u);
  EXPECT_EQ(resolve_name("files__find", {"find"}), std::nullopt);
  EXPECT_EQ(resolve_name("find", {"files__find"}), std::nullopt);
  EXPECT_EQ(resolve_name("disk__find", {"files__find"}), std::nullopt);
  EXPECT_EQ(resolve_name("", {"files__find"}), std::nullopt);
  EXPECT_EQ(resolve_name("files__find", {}), std::nullopt);
}

}  // namespace
}  // namespace belay::turn
