// Nothing of a document is lost in a reading that may be trusted, whatever happened to its punctuation.
//
// Every key and string of these documents is a word of its own and stays as it is; only brackets, commas and colons are
// changed. A trusted reading may understand the structure, but it may not take a part of the document for prose.
#include "damage.h"
#include "support/decisions.h"
#include "support/outcome.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <array>

namespace belay::check {
namespace {

/// Replaces every key and string by a word that stands nowhere else, and lists the words.
void name_apart(Tree& tree, std::vector<std::string>& words) {
  for (std::string& key : tree.keys) words.push_back(key = "key" + std::to_string(words.size()) + "x");
  if (tree.kind == Tree::Kind::string) words.push_back(tree.text = "text" + std::to_string(words.size()) + "x");
  for (Tree& item : tree.items) name_apart(item, words);
}

void change_punctuation(Tokens& tokens, Choices& choices) {
  static constexpr std::array<std::string_view, 12> kPunctuation = {"{", "}", "[", "]", "(", ")",
                                                                    ":", ",", ";", "=", "",  "}}"};
  std::vector<Token*> candidates;
  for (Token& token : tokens)
    if (token.part <= Token::Part::colon) candidates.push_back(&token);
  Token* token = choices.pick(candidates);
  const std::string_view what = choices.pick(kPunctuation);
  switch (choices.below(3)) {
    case 0: token->text = what; break;
    case 1: token->before += what; break;
    default: token->text += what; break;
  }
}

RC_GTEST_PROP(Loss, no_part_of_a_document_is_missing_from_a_trusted_reading, ()) {
  const std::string bytes = *decisions(2.0);
  Choices choices(bytes);
  const std::size_t changes = 1 + choices.below(2);
  Tree tree = make_document(choices);
  std::vector<std::string> words;
  name_apart(tree, words);
  Tokens tokens = tokens_of(tree, choices);
  for (Token& token : tokens)
    if (token.part == Token::Part::key || token.part == Token::Part::string) token.text = json_string(token.content);
  for (std::size_t i = 0; i < changes; ++i) change_punctuation(tokens, choices);

  const std::string input = join(tokens);
  const Outcome got = read_whole(input);
  if (!got.reading.verdict.trusted()) return;
  std::string all;
  for (const std::string& value : got.values) all += value;
  for (const std::string& word : words)
    if (all.find(word) == all.npos) RC_FAIL(word + " is lost: " + describe(got) + "\ninput: " + printable(input));
}

}  // namespace
}  // namespace belay::check
