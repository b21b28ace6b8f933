// `--record FILE`: what a model's server answers, kept as a cassette.
#pragma once

#include <belay/run/cassette.h>

#include <expected>
#include <string>

namespace belay::cli {

/// The cassette in this file. The error is one sentence.
std::expected<run::Cassette, std::string> read_cassette(const std::string& path);

/// Writes the file anew after every exchange, so that a run that is cut off has recorded what came before.
class Recording {
 public:
  static std::expected<Recording, std::string> open(std::string path, wire::Wire wire, std::string model,
                                                    std::string task);
  void add(const run::Exchange& exchange);
  /// The error that a write has met, in one sentence.
  std::expected<void, std::string> finish();

 private:
  Recording(std::string path, run::Cassette cassette) : path_(std::move(path)), cassette_(std::move(cassette)) {}
  void write();
  std::string path_;
  run::Cassette cassette_;
  std::string problem_;
};

}  // namespace belay::cli
