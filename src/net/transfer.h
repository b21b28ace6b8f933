// One exchange: a request on its way out, an answer on its way in. Everything here happens on the client's thread.
#pragma once

#include "net/decoder.h"
#include "net/headers.h"
#include "net/trouble.h"

#include <belay/net/client.h>

#include <curl/curl.h>

#include <chrono>
#include <memory>
#include <optional>
#include <string>

namespace BELAY_NAMESPACE::net {

using Time = std::chrono::steady_clock::time_point;

/// What all exchanges of a client share.
struct Manner {
  std::string user_agent;
  std::string ca_file;  ///< empty: libcurl's own choice
};

class Transfer {
 public:
  Transfer(Client::Id id, Request request, std::shared_ptr<Receiver> receiver);
  Transfer(const Transfer&) = delete;
  Transfer& operator=(const Transfer&) = delete;

  [[nodiscard]] Client::Id id() const { return id_; }
  [[nodiscard]] const Place& place() const { return place_; }
  [[nodiscard]] CURL* easy() const { return easy_.get(); }

  /// Checks the request and makes the handle; false: failure() says why it cannot be sent.
  bool prepare(const Manner& manner);
  /// Goes on after a pause; false: the exchange has failed by that.
  bool resume(Time now);
  /// When a clock of this exchange runs out next.
  [[nodiscard]] Time deadline() const;
  /// Looks at the clocks; true: one has run out, and failure() says which.
  bool expired(Time now);
  /// After libcurl has let go of the handle: what became of it.
  [[nodiscard]] std::optional<Error> outcome(CURLcode code) const;
  [[nodiscard]] const std::optional<Error>& failure() const { return failure_; }
  /// The last call to the receiver.
  void end(const std::optional<Error>& error);

 private:
  static std::size_t on_header(char* bytes, std::size_t, std::size_t size, void* self) noexcept;
  static std::size_t on_body(char* bytes, std::size_t, std::size_t size, void* self) noexcept;
  std::size_t take_encoded(std::string_view bytes);
  /// Gives a piece to the receiver; false: it is too much.
  bool deliver(std::string_view bytes);
  static int on_connected(void* self, char*, char*, int, int) noexcept;
  bool add_headers();
  void set_method();
  /// Bytes in either direction since the last look keep it from being idle.
  void note_progress(Time now);
  /// Since when it is idle.
  [[nodiscard]] Time quiet_since() const;

  struct FreeEasy {
    void operator()(CURL* easy) const { curl_easy_cleanup(easy); }
  };
  struct FreeList {
    void operator()(curl_slist* list) const { curl_slist_free_all(list); }
  };

  Client::Id id_;
  Request request_;
  std::shared_ptr<Receiver> receiver_;
  Place place_;
  std::unique_ptr<curl_slist, FreeList> lines_;  // outlives the handle, which points to it
  std::unique_ptr<CURL, FreeEasy> easy_;
  char detail_[CURL_ERROR_SIZE] = "";
  HeadReader head_;
  std::unique_ptr<Decoder> decoder_;
  bool encoded_ = false;     // the body is not as it should be given
  bool any_body_ = false;    // bytes of it have come
  std::size_t decoded_ = 0;  // bytes that libcurl will give again after a pause, and that the decoder has had
  std::optional<Error> failure_;
  std::uint64_t received_ = 0;
  curl_off_t progress_ = 0;
  Time started_, last_byte_;
  Time waiting_since_;  // for something of the body: its head has come, or a pause is over
  bool connected_ = false;
  bool paused_ = false;  // by the receiver
  bool held_ = false;    // libcurl keeps bytes until the pause is over
};

}  // namespace BELAY_NAMESPACE::net
