// The secret that clients of `belay mcp serve --http` have to bear.
#pragma once

#include <belay/config.h>

#include <expected>
#include <string>
#include <string_view>

namespace belay::cli {

class ServeToken {
 public:
  static constexpr std::string_view kVariable = "BELAY_MCP_TOKEN";
  /// That of the environment, or 256 random bits. The error is one sentence: it is too short, or cannot be sent.
  static std::expected<ServeToken, std::string> from(const config::Environment& environment);

  ServeToken(ServeToken&& other) noexcept;
  ServeToken& operator=(ServeToken&&) = delete;
  /// Removes the file, if it still is the one that was written.
  ~ServeToken();

  [[nodiscard]] const std::string& text() const { return text_; }
  [[nodiscard]] bool made() const { return made_; }
  [[nodiscard]] const std::string& file() const { return file_; }
  /// Writes it into a file that only its owner can read (0600), and holds a lock on it. What is there already is
  /// replaced only if it is such a file of this user with nothing but a token in it, left by a server that has ended.
  std::expected<void, std::string> keep(std::string file);

 private:
  ServeToken(std::string text, bool made) : text_(std::move(text)), made_(made) {}
  std::string text_, file_;
  int held_ = -1;  // the file, locked
  bool made_;
};

}  // namespace belay::cli
