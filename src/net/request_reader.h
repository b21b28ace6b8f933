// Requests out of bytes, by Boost.Beast's parser, which this keeps in one translation unit.
#pragma once

#include <belay/net/server.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

namespace BELAY_NAMESPACE::net {

/// One request after the other. Takes bytes as they come.
class RequestReader {
 public:
  RequestReader(std::uint64_t head_bytes, std::uint64_t body_bytes);
  ~RequestReader();
  RequestReader(const RequestReader&) = delete;
  RequestReader& operator=(const RequestReader&) = delete;

  struct Step {
    std::size_t taken = 0;  ///< of the bytes that were given; the rest has to be given again, with more behind it
    bool complete = false;
    int refused = 0;  ///< 400, 413, 431, ...: no request, and nothing can be read behind it
  };
  Step push(std::string_view bytes);
  /// Bytes of a request have come, and it has not been taken.
  [[nodiscard]] bool begun() const { return state_ != nullptr; }

  /// All of a head has come.
  [[nodiscard]] bool has_head() const;

  /// The head is complete, and the other end waits for a word before it sends the body. True once.
  bool wants_continue();

  /// The head of a request whose body is still to come; given once.
  std::optional<ServerRequest> new_head();

  /// Of a complete request, or of one whose body is not wanted; the next push() begins another one.
  struct Complete {
    ServerRequest request;
    bool http10 = false;
    bool keep_alive = false;
  };
  Complete take();

 private:
  struct State;
  std::unique_ptr<State> state_;
  std::uint64_t head_bytes_, body_bytes_;
};

}  // namespace BELAY_NAMESPACE::net
