#include <belay/run/cassette.h>

#include <belay/json/reader.h>
#include <belay/json/writer.h>

#include "base/utf8.h"

#include <array>
#include <utility>

namespace BELAY_NAMESPACE::run {
namespace {

using End = CassetteTurn::End;
constexpr std::array<std::string_view, 3> kEnds{"end", "reset", "stall"};
constexpr std::string_view kLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

// Bytes that are no text are written in base64.
std::string base64(std::string_view bytes) {
  std::string out;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t group = 0;
    const std::size_t n = std::min<std::size_t>(3, bytes.size() - i);
    for (std::size_t k = 0; k < 3; ++k) group = group << 8 | (k < n ? static_cast<unsigned char>(bytes[i + k]) : 0u);
    for (std::size_t k = 0; k < 4; ++k) out += k <= n ? kLetters[group >> (18 - 6 * k) & 63] : '=';
  }
  return out;
}

std::optional<std::string> from_base64(std::string_view text) {
  std::string out;
  std::uint32_t group = 0;
  int bits = 0;
  while (text.ends_with('=')) text.remove_suffix(1);
  for (const char c : text) {
    const std::size_t value = kLetters.find(c);
    if (value == kLetters.npos) return std::nullopt;
    group = group << 6 | static_cast<std::uint32_t>(value);
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    out += static_cast<char>(group >> bits & 255);
  }
  return out;
}

void member(std::string& out, std::string_view key, std::string_view text) {
  out += out.ends_with('{') ? "" : ",";
  json::write_string(key, out);
  out += ':';
  json::write_string(text, out);
}
void member(std::string& out, std::string_view key, std::int64_t number) {
  out += out.ends_with('{') ? "" : ",";
  json::write_string(key, out);
  out += ':' + std::to_string(number);
}

void write_turn(std::string& out, const CassetteTurn& turn) {
  out += '{';
  member(out, "answers", static_cast<std::int64_t>(turn.answers));
  member(out, "status", turn.status);
  out += R"(,"headers":{)";
  for (const net::Header& header : turn.headers) member(out, header.name, header.value);
  out += R"(},"pieces":[)";
  for (const CassetteTurn::Piece& piece : turn.pieces) {
    out += &piece == turn.pieces.data() ? "\n{" : ",\n{";
    if (piece.after != 0) member(out, "after", piece.after);
    if (utf8::valid(piece.bytes))
      member(out, "text", piece.bytes);
    else
      member(out, "base64", base64(piece.bytes));
    out += '}';
  }
  out += ']';
  if (turn.end != End::end) member(out, "end", kEnds[static_cast<std::size_t>(turn.end)]);
  out += '}';
}

using Problem = std::unexpected<std::string>;

std::expected<CassetteTurn::Piece, std::string> piece_from(json::Value value, const std::string& where) {
  CassetteTurn::Piece out;
  bool bytes = false;
  if (!value.is_object()) return Problem(where + " is not an object");
  for (const json::Member& m : value.members()) {
    const std::string_view key = m.key;
    if (key == "after" && m.value.as_int64() && *m.value.as_int64() >= 0) {
      out.after = *m.value.as_int64();
    } else if (key == "text" && m.value.is_string() && !bytes) {
      out.bytes = m.value.as_string();
      bytes = true;
    } else if (key == "base64" && m.value.is_string() && !bytes) {
      auto read = from_base64(m.value.as_string());
      if (!read) return Problem(where + "/base64 is not base64");
      out.bytes = std::move(*read);
      bytes = true;
    } else {
      return Problem(where + "/" + std::string(key) + " is not what a piece has: after, and text or base64");
    }
  }
  return out;
}

std::expected<CassetteTurn, std::string> turn_from(json::Value value, const std::string& where) {
  CassetteTurn out;
  if (!value.is_object()) return Problem(where + " is not an object");
  for (const json::Member& m : value.members()) {
    const std::string at = where + "/" + std::string(m.key);
    if (m.key == "answers" && m.value.as_uint64()) {
      out.answers = *m.value.as_uint64();
    } else if (m.key == "status" && m.value.as_int64() && *m.value.as_int64() >= 200 && *m.value.as_int64() < 600) {
      out.status = static_cast<int>(*m.value.as_int64());
    } else if (m.key == "headers" && m.value.is_object()) {
      for (const json::Member& header : m.value.members()) {
        const std::string_view text = header.value.as_string();
        if (!header.value.is_string() || text.find_first_of("\r\n") != text.npos ||
            header.key.find_first_of("\r\n: ") != header.key.npos)
          return Problem(at + " has a header that is none");
        out.headers.push_back({std::string(header.key), std::string(text)});
      }
    } else if (m.key == "pieces" && m.value.is_array()) {
      for (json::Value piece : m.value.items()) {
        auto read = piece_from(piece, at + "/" + std::to_string(out.pieces.size()));
        if (!read) return Problem(std::move(read.error()));
        out.pieces.push_back(std::move(*read));
      }
    } else if (m.key == "end" && m.value.is_string()) {
      std::size_t n = 0;
      while (n < kEnds.size() && kEnds[n] != m.value.as_string()) ++n;
      if (n == kEnds.size()) return Problem(at + " is none of end, reset, stall");
      out.end = static_cast<End>(n);
    } else {
      return Problem(at + " is not what a turn has: answers, status, headers, pieces, end");
    }
  }
  return out;
}

}  // namespace

std::string to_json(const Cassette& cassette) {
  std::string out = R"({"belay_cassette":1)";
  member(out, "wire", wire::name(cassette.wire));
  member(out, "model", cassette.model);
  member(out, "task", cassette.task);
  out += R"(,"turns":[)";
  for (const CassetteTurn& turn : cassette.turns) {
    out += &turn == cassette.turns.data() ? "\n" : ",\n";
    write_turn(out, turn);
  }
  return out += "\n]}\n";
}

std::expected<Cassette, std::string> cassette_from_json(std::string_view text) {
  json::ReaderOptions options;
  options.mode = json::Mode::strict;
  options.limits.bytes = kUnlimited;
  const json::Reading reading = json::read(text, options);
  if (reading.verdict.word() != json::Word::valid)
    return Problem("it is not valid JSON: " + reading.error.message + " at line " +
                   std::to_string(reading.error.position.line));
  const json::Value root = reading.document.root();
  if (!root.find("belay_cassette")) return Problem("it is no cassette: the member belay_cassette is missing");
  Cassette out;
  for (const json::Member& m : root.members()) {
    if (m.key == "belay_cassette") {
      if (m.value.as_int64() != 1)
        return Problem("it is a cassette of version " + json::to_string(m.value) + ", and this Belay reads version 1");
    } else if (m.key == "wire") {
      const auto wire = wire::wire_named(m.value.as_string());
      if (!wire) return Problem("/wire is none of openai-chat, openai-responses, anthropic, gemini, ollama");
      out.wire = *wire;
    } else if (m.key == "model" && m.value.is_string()) {
      out.model = m.value.as_string();
    } else if (m.key == "task" && m.value.is_string()) {
      out.task = m.value.as_string();
    } else if (m.key == "turns" && m.value.is_array()) {
      for (json::Value turn : m.value.items()) {
        auto read = turn_from(turn, "/turns/" + std::to_string(out.turns.size()));
        if (!read) return Problem(std::move(read.error()));
        out.turns.push_back(std::move(*read));
      }
    } else {
      return Problem("/" + std::string(m.key) + " is not what a cassette has: wire, model, task, turns");
    }
  }
  return out;
}

std::uint64_t answers_in(wire::Wire wire, std::string_view request) {
  const json::Reading reading = json::read(request);
  if (reading.document.empty()) return 0;
  const auto body = wire::decode_request(wire, reading.document.root(), "model");
  std::uint64_t out = 0;
  if (body)
    for (const chat::Message& message : body->messages) out += message.role == chat::Role::assistant;
  return out;
}

CassetteTurn turn_of(wire::Wire wire, const Exchange& exchange) {
  CassetteTurn out;
  out.answers = answers_in(wire, exchange.request);
  out.status = exchange.status == 0 ? 502 : exchange.status;
  out.headers = exchange.headers;
  std::size_t at = 0;
  std::int64_t before = 0;
  for (const auto& [when, size] : exchange.pieces) {
    out.pieces.push_back({when - before, exchange.answer.substr(at, size)});
    before = when;
    at += size;
  }
  if (!exchange.error.empty()) out.end = exchange.error == "timeout" ? End::stall : End::reset;
  return out;
}

}  // namespace BELAY_NAMESPACE::run
