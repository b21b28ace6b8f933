// Bytes in and out of file descriptors, with the errors that a filter meets.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <string>
#include <string_view>

namespace belay::cli {

/// A file or standard input, read in pieces. Never holds more than one piece.
class Input {
 public:
  /// `path` "-" is standard input. `chunk` 0: pieces are whatever one read(2) gives, at most 64 KiB;
  /// otherwise every piece but the last has exactly `chunk` bytes. The error says why the file cannot be read.
  static std::expected<Input, std::string> open(const std::string& path, std::size_t chunk);

  Input(Input&&) noexcept;
  Input& operator=(Input&&) = delete;
  ~Input();

  /// The next piece, valid until the next call; empty at the end.
  std::expected<std::string_view, std::string> next();
  /// True when next() has a piece without asking the system.
  [[nodiscard]] bool has_piece() const { return chunk_ != 0 && end_ - begin_ >= chunk_; }
  /// What was read and not taken yet.
  [[nodiscard]] std::string_view rest() const { return {buffer_.data() + begin_, end_ - begin_}; }
  /// True when somebody types it.
  [[nodiscard]] bool is_terminal() const;

  /// For callers that have a buffer of their own, instead of next(): what one read(2) gives, at most `room` bytes; 0 at
  /// the end.
  std::expected<std::size_t, std::string> read(char* to, std::size_t room);
  /// True when read() would not wait.
  [[nodiscard]] bool ready() const;

 private:
  Input(int fd, std::string name, std::size_t chunk);
  std::expected<std::size_t, std::string> read_some();

  int fd_;
  std::string name_;
  std::size_t chunk_;
  std::string buffer_;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
};

/// Where text goes.
class TextSink {
 public:
  virtual TextSink& operator<<(std::string_view text) = 0;

 protected:
  ~TextSink() = default;
};

/// Appends to a text in memory, which must outlive it.
class TextInMemory final : public TextSink {
 public:
  explicit TextInMemory(std::string& text) : text_(text) {}
  TextInMemory& operator<<(std::string_view text) override {
    text_ += text;
    return *this;
  }

 private:
  std::string& text_;
};

/// A buffered file descriptor that is not its own: finish() closes it, destruction does not. The first error stays,
/// and what is written after it is dropped. A terminal does not get DEL and U+0080 to U+009F, which it may obey: they
/// are written as \u007f and so on, which in JSON means the same.
class Output final : public TextSink {
 public:
  explicit Output(int fd) : fd_(fd) {}
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;

  Output& operator<<(std::string_view text) override;
  void flush();
  /// On a terminal, ends a line that was begun; size() does not count it.
  void end_line();
  /// Flushes and closes. Some file systems report a full disk only now.
  void finish();

  [[nodiscard]] int error() const { return error_; }          ///< an errno, or 0
  [[nodiscard]] char last_byte() const { return last_; }      ///< the last byte written, or NUL
  [[nodiscard]] std::uint64_t size() const { return size_; }  ///< bytes that were written
  [[nodiscard]] bool is_terminal() const;

 private:
  void write_all(std::string_view rest);

  int fd_;
  std::string buffer_;
  char last_ = '\0';
  std::uint64_t size_ = 0;  // without what escapes add
  int error_ = 0;
};

}  // namespace belay::cli
