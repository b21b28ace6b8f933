// Random documents, as trees and as the tokens of their text.
#pragma once

#include "choices.h"
#include "tree.h"

#include <string>
#include <vector>

namespace belay::check {

/// A document with an object at the top, never empty: like the arguments of a call.
Tree make_document(Choices& choices);
/// A document with any value at the top.
Tree make_any(Choices& choices, std::size_t depth = 4);

struct Token {
  enum class Part : std::uint8_t { open, close, comma, colon, key, string, number, literal };
  Part part = Part::literal;
  Tree::Kind inside = Tree::Kind::null;  ///< the container that holds it (for open and close: that it opens or closes)
  std::string text;                      ///< as spelled, damage included
  std::string content;                   ///< of a key or string: its characters
  std::string before;                    ///< white space and the like in front of it
  bool touched = false;                  ///< its spelling was damaged already
};
using Tokens = std::vector<Token>;

/// The tokens of the tree's text, with random white space and escapes where `choices` wants them.
Tokens tokens_of(const Tree& tree, Choices& choices);
std::string join(const Tokens& tokens);

}  // namespace belay::check
