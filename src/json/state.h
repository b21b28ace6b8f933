// A Reader's inside: the two halves, and which of them reads.
#pragma once

#include "json/mender.h"
#include "json/session.h"
#include "json/strict.h"

#include <belay/json/reader.h>

namespace BELAY_NAMESPACE::json {

struct Reader::State {
  explicit State(ReaderOptions o) : session(o), strict(session), mender(session) {}

  Session session;
  Strict strict;
  Mender mender;
  bool mending = false;  // Strict has stopped, Mender goes on
  bool failed = false;
  bool finished = false;
  bool stops = false;        // push_strict(): a deviation is left for the next push()
  std::size_t left = 0;      // the bytes that were not taken because of it
  std::uint64_t mended = 0;  // bytes that went to Mender
  Reading reading;

  [[nodiscard]] std::uint64_t offset() const { return strict.offset() + mended; }

  void push(std::string_view piece);
  void deviate(std::string_view rest);
  void finish(Ending ending);
  void settle();
  void seal(Ending ending, bool cut);
  [[nodiscard]] std::string nothing_here(Ending) const;
  [[nodiscard]] std::string no_value(Ending) const;
};

}  // namespace BELAY_NAMESPACE::json
