#include "readers.h"

#include <belay/json.h>

#include <memory>
#include <stdexcept>

namespace belay::bench {
namespace {

json::ReaderOptions options() {
  json::ReaderOptions options;
  options.limits.bytes = kUnlimited;
  return options;
}

void check(const json::Reading& reading, bool valid) {
  json::Word word = reading.verdict.word();
  bool right = valid ? word == json::Word::valid : word != json::Word::broken && word != json::Word::truncated;
  if (!right)
    throw std::runtime_error("belay read a document as " + std::string(name(word)) + ": " + reading.error.message);
}

/// What a caller that shows a call while it arrives looks at.
std::size_t look(const json::Reader& reader, Shape shape) {
  auto value = reader.value();
  if (!value) return 0;
  if (shape == Shape::code) {
    auto content = value->find("content");
    if (!content) return 0;
    std::string_view text = content->as_string();
    return text.empty() ? 0 : text.size() + static_cast<unsigned char>(text.back());
  }
  auto last = value;
  if (shape == Shape::todo) last = value->find("todos");
  if (last) last = last->last();
  return last ? static_cast<std::size_t>(last->kind()) : 0;
}

void push_pieces(json::Reader& reader, std::string_view document, Shape shape, std::size_t piece) {
  std::size_t seen = 0;
  for (std::size_t at = 0; at < document.size(); at += piece) {
    reader.push(document.substr(at, piece));
    seen += look(reader, shape);
  }
  keep(seen);
}

const json::Reading& read_pieces(json::Reader& reader, std::string_view document, Shape shape, std::size_t piece) {
  push_pieces(reader, document, shape, piece);
  return reader.finish_in_place();
}

constexpr std::size_t kPushesALap = 8192;  // some 0.1 to 0.4 ms

}  // namespace

std::function<void()> belay_reused(const Texts& texts, bool valid) {
  auto reader = std::make_shared<json::Reader>(options());
  return [=] {
    for (std::string_view document : texts) {
      reader->reset();
      reader->push(document);
      check(reader->finish_in_place(), valid);
    }
  };
}

std::function<void()> belay_cold(const Texts& texts, bool valid) {
  return [=] {
    for (std::string_view document : texts) {
      json::Reader reader(options());
      reader.push(document);
      check(reader.finish(), valid);
    }
  };
}

std::function<void()> belay_pieces(const Texts& texts, Shape shape, std::size_t piece, bool valid) {
  auto reader = std::make_shared<json::Reader>(options());
  return [=] {
    for (std::string_view document : texts) {
      reader->reset();
      check(read_pieces(*reader, document, shape, piece), valid);
    }
  };
}

Contender belay_in_pieces(const Texts& texts, Shape shape, std::size_t piece, bool valid) {
  const std::size_t lap = kPushesALap * piece;
  if (texts.bytes() < 2 * lap) return {"", belay_pieces(texts, shape, piece, valid)};
  auto reader = std::make_shared<json::Reader>(options());
  return {"", {}, [=](Laps& laps) {
            std::size_t pushed = 0;  // in this lap
            for (std::string_view document : texts) {
              reader->reset();
              for (std::size_t at = 0; at < document.size(); at += lap) {
                if (pushed >= lap) laps.lap(), pushed = 0;
                const std::string_view part = document.substr(at, lap);
                push_pieces(*reader, part, shape, piece);
                pushed += part.size();
              }
              check(reader->finish_in_place(), valid);
            }
          }};
}

std::function<void()> belay_pieces_cold(std::string_view document, Shape shape, std::size_t piece) {
  return [=] {
    json::Reader reader(options());
    check(read_pieces(reader, document, shape, piece), true);
  };
}

}  // namespace belay::bench
