// The built-in model `demo`: recorded turns that misbehave on purpose, and a small workspace for them.
#pragma once

#include <belay/run/cassette.h>

#include <expected>
#include <string>

namespace belay::cli {

/// A price list with a wrong total is put right, in spite of everything that goes wrong with the calls. Played by a
/// real server over Anthropic's wire.
run::Cassette demo_cassette();

/// A new folder with the files that the demo works on. It stays, so that one can look at it and resume.
class Scratch {
 public:
  static std::expected<Scratch, std::string> make();
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  explicit Scratch(std::string path) : path_(std::move(path)) {}
  std::string path_;
};

}  // namespace belay::cli
