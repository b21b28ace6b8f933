// Everything a reading gives, in a form that can be compared: whole against cut, fresh against reused.
#pragma once

#include <belay/json.h>

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace belay::check {

struct Outcome {
  json::Reading reading;
  std::vector<std::string> values;  ///< as json::write spells them
  std::string text;                 ///< all of take_text(), joined
  bool text_stopped = false;
  std::string plain;  ///< what a reader without text output says otherwise; must be nothing
};

using Pieces = std::vector<std::string_view>;

/// Reads the pieces, one push each, with text output, and again without, which takes shorter ways. Both readers have
/// read `before` to its end, if there is any.
Outcome read_pieces(const Pieces& pieces, json::ReaderOptions options, json::Ending ending, const Pieces& before = {});
Outcome read_whole(std::string_view input, json::ReaderOptions options = {},
                   json::Ending ending = json::Ending::complete);

/// The document of a text that must be JSON; std::invalid_argument when it is not.
json::Document document_of(std::string_view json_text);
/// Good to the end of the expression, where the document is a temporary.
inline json::Value root_of(const json::Document& document) { return document.root(); }

/// The input in pieces of `size` bytes.
Pieces chop(std::string_view input, std::size_t size);

/// What differs between two outcomes, as a sentence; empty when nothing does.
std::string difference(const Outcome& a, const Outcome& b);

/// Reads the input whole, byte by byte and at every two-way split (at most `max_splits` of them, evenly spread), and
/// says where an outcome first differs from the whole one; empty when none does.
std::string cut_difference(std::string_view input, json::ReaderOptions options, json::Ending ending,
                           std::size_t max_splits = 1024);

/// For messages.
std::string describe(const json::Edit& edit);
std::string describe(const Outcome& outcome);
/// The bytes with everything unprintable as \xNN.
std::string printable(std::string_view bytes);

}  // namespace belay::check
