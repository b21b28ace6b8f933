// What is written of an answer, on its way from the threads that write it to the one that sends it; and how it looks on
// the wire.
#pragma once

#include <belay/net/server.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace BELAY_NAMESPACE::net {

/// How the bytes that were asked for have to look.
struct AnswerForm {
  bool bare = false;    ///< an answer to HEAD
  bool http10 = false;  ///< no chunks
  bool keep_alive = true;
  std::uint64_t waiting_bytes = 0;  ///< ServerOptions
};

/// The parts of a server that its answers know of.
class Loop {
 public:
  virtual ~Loop() = default;
  /// Runs it on the server's thread; false: there is none any more, and it was not run.
  virtual bool post(std::function<void()> work) = 0;
};

class Outbox {
 public:
  /// `wake` asks the sending side to call take().
  Outbox(AnswerForm form, std::shared_ptr<Loop> loop, std::function<void()> wake);

  // The writing side, on any thread.
  void head(int status, std::vector<Header> headers);
  void write(std::string_view bytes);
  void end();
  void reset();
  void on_closed(std::function<void()> gone);
  [[nodiscard]] bool ended() const;
  [[nodiscard]] bool has_head() const;
  [[nodiscard]] std::size_t waiting() const { return waiting_; }
  [[nodiscard]] bool closed() const { return closed_; }

  // The sending side.
  struct Taken {
    std::string bytes;
    bool ended = false;
    bool reset = false;
    bool keep_alive = false;
  };
  Taken take();
  void sent(std::size_t bytes) { waiting_ -= bytes; }
  /// The connection is no more; tells who asked to know, if it was not the writing side that ended it.
  void gone();

 private:
  void head_locked(int status, const std::vector<Header>& headers);
  void put_locked(std::string_view bytes);
  void break_locked();
  void wake_locked();

  enum class Framing : std::uint8_t { none, length, chunks, until_close };

  const AnswerForm form_;
  const std::shared_ptr<Loop> loop_;
  const std::function<void()> wake_;
  std::atomic<std::size_t> waiting_ = 0;
  std::atomic<bool> closed_ = false;

  mutable std::mutex lock_;  // for all below
  std::string out_;
  std::function<void()> gone_;
  std::uint64_t left_ = 0;  // of a body whose length was said
  Framing framing_ = Framing::none;
  bool has_head_ = false, ended_ = false, reset_ = false, keep_alive_, woken_ = false;
};

/// A whole answer of the server's own, after which the connection is closed.
std::string refusal_text(int status);

}  // namespace BELAY_NAMESPACE::net
