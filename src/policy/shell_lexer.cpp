#include "shell_lexer.h"

#include "words.h"

#include <algorithm>
#include <cctype>

namespace BELAY_NAMESPACE::policy {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t'; }
bool ends_word(char c) { return is_blank(c) || std::string_view("\n;&|<>()").contains(c); }
bool is_mark(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-' || c == '.' || c == '!';
}

}  // namespace

Lexer::Step Lexer::skip_blanks() {
  for (;;) {
    while (!done() && is_blank(now())) ++pos_;
    if (now() != '\\' || at(pos_ + 1) != '\n') break;
    if (!pending_.empty()) return unread("a line goes on after a here-document began");
    pos_ += 2;
  }
  if (now() == '#') pos_ = std::min(text_.find('\n', pos_), text_.size());
  return {};
}

std::expected<Token, Unread> Lexer::next() {
  if (auto step = skip_blanks(); !step) return std::unexpected(step.error());
  Token token;
  token.offset = pos_;
  if (done()) {
    if (!pending_.empty()) return unread("a here-document has no end");
    return token;
  }
  if (now() == '\n') {
    ++pos_;
    if (auto step = here_bodies(); !step) return std::unexpected(step.error());
    token.kind = TokenKind::newline;
    return token;
  }
  if (ends_word(now())) return operator_token();
  auto read = word();
  if (!read) return std::unexpected(read.error());
  if (now() == '<' || now() == '>') {
    // `2>` names a descriptor, `{name}>` lets bash choose one. More digits than one are a word to some shells.
    const std::string& text = read->text;
    const bool bare = !read->quoted && !read->status;
    if (bare && text.size() == 1 && is_digit(text[0])) return redirect_token(text[0] - '0');
    if (bare && std::ranges::all_of(text, is_digit)) return unread("shells differ in how they read 10>");
    if (text.starts_with('{')) return unread("{...} before a redirection names a descriptor");
  }
  token.kind = TokenKind::word;
  token.word = std::move(*read);
  token.bare_word_after = now() == '(';
  return token;
}

std::expected<Word, Unread> Lexer::word() {
  Word word;
  bool brace_open = false;
  std::size_t braces = 0;   // that are open, each closed by the next }
  bool tilde_place = true;  // an unquoted ~ here is a home directory
  const std::size_t begin = pos_;
  while (!done() && !ends_word(now())) {
    const char c = now();
    Step step;
    switch (c) {
      case '\\': step = escape(word); break;
      case '\'': step = single_quotes(word); break;
      case '"': step = double_quotes(word); break;
      case '$': step = dollar(word, false); break;
      case '`': return unread("backquotes run another command");
      default:
        if ((c == '*' || c == '?' || c == '[') && !word.glob()) word.glob_at = word.text.size();
        if (c == '{') brace_open = true, ++braces;
        if (c == '}' && braces > 0) --braces;
        // A comma may belong to any brace before it: {a},b} is two words. The ends of a sequence have no brace in them,
        // so that one stands between a brace and the next: @{u}.. is none.
        if (c == ',' && brace_open) word.brace = true;
        if (c == '.' && braces > 0 && word.text.ends_with('.')) word.brace = true;
        if (c == '~' && (tilde_place || word.text.empty())) word.tilde = true;
        word.text += c;
        ++pos_;
    }
    if (!step) return std::unexpected(step.error());
    // A line end that was escaped parts nothing.
    if (pos_ == 0 || text_[pos_ - 1] != '\n' || c != '\\') tilde_place = c == '=' || c == ':';
  }
  // The command `[`, and not a pattern.
  if (pos_ - begin == 1 && word.text == "[") word.glob_at = Word::kNone;
  return word;
}

std::expected<Token, Unread> Lexer::operator_token() {
  Token token;
  token.offset = pos_;
  const char c = now();
  const char next = at(pos_ + 1);
  const auto take = [&](TokenKind kind, std::size_t length) {
    token.kind = kind;
    pos_ += length;
    token.bare_word_after = now() == '(';
    return token;
  };
  switch (c) {
    case ';':
      if (next == ';' || next == '&') return unread("a branch of case ends where there is none");
      return take(TokenKind::semicolon, 1);
    case '&':
      if (next == '&') return take(TokenKind::and_then, 2);
      if (next == '>') return redirect_token(-1);
      return take(TokenKind::background, 1);
    case '|':
      if (next == '|') return take(TokenKind::or_else, 2);
      return take(TokenKind::pipe, next == '&' ? 2 : 1);
    case '(': return take(TokenKind::open, 1);
    case ')': return take(TokenKind::close, 1);
    default: return redirect_token(-1);
  }
}

std::expected<Token, Unread> Lexer::redirect_token(int fd) {
  struct Sign {
    std::string_view text;
    Redirection kind;
  };
  // Longer ones first.
  static constexpr Sign kSigns[] = {
      {"&>>", Redirection::both},      {"&>", Redirection::both},       {">>", Redirection::output},
      {">|", Redirection::clobber},    {">&", Redirection::copy_out},   {">", Redirection::output},
      {"<<<", Redirection::here_text}, {"<<-", Redirection::here_text}, {"<<", Redirection::here_text},
      {"<>", Redirection::in_out},     {"<&", Redirection::copy_in},    {"<", Redirection::input},
  };
  const std::string_view rest = text_.substr(pos_);
  const auto* sign = std::ranges::find_if(kSigns, [&](const Sign& s) { return rest.starts_with(s.text); });
  // A POSIX shell reads a & and a > there: what follows the file is another command.
  if (sign->kind == Redirection::both) return unread("&> means one thing in bash and another in sh; write > FILE 2>&1");
  Token token;
  token.kind = TokenKind::redirect;
  token.offset = pos_;
  token.redirect.kind = sign->kind;
  token.redirect.fd = fd;
  pos_ += sign->text.size();
  if (now() == '(') return unread("a process substitution runs another command");
  if (sign->text == "<<" || sign->text == "<<-") return here_document(std::move(token), sign->text == "<<-");
  token.needs_target = true;
  return token;
}

std::expected<Token, Unread> Lexer::here_document(Token token, bool strip_tabs) {
  if (auto step = skip_blanks(); !step) return std::unexpected(step.error());
  if (done() || ends_word(now())) return unread("a here-document has no end mark");
  auto mark = word();
  if (!mark) return std::unexpected(mark.error());
  if (mark->text.empty() || !mark->literal() || !std::ranges::all_of(mark->text, is_mark))
    return unread("the end mark of a here-document is not a plain word");
  pending_.push_back({mark->text, strip_tabs, !mark->quoted});
  token.redirect.target = std::move(*mark);
  return token;
}

Lexer::Step Lexer::here_bodies() {
  for (const HereDocument& document : pending_) {
    for (;;) {
      if (done()) return unread("a here-document has no end");
      const std::size_t end = std::min(text_.find('\n', pos_), text_.size());
      std::string_view line = text_.substr(pos_, end - pos_);
      if (document.strip_tabs) line.remove_prefix(std::min(line.find_first_not_of('\t'), line.size()));
      if (document.expands && line.find_first_of("$`\\") != std::string_view::npos)
        return unread("a here-document without quotes around its mark expands");
      pos_ = std::min(end + 1, text_.size());
      if (line == document.mark) break;
    }
  }
  pending_.clear();
  return {};
}

}  // namespace BELAY_NAMESPACE::policy
