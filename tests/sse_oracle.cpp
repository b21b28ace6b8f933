#include "sse_oracle.h"

#include "support/outcome.h"

#include <ostream>
#include <sstream>

namespace belay::check {
namespace {

using sse::Ended;
using sse::Framing;
using sse::Trouble;

struct Ear final : sse::Sink {
  void on_event(const sse::Event& e) override {
    said.push_back({std::string(e.data), e.offset, std::string(e.event), std::string(e.id)});
  }
  void on_retry(std::uint64_t time) override { said.push_back({{}, 0, {}, {}, time}); }
  std::vector<Said> said;
};

struct Line {
  std::size_t offset;
  std::string text;
  bool ended;
};

std::vector<Line> lines_of(std::string_view input, std::size_t from) {
  std::vector<Line> lines;
  while (from < input.size()) {
    std::size_t to = from;
    while (to < input.size() && input[to] != '\n' && input[to] != '\r') ++to;
    lines.push_back({from, std::string(input.substr(from, to - from)), to < input.size()});
    from = to + (input.substr(to, 2) == "\r\n" ? 2 : 1);
  }
  return lines;
}

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

// One JSON value, as far as its brackets and quotes tell.
bool looks_whole(std::string text) {
  while (!text.empty() && is_blank(text.back())) text.pop_back();
  while (!text.empty() && is_blank(text.front())) text.erase(0, 1);
  if (text.empty()) return false;
  if (std::string("{[\"").find(text[0]) == std::string::npos) {
    json::ReaderOptions strict;
    strict.mode = json::Mode::strict;
    return json::read(text, strict).verdict.word() == json::Word::valid;
  }
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '"') {
      for (++i; i < text.size() && text[i] != '"'; ++i)
        if (text[i] == '\\') ++i;
      if (i >= text.size()) return false;
    } else if (text[i] == '{' || text[i] == '[') {
      ++depth;
    } else if (text[i] == '}' || text[i] == ']') {
      --depth;
    }
    if (depth == 0) return i + 1 == text.size();
  }
  return false;
}

std::optional<std::uint64_t> number_of(std::string digits) {
  if (digits.empty() || digits.find_first_not_of("0123456789") != std::string::npos) return std::nullopt;
  digits.erase(0, digits.find_first_not_of('0'));
  if (digits.empty()) return 0;
  const std::string most = std::to_string(kUnlimited);
  if (digits.size() > most.size() || (digits.size() == most.size() && digits > most)) return kUnlimited;
  return std::stoull(digits);
}

// The algorithm of the standard, section 9.2.6, with its names, and beside it what Belay adds.
class Naive {
 public:
  explicit Naive(std::uint64_t limit) : limit_(limit) {}

  void process(const Line& line) {
    if (line.text.empty()) return dispatch();
    if (line.text[0] == ':') return;
    const std::size_t colon = line.text.find(':');
    const std::string field = line.text.substr(0, colon);
    std::string value = colon == std::string::npos ? "" : line.text.substr(colon + 1);
    if (!value.empty() && value[0] == ' ') value.erase(0, 1);
    if (field != "data" && field != "event" && field != "id" && field != "retry") return;
    if (!begin) begin = line.offset;
    const std::size_t size = field == "retry" ? 0 : value.size() + (field == "data" ? data_buffer_.size() : 0);
    if (size > limit_) {
      heard.trouble = Trouble::event_bytes;
    } else if (field == "event") {
      event_type_buffer_ = value;
    } else if (field == "data") {
      data_buffer_ += value + '\n';
    } else if (field == "id") {
      if (value.find('\0') == std::string::npos) last_event_id_buffer_ = value;
    } else if (auto time = number_of(value)) {
      heard.said.push_back({{}, 0, {}, {}, time});
    }
  }

  void dispatch() {
    if (!data_buffer_.empty()) {
      data_buffer_.pop_back();
      heard.said.push_back({data_buffer_, begin.value(), event_type_buffer_, last_event_id_buffer_});
    }
    data_buffer_.clear();
    event_type_buffer_.clear();
    begin.reset();
  }

  void dispatch_if_whole() {
    if (heard.trouble == Trouble::none && !data_buffer_.empty() && looks_whole(data_buffer_)) dispatch();
  }

  // A line that was cut says something only once its name is known.
  void process_cut(const Line& line) {
    for (const std::string name : {"data:", "event:", "id:", "retry:"}) {
      if (line.text.starts_with(name)) {
        std::vector<Said> before = heard.said;
        process(line);
        heard.said = before;
      }
      if (name.starts_with(line.text) && !begin) begin = line.offset;
    }
  }

  Heard heard;
  std::optional<std::uint64_t> begin;

 private:
  std::uint64_t limit_;
  std::string data_buffer_, event_type_buffer_, last_event_id_buffer_;
};

}  // namespace

std::ostream& operator<<(std::ostream& out, const Said& said) {
  if (said.retry) return out << "retry " << *said.retry;
  out << '\'' << printable(said.data.substr(0, 200)) << "' (" << said.data.size() << " bytes) at " << said.offset;
  if (!said.event.empty()) out << " event '" << printable(said.event) << '\'';
  if (!said.id.empty()) out << " id '" << printable(said.id) << '\'';
  return out;
}

Heard hear(const std::vector<std::string_view>& pieces, Framing framing, Ended ended, std::uint64_t event_bytes) {
  Ear ear;
  Limits limits;
  limits.event_bytes = event_bytes;
  sse::Decoder decoder(ear, framing, limits);
  for (std::string_view piece : pieces) {
    const std::vector<char> copy(piece.begin(), piece.end());
    decoder.push({copy.data(), copy.size()});
  }
  decoder.finish(ended);
  return {std::move(ear.said),
          decoder.left_over(),
          decoder.trouble(),
          decoder.message(),
          std::string(decoder.beginning()),
          std::string(decoder.unfinished()),
          decoder.comments_only()};
}

std::string difference(const Heard& a, const Heard& b) {
  if (a == b) return {};
  std::ostringstream out;
  auto tell = [&](const Heard& heard) {
    for (const Said& said : heard.said) out << said << "; ";
    out << heard.left_over << " bytes left over, '" << heard.message << "', begins " << printable(heard.beginning)
        << ", unfinished " << printable(heard.unfinished) << (heard.comments_only ? ", only comments" : "");
  };
  tell(a);
  out << "\n  against  ";
  tell(b);
  return out.str();
}

std::string cut_difference(const Heard& whole, std::string_view input, Framing framing, Ended ended,
                           std::uint64_t event_bytes) {
  if (std::string d = difference(whole, hear(chop(input, 1), framing, ended, event_bytes)); !d.empty())
    return "byte by byte: " + d;
  for (std::size_t at = 0; at <= input.size(); ++at) {
    const std::vector<std::string_view> two = {input.substr(0, at), input.substr(at)};
    if (std::string d = difference(whole, hear(two, framing, ended, event_bytes)); !d.empty())
      return "cut at " + std::to_string(at) + ": " + d;
  }
  return {};
}

std::string naive_difference(const Heard& heard, std::string_view input, Framing framing, Ended ended,
                             std::uint64_t event_bytes) {
  const std::size_t from = input.starts_with("\xEF\xBB\xBF") ? 3 : 0;
  const std::size_t first = input.find_first_not_of(" \t\r\n", from);
  const bool braced = first != std::string_view::npos && (input[first] == '{' || input[first] == '[');
  if (framing == Framing::json || (framing == Framing::automatic && braced)) return {};
  if (heard.trouble == Trouble::compressed) return {};

  Naive naive(event_bytes);
  for (const Line& line : lines_of(input, from)) {
    line.ended || ended == Ended::eof ? naive.process(line) : naive.process_cut(line);
    if (naive.heard.trouble != Trouble::none) break;
  }
  if (ended == Ended::eof) naive.dispatch_if_whole();
  if (naive.heard.trouble == Trouble::none) naive.heard.left_over = input.size() - naive.begin.value_or(input.size());
  naive.heard.beginning = input.substr(0, 256);
  naive.heard.message = heard.message;
  naive.heard.unfinished = heard.unfinished;
  naive.heard.comments_only = heard.comments_only;
  return difference(naive.heard, heard);
}

std::string lost(const Heard& heard, std::string_view input) {
  std::size_t at = input.starts_with("\xEF\xBB\xBF") ? 3 : 0;
  auto only_between = [&](std::size_t to) {
    for (; at < to; ++at)
      if (std::string_view(" \t\r\n,[]").find(input[at]) == std::string_view::npos) return false;
    return true;
  };
  for (const Said& said : heard.said) {
    if (said.offset < at || input.substr(said.offset, said.data.size()) != said.data)
      return "the event at " + std::to_string(said.offset) + " is not in the input, or overlaps";
    if (!only_between(said.offset)) return "the byte at " + std::to_string(at) + " is in no event";
    at = said.offset + said.data.size();
  }
  if (heard.trouble != Trouble::none) return {};
  const std::size_t end = input.size() - heard.left_over;
  if (end < at || !only_between(end)) return "the byte at " + std::to_string(at) + " is in no event and not left over";
  return {};
}

}  // namespace belay::check
