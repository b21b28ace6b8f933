// Any bytes on a server's standard input: each line is answered or rightly not, every answer is a message that can be
// read, no id is answered twice, whatever the cut, and calls end.
#include "fuzz.h"

#include "mcp/server_lines.h"

#include <belay/mcp/server_session.h>

#include <map>
#include <string>
#include <vector>

using namespace belay;

namespace {

mcp::ServerSessionOptions options() {
  mcp::ServerSessionOptions out;
  mcp::OfferedTool tool;
  tool.name = "echo";
  tool.input_schema = R"({"type":"object"})";
  out.tools = std::make_shared<const std::vector<mcp::OfferedTool>>(std::vector{tool});
  out.limits.calls = 4;
  return out;
}

// What the session says to these bytes. Calls that began before the second newest are done: some overlap.
class Client {
 public:
  explicit Client(std::string_view input) : input_(input), session_(options()) {}
  void give(std::string_view bytes) {
    lines_.push(bytes, [&](std::string_view line) { take(line); }, [&] { said_ += "<too long>\n"; });
  }
  std::string end() {
    lines_.finish([&](std::string_view line) { take(line); });
    while (!running_.empty()) finish_one();
    fuzz::require(session_.calls() == 0, "a call is left", input_);
    session_.close();
    fuzz::require(session_.take().empty(), "something is left", input_);
    return said_;
  }

 private:
  void take(std::string_view line) {
    session_.on_text(line, ++exchange_);
    look();
    while (running_.size() > 2) finish_one();
  }
  void finish_one() {
    const mcp::CallNumber call = running_.front();
    running_.erase(running_.begin());
    session_.on_log(call, mcp::LogLevel::error, "logged");
    session_.on_progress(call, 1, "half");
    session_.on_done(call, {tool::text_result("done"), R"({"a":1})"});
    look();
  }
  void look() {
    for (const mcp::ServerOutput& output : session_.take()) {
      if (const auto* begin = std::get_if<mcp::BeginCall>(&output)) running_.push_back(begin->call);
      if (const auto* end = std::get_if<mcp::EndCall>(&output)) std::erase(running_, end->call);
      if (const auto* over = std::get_if<mcp::Over>(&output))
        fuzz::require(++over_[over->exchange] == 1, "an exchange is over twice", input_);
      if (const auto* say = std::get_if<mcp::Say>(&output)) {
        fuzz::require(over_[say->exchange] == 0, "something is said behind the end", input_);
        fuzz::require(say->text.find('\n') == say->text.npos, "two lines: " + say->text, input_);
        const mcp::Incoming read = mcp::decode(say->text);
        fuzz::require(!read.messages.empty(), "nothing is said", input_);
        for (const mcp::Message& message : read.messages)
          fuzz::require(message.kind != mcp::Message::Kind::garbage, "no message: " + say->text, input_);
        (said_ += say->text) += '\n';
      }
    }
    fuzz::require(session_.calls() <= 4, "more calls than allowed", input_);
  }

  std::string_view input_;
  mcp::ServerSession session_;
  mcp::ServerLines lines_{4096};
  mcp::Exchange exchange_ = 0;
  std::vector<mcp::CallNumber> running_;
  std::map<mcp::Exchange, int> over_;
  std::string said_;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input = fuzz::text_of(data, size);
  Client whole(input);
  whole.give(input);
  const std::string said = whole.end();
  Client cut(input);
  const std::size_t half = size == 0 ? 0 : (data[0] * size / 256);
  cut.give(input.substr(0, half));
  cut.give(input.substr(half));
  fuzz::require(cut.end() == said, "another cut, other answers", input);
  return 0;
}
