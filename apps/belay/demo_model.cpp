#include "demo_model.h"

#include "json_string.h"

#include <belay/json/writer.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <utility>
#include <vector>

namespace belay::cli {
namespace {

constexpr std::string_view kTask =
    "The total in prices.txt is wrong. Put it right, and write what you changed into CHANGES.txt.";
constexpr std::string_view kPrices =
    "apples    3\n"
    "pears     4\n"
    "plums     5\n"
    "total    13\n";
constexpr std::string_view kRead =
    "The list is read by a till that knows two columns:\n"
    "a name, and a whole number.\n";

// One answer on Anthropic's wire, in small pieces with a little time between them, as a model sends them.
class Turn {
 public:
  explicit Turn(std::uint64_t answers) {
    turn_.answers = answers;
    turn_.headers = {{"content-type", "text/event-stream"}};
    event("message_start",
          R"({"type":"message_start","message":{"id":"msg_demo","type":"message","role":"assistant","model":"demo",)"
          R"("content":[],"stop_reason":null,"usage":{"input_tokens":900,"output_tokens":1}}})");
  }
  Turn& says(std::string_view text) {
    begin(R"({"type":"text","text":""})");
    for (const std::string_view piece : pieces(text, 12))
      delta(R"({"type":"text_delta","text":)" + json_string(piece) + "}");
    return end();
  }
  /// `arguments` as the model writes them, damage and all.
  Turn& calls(std::string_view name, std::string_view arguments) {
    begin(R"({"type":"tool_use","id":"toolu_)" + std::to_string(turn_.answers) + "_" + std::to_string(block_) +
          R"(","name":)" + json_string(name) + R"(,"input":{}})");
    for (const std::string_view piece : pieces(arguments, 7))
      delta(R"({"type":"input_json_delta","partial_json":)" + json_string(piece) + "}");
    return end();
  }
  run::CassetteTurn stops(std::string_view reason) {
    event("message_delta", R"({"type":"message_delta","delta":{"stop_reason":)" + json_string(reason) +
                               R"(},"usage":{"output_tokens":)" + std::to_string(40 + sent_ / 3) + "}}");
    event("message_stop", R"({"type":"message_stop"})");
    return std::move(turn_);
  }
  run::CassetteTurn fails(std::string_view type, std::string_view message) {
    event("error",
          R"({"type":"error","error":{"type":)" + json_string(type) + R"(,"message":)" + json_string(message) + "}}");
    return std::move(turn_);
  }

 private:
  // Never inside a character: pieces are JSON strings here.
  static std::vector<std::string_view> pieces(std::string_view text, std::size_t size) {
    std::vector<std::string_view> out;
    while (!text.empty()) {
      std::size_t n = std::min(size, text.size());
      while (n < text.size() && (static_cast<unsigned char>(text[n]) & 0xc0) == 0x80) ++n;
      out.push_back(text.substr(0, n));
      text.remove_prefix(n);
    }
    return out;
  }
  void event(std::string_view name, const std::string& data) {
    turn_.pieces.push_back({15, "event: " + std::string(name) + "\ndata: " + data + "\n\n"});
  }
  void begin(const std::string& block) {
    event("content_block_start",
          R"({"type":"content_block_start","index":)" + std::to_string(block_) + R"(,"content_block":)" + block + "}");
  }
  void delta(const std::string& delta) {
    sent_ += delta.size();
    event("content_block_delta",
          R"({"type":"content_block_delta","index":)" + std::to_string(block_) + R"(,"delta":)" + delta + "}");
  }
  Turn& end() {
    event("content_block_stop", R"({"type":"content_block_stop","index":)" + std::to_string(block_++) + "}");
    return *this;
  }

  run::CassetteTurn turn_;
  std::size_t block_ = 0, sent_ = 0;
};

bool write_file(const std::string& path, std::string_view text) {
  const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
  if (fd < 0) return false;
  const bool well = ::write(fd, text.data(), text.size()) == static_cast<ssize_t>(text.size());
  return ::close(fd) == 0 && well;
}

}  // namespace

run::Cassette demo_cassette() {
  run::Cassette out;
  out.wire = wire::Wire::anthropic;
  out.model = "demo";
  out.task = kTask;
  auto& turns = out.turns;
  // Python's quotes, a comment and a comma too many: one reading only, so it is mended.
  turns.push_back(Turn(0)
                      .says("I look at the list first.")
                      .calls("read_file", "{'path': 'prices.txt',  // the list\n}")
                      .stops("tool_use"));
  // Two objects in one call: a tool that only reads runs once for each.
  turns.push_back(Turn(1)
                      .says("3 + 4 + 5 is 12, not 13. I check the notes and the last line.")
                      .calls("read_file", R"({"path": "README.txt"}{"path": "prices.txt", "start_line": 4})")
                      .stops("tool_use"));
  // The provider is overloaded in the middle of its answer: nothing of it counts, and it is asked again.
  turns.push_back(Turn(2).says("I put the total").fails("overloaded_error", "Overloaded"));
  // The output limit cuts a file in half: a cut write is never run.
  turns.push_back(
      Turn(2)
          .says("I write the list anew.")
          .calls("write_to_file", "{\"path\": \"prices.txt\", \"content\": \"apples    3\\npears     4\\npl")
          .stops("max_tokens"));
  // A search that does not match: the error says what stands there.
  turns.push_back(Turn(3)
                      .says("A smaller change will do.")
                      .calls("apply_diff",
                             "{\"path\": \"prices.txt\", \"diff\": \"<<<<<<< SEARCH\\ntotal: 13\\n=======\\ntotal: "
                             "12\\n>>>>>>> REPLACE\"}")
                      .stops("tool_use"));
  // Right at last, with newlines as they are instead of \n: mended, and the file is changed.
  turns.push_back(Turn(4)
                      .says("There is no colon in that line.")
                      .calls("apply_diff",
                             "{\"path\": \"prices.txt\", \"diff\": \"<<<<<<< SEARCH\ntotal    13\n=======\ntotal    "
                             "12\n>>>>>>> REPLACE\"}")
                      .stops("tool_use"));
  // An alias for a parameter, and a literal of Python's.
  turns.push_back(Turn(5)
                      .calls("write_to_file",
                             "{\"path\": \"CHANGES.txt\", \"file_text\": \"The total is 12 now: 3 + 4 + 5. It was "
                             "13.\\n\"}")
                      .stops("tool_use"));
  turns.push_back(Turn(6)
                      .calls("attempt_completion",
                             R"({"result": "The total in prices.txt is 12 now; CHANGES.txt says what was changed."})")
                      .stops("tool_use"));
  return out;
}

std::expected<Scratch, std::string> Scratch::make() {
  const char* where = std::getenv("TMPDIR");
  std::string path = std::string(where && *where == '/' ? where : "/tmp") + "/belay-demo-XXXXXX";
  if (!::mkdtemp(path.data())) return std::unexpected("no folder for the demo: " + path + ": " + std::strerror(errno));
  if (!write_file(path + "/prices.txt", kPrices) || !write_file(path + "/README.txt", kRead))
    return std::unexpected("no files for the demo in " + path + ": " + std::strerror(errno));
  return Scratch(std::move(path));
}

}  // namespace belay::cli
