#include "text_events.h"

#include "tree.h"

#include <belay/json.h>

#include <algorithm>

namespace belay::check {
namespace {

class Log final : public text::Sink {
 public:
  explicit Log(TextEvents& events) : out_(events) {}

  void on_text(std::string_view piece) override {
    out_.text += piece;
    say("text ", piece);
  }
  void on_reasoning(std::string_view piece) override {
    out_.reasoning += piece;
    say("reasoning ", piece);
  }
  void on_call_start(std::size_t call, std::string_view id, std::string_view name) override {
    if (call != out_.calls.size() || open_) fault("a call starts out of order");
    open_ = true;
    line("start " + json_string(id) + " " + json_string(name));
    name_ = name;
    raw_.clear();
  }
  void on_call_delta(std::size_t call, std::string_view piece) override {
    if (!open_ || call != out_.calls.size()) fault("a piece of a call that is not open");
    if (piece.empty()) fault("an empty piece");
    raw_ += piece;
    join("delta ", piece);
  }
  void on_call_end(std::size_t call, text::Found found) override {
    if (!open_ || call != out_.calls.size()) fault("a call ends that is not open");
    open_ = false;
    if (found.name != name_) fault("a call ends with another name than it started with");
    TextCall one;
    one.name = found.name;
    one.raw = raw_;
    one.closed = found.closed;
    const json::Reading& r = found.reading;
    one.verdict = json::name(r.verdict.word());
    if (!r.document.empty()) one.arguments = json::to_string(r.document.root());
    one.sound = found.closed && (one.verdict == "valid" || one.verdict == "mended" || one.verdict == "split");
    if (one.sound && (r.document.empty() || !r.document.root().is_object())) fault("sound, and no object");
    if (one.verdict == "valid" && !r.edits.empty()) fault("valid, with edits");
    if ((one.verdict == "mended" || one.verdict == "guessed") && r.edits_total == 0) fault("mended without an edit");
    if (one.verdict == "truncated" && found.closed) fault("truncated, and closed");
    std::string text = "end " + json_string(found.id) + " " + json_string(one.name) + " " + one.verdict +
                       (one.closed ? " closed " : " ") + one.arguments;
    for (const json::Edit& e : r.edits) text += " " + describe(e);
    if (r.error)
      text += " error at " + std::to_string(r.error.position.offset) + "," + std::to_string(r.error.position.line) +
              "," + std::to_string(r.error.position.column);
    out_.calls.push_back(std::move(one));
    line(std::move(text));
  }
  void on_call_doubt(std::size_t call, json::Edit edit) override {
    if (call >= out_.calls.size()) return fault("a doubt about a call that did not end");
    out_.calls[call].sound = false;
    line("doubt " + std::to_string(call) + " " + describe(edit));
  }
  void on_call_place(std::size_t first, std::size_t last, std::uint64_t begin, std::uint64_t end) override {
    if (first >= last || last > out_.calls.size()) fault("a place of calls that did not end");
    if (begin >= end) fault("calls that stand nowhere");
    if (begin < placed_) fault("calls that stand where others do");
    placed_ = end;
    places_ += " " + std::to_string(first) + ".." + std::to_string(last) + " at " + std::to_string(begin) + ".." +
               std::to_string(end);
  }
  void on_notice(std::string_view kind, std::string_view message) override {
    line("notice " + std::string(kind) + " " + json_string(message));
  }

  void finish() {
    flush();
    if (open_) fault("a call did not end");
    out_.lines.push_back("places" + places_);
  }

 private:
  void say(std::string kind, std::string_view piece) {
    if (open_) fault("text inside of a call");
    out_.said += piece;
    join(std::move(kind), piece);
  }
  void join(std::string kind, std::string_view piece) {
    if (kind != kind_) {
      flush();
      kind_ = std::move(kind);
    }
    joined_ += piece;
  }
  void line(std::string text) {
    flush();
    out_.lines.push_back(std::move(text));
  }
  void flush() {
    if (kind_.empty()) return;
    out_.lines.push_back(kind_ + json_string(joined_));
    kind_.clear();
    joined_.clear();
  }
  void fault(std::string sentence) {
    if (out_.fault.empty()) out_.fault = std::move(sentence);
  }

  TextEvents& out_;
  std::string kind_, joined_, name_, raw_, places_;
  std::uint64_t placed_ = 0;
  bool open_ = false;
};

}  // namespace

TextEvents read_text(const Pieces& pieces, const text::Options& options) {
  TextEvents out;
  Log log(out);
  text::Decoder decoder(log, options);
  for (std::string_view piece : pieces) decoder.push(piece);
  decoder.finish();
  log.finish();
  return out;
}

std::string difference(const TextEvents& a, const TextEvents& b) {
  for (std::size_t i = 0; i < std::max(a.lines.size(), b.lines.size()); ++i) {
    const std::string& x = i < a.lines.size() ? a.lines[i] : "nothing";
    const std::string& y = i < b.lines.size() ? b.lines[i] : "nothing";
    if (x != y) return "event " + std::to_string(i) + " is " + y + " and not " + x;
  }
  return {};
}

bool subsequence(std::string_view part, std::string_view whole) {
  std::size_t at = 0;
  for (char c : part) {
    at = whole.find(c, at);
    if (at == std::string_view::npos) return false;
    ++at;
  }
  return true;
}

}  // namespace belay::check
