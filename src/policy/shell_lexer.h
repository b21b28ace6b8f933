// Shell text cut into words and operators, as POSIX shells and bash agree on it. Where they do not agree, or where
// something expands that the text does not show, the reading ends with a reason.
#pragma once

#include <belay/version.h>

#include "shell_tree.h"

#include <expected>
#include <string_view>

namespace BELAY_NAMESPACE::policy {

enum class TokenKind : std::uint8_t {
  word,
  redirect,
  newline,
  semicolon,
  background,
  and_then,
  or_else,
  pipe,
  open,
  close,
  end,
};

struct Token {
  TokenKind kind = TokenKind::end;
  std::size_t offset = 0;
  Word word;
  Redirect redirect;             ///< its target is the next word, unless it is here-text
  bool needs_target = false;     ///< of a redirect
  bool bare_word_after = false;  ///< the next byte opens a parenthesis: `((`, or a function
};

class Lexer {
 public:
  /// `text` must outlive the lexer.
  explicit Lexer(std::string_view text) : text_(text) {}

  std::expected<Token, Unread> next();

 private:
  using Step = std::expected<void, Unread>;
  struct HereDocument {
    std::string mark;
    bool strip_tabs;
    bool expands;
  };

  [[nodiscard]] char at(std::size_t i) const { return i < text_.size() ? text_[i] : '\0'; }
  [[nodiscard]] char now() const { return at(pos_); }
  [[nodiscard]] bool done() const { return pos_ >= text_.size(); }
  [[nodiscard]] std::unexpected<Unread> unread(std::string_view reason) const;

  Step skip_blanks();
  std::expected<Word, Unread> word();
  Step escape(Word& word);
  Step single_quotes(Word& word);
  Step double_quotes(Word& word);
  Step ansi_quotes(Word& word);
  Step ansi_escape(Word& word);
  Step dollar(Word& word, bool in_quotes);
  std::expected<Token, Unread> operator_token();
  std::expected<Token, Unread> redirect_token(int fd);
  std::expected<Token, Unread> here_document(Token token, bool strip_tabs);
  Step here_bodies();

  std::string_view text_;
  std::size_t pos_ = 0;
  std::vector<HereDocument> pending_;
};

}  // namespace BELAY_NAMESPACE::policy
