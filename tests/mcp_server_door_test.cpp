// What a server's session is fed with: lines out of pieces, and requests over HTTP that may come in. All of it pure.
#include "mcp/http_door.h"
#include "mcp/last_line.h"
#include "mcp/server_lines.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

using namespace belay;
using namespace belay::mcp;

namespace {

TEST(McpServerLines, GiveTheSameLinesWhateverTheCut) {
  const std::string text = "one\n\ntwo two two two\nthree\n" + std::string(20, 'x') + "\nfour";
  const auto read = [&](std::size_t cut, std::size_t second) {
    ServerLines lines(15);
    std::vector<std::string> out;
    const auto line = [&](std::string_view l) { out.emplace_back(l); };
    const auto over = [&] { out.emplace_back("<over>"); };
    lines.push(std::string_view(text).substr(0, cut), line, over);
    lines.push(std::string_view(text).substr(cut, second - cut), line, over);
    lines.push(std::string_view(text).substr(second), line, over);
    lines.finish(line);
    return out;
  };
  const std::vector<std::string> expected{"one", "", "two two two two", "three", "<over>", "four"};
  for (std::size_t i = 0; i <= text.size(); ++i)
    for (std::size_t j = i; j <= text.size(); ++j) ASSERT_EQ(read(i, j), expected) << i << " " << j;
}

TEST(McpServerLines, TheLastLineOfAnOutputIsTheSameWhateverTheCut) {
  const std::string text = "first\r\n\nsecond\n\nthe last\n\n";
  for (std::size_t i = 0; i <= text.size(); ++i) {
    LastLine line;
    line.add(std::string_view(text).substr(0, i));
    line.add(std::string_view(text).substr(i));
    EXPECT_EQ(line.text(), "the last") << i;
  }
  LastLine open;
  open.add("done\nhalf");
  open.add(" a line");
  EXPECT_EQ(open.text(), "half a line");
  open.add(std::string(1000, 'x'));
  EXPECT_EQ(open.text().size(), LastLine::kBytes);
}

net::ServerRequest request(std::string method, std::vector<net::Header> more = {}, bool plain = false) {
  net::ServerRequest out;
  out.method = std::move(method);
  out.target = "/mcp";
  if (!plain)
    out.headers = {{"Host", "127.0.0.1:80"}, {"Authorization", "Bearer secret"}, {"Content-Type", "application/json"}};
  for (net::Header& header : more) {
    std::erase_if(out.headers, [&](const net::Header& old) { return old.name == header.name; });
    out.headers.push_back(std::move(header));
  }
  return out;
}
int status(const net::ServerRequest& r) {
  const auto visit = at_the_door(r, "secret");
  return visit ? 200 : visit.error().status;
}

TEST(McpServerDoor, LetsInWhoBearsTheTokenForAHostOfThisMachine) {
  EXPECT_EQ(status(request("POST")), 200);
  EXPECT_EQ(status(request("POST", {{"Host", "localhost"}, {"Origin", "http://localhost:3000"}})), 200);
  EXPECT_EQ(status(request("POST", {{"Host", "[::1]:8080"}, {"Origin", "https://[::1]"}})), 200);
  EXPECT_EQ(status(request("POST", {{"Authorization", "bearer secret"}})), 200);
  for (const char* wrong :
       {"Bearer secreT", "Bearer secre", "Bearer secrets", "Bearer ", "Bearer", "Basic secret", "", "secret"})
    EXPECT_EQ(status(request("POST", {{"Authorization", wrong}})), 401) << wrong;
  for (const char* evil :
       {"evil.example", "127.0.0.1.evil.example", "localhost.evil.example", "127.1", "[::1", "[::2]", "localhost:80:80",
        "localhost:x", "127.0.0.1@evil", "", "0.0.0.0", "10.0.0.1", "127.999.1.1", "127.0.0.256"})
    EXPECT_EQ(status(request("POST", {{"Host", evil}})), 403) << evil;
  for (const char* evil : {"http://evil.example", "null", "file://", "http://127.0.0.1.evil.example", "localhost", ""})
    EXPECT_EQ(status(request("POST", {{"Origin", evil}})), 403) << evil;
  EXPECT_EQ(status(request("POST", {{"Authorization", "Bearer secret"}}, true)), 403) << "no host at all";
  net::ServerRequest twice = request("POST");
  twice.headers.push_back({"authorization", "Bearer other"});
  EXPECT_EQ(status(twice), 400);
  EXPECT_FALSE(at_the_door(request("POST", {{"Authorization", "Bearer "}}), "").has_value()) << "no token is no token";
}

TEST(McpServerDoor, SaysWhatIsWrongWithTheRest) {
  net::ServerRequest elsewhere = request("POST");
  elsewhere.target = "/other";
  EXPECT_EQ(status(elsewhere), 404);
  EXPECT_EQ(status(request("PUT")), 405);
  EXPECT_EQ(status(request("OPTIONS")), 405);
  EXPECT_EQ(status(request("POST", {{"Content-Type", "text/plain"}})), 415);
  EXPECT_EQ(status(request("POST", {{"Content-Type", "application/json; charset=utf-8"}})), 200);
  EXPECT_EQ(status(request("POST", {{"Accept", "text/html"}})), 406);
  EXPECT_EQ(status(request("GET", {{"Accept", "application/json"}})), 406);
  EXPECT_EQ(status(request("GET", {{"Accept", "text/event-stream;q=0.5"}})), 200);
  EXPECT_EQ(status(request("POST", {{"MCP-Protocol-Version", "1.0"}})), 400);
  EXPECT_EQ(status(request("POST", {{"MCP-Protocol-Version", "2025-06-18"}})), 200);
  const auto visit = at_the_door(request("POST", {{"Accept", "application/json, text/event-stream"}}), "secret");
  EXPECT_TRUE(visit->json && visit->events);
}

}  // namespace
