// Damage of every kind, done to documents whose meaning is known.
//
// An operator changes the tokens of a document, or what stands around it. What a reader may say about the result is
// known from the operator alone: damage with one reading must come out as the original, trusted; damage with several
// readings must not be trusted as anything but the original. Noise has no oracle of its own: it serves the properties
// that hold for every input.
#pragma once

#include "support/choices.h"
#include "support/documents.h"
#include "support/tree.h"

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace belay::check {

enum class Certainty : std::uint8_t {
  one_reading,       ///< the original, by safe edits
  several_readings,  ///< at best a guess
};

/// A document on the table.
struct Specimen {
  Tokens tokens;
  std::string prefix, suffix;
  [[nodiscard]] std::string text() const { return prefix + join(tokens) + suffix; }
};

struct Damage {
  std::string_view name;
  Certainty certainty;
  /// Does one such damage somewhere. False, and nothing is changed, when there is no place for it.
  bool (*apply)(Specimen&, Choices&);
};

std::span<const Damage> safe_damages();
std::span<const Damage> guess_damages();

struct Damaged {
  std::string text;
  Tree original;
  Certainty certainty = Certainty::one_reading;  ///< the worst of what was applied
  std::vector<std::string_view> applied;         ///< names; empty when the text is valid JSON
};

/// A document with up to three kinds of damage: safe ones only, or any.
Damaged damaged_document(Choices& choices, Certainty worst);

/// Inserts, deletes, repeats and replaces pieces of the text, anywhere; the pieces are those that JSON, its relatives
/// and what models write around it are made of.
void add_noise(std::string& text, Choices& choices);

/// Positions at which to cut a text of that size, in order.
std::vector<std::size_t> make_cuts(std::size_t size, Choices& choices);
/// The text cut there.
std::vector<std::string_view> cut_at(std::string_view text, const std::vector<std::size_t>& cuts);

/// Picks one of the tokens that satisfy `fits`; null when none does. For writing operators.
template <class Fits>
Token* pick_token(Specimen& specimen, Choices& choices, Fits fits) {
  std::vector<Token*> candidates;
  for (Token& token : specimen.tokens)
    if (fits(token)) candidates.push_back(&token);
  return candidates.empty() ? nullptr : choices.pick(candidates);
}

/// Gives a token another text, which no other operator touches. False: there is no token.
inline bool respell(Token* token, std::string text) {
  if (token == nullptr) return false;
  token->text = std::move(text);
  token->touched = true;
  return true;
}

}  // namespace belay::check
