#include "shell_parser.h"

#include "shell_lexer.h"

#include <optional>

namespace BELAY_NAMESPACE::policy {
namespace {

using Step = std::expected<void, Unread>;

enum class Block : std::uint8_t { group, subshell, condition, branch, otherwise };

struct Frame {
  Block block;
  bool input;           // its standard input is given
  bool filled = false;  // it has a command, as the grammar demands
};

// Reserved words that open what is not read here.
struct Construct {
  std::string_view word;
  std::string_view reason;
};
constexpr Construct kConstructs[] = {
    {"for", "a for loop uses a variable, whose value is not known before it runs"},
    {"while", "a while loop may never end"},
    {"until", "an until loop may never end"},
    {"select", "select waits for an answer"},
    {"case", "case chooses by patterns, which are not read here"},
    {"function", "a function can take the name of another command"},
    {"time", "time runs another command"},
    {"coproc", "coproc runs a command in the background"},
    {"[[", "[[ ... ]] can evaluate text as arithmetic, which can run commands"},
};

class Parser {
 public:
  Parser(std::string_view text, const ShellLimits& limits) : lexer_(text), limits_(limits) {}
  std::expected<Script, Unread> run();

 private:
  Step fail(std::string_view reason) const { return std::unexpected(Unread{std::string(reason), token_.offset}); }
  Step over(std::string_view limit, std::size_t value) const {
    return std::unexpected(
        Unread{"over the limit " + std::string(limit) + " (" + std::to_string(value) + ")", token_.offset});
  }
  Step advance();
  [[nodiscard]] bool is(TokenKind kind) const { return token_.kind == kind; }
  [[nodiscard]] bool is_word(std::string_view word) const {
    return is(TokenKind::word) && !token_.word.quoted && token_.word.text == word;
  }
  Step command();
  Step reserved(bool& handled);
  Step simple();
  Step redirect(std::vector<Redirect>& into, bool* input);
  Step count_word();
  Step open(Block block);
  Step turn(Block from, Block also, Block to);
  Step close(Block block);
  Step after();
  void complete();

  Lexer lexer_;
  const ShellLimits& limits_;
  Token token_;
  Script script_;
  std::vector<Frame> frames_;
  std::size_t words_ = 0;
  bool owed_ = false;    // an operator asks for a command behind it
  bool piped_ = false;   // the next command reads from a pipe
  bool closed_ = false;  // a compound command just ended
  bool top_filled_ = false;
};

Step Parser::advance() {
  auto next = lexer_.next();
  if (!next) return std::unexpected(std::move(next.error()));
  token_ = std::move(*next);
  return {};
}

// One more command stands in the innermost block.
void Parser::complete() {
  (frames_.empty() ? top_filled_ : frames_.back().filled) = true;
  owed_ = false;
  piped_ = false;
}

Step Parser::count_word() {
  if (++words_ > limits_.words) return over("words", limits_.words);
  return {};
}

Step Parser::open(Block block) {
  if (frames_.size() >= limits_.depth) return over("depth", limits_.depth);
  const bool input = piped_ || (!frames_.empty() && frames_.back().input);
  frames_.push_back({block, input});
  owed_ = false;
  piped_ = false;
  return advance();
}

Step Parser::turn(Block from, Block also, Block to) {
  if (frames_.empty() || (frames_.back().block != from && frames_.back().block != also) || !frames_.back().filled ||
      owed_)
    return fail("a word of if stands where the grammar has none");
  frames_.back().block = to;
  frames_.back().filled = false;
  return advance();
}

Step Parser::close(Block block) {
  if (frames_.empty() || frames_.back().block != block || !frames_.back().filled || owed_)
    return fail("a group is closed where none is open");
  frames_.pop_back();
  complete();
  closed_ = true;
  if (auto step = advance(); !step) return step;
  while (is(TokenKind::redirect))
    if (auto step = redirect(script_.redirects, nullptr); !step) return step;
  return {};
}

Step Parser::reserved(bool& handled) {
  handled = true;
  if (is_word("{")) return open(Block::group);
  if (is_word("}")) return close(Block::group);
  if (is_word("if")) return open(Block::condition);
  if (is_word("then")) return turn(Block::condition, Block::condition, Block::branch);
  if (is_word("elif")) return turn(Block::branch, Block::branch, Block::condition);
  if (is_word("else")) return turn(Block::branch, Block::branch, Block::otherwise);
  if (is_word("fi"))
    return close(!frames_.empty() && frames_.back().block == Block::otherwise ? Block::otherwise : Block::branch);
  if (is_word("!")) {
    owed_ = true;
    return advance();
  }
  for (const Construct& construct : kConstructs)
    if (is_word(construct.word)) return fail(construct.reason);
  if (is_word("do") || is_word("done") || is_word("esac") || is_word("in"))
    return fail("a word of a loop stands where the grammar has none");
  handled = false;
  return {};
}

Step Parser::redirect(std::vector<Redirect>& into, bool* input) {
  Redirect redirect = std::move(token_.redirect);
  const bool needs_target = token_.needs_target;
  if (auto step = advance(); !step) return step;
  if (needs_target) {
    if (!is(TokenKind::word) || token_.bare_word_after) return fail("a redirection has no target");
    if (auto step = count_word(); !step) return step;
    redirect.target = std::move(token_.word);
    if (auto step = advance(); !step) return step;
  }
  const bool reads = redirect.kind == Redirection::input || redirect.kind == Redirection::here_text;
  if (input != nullptr && reads && redirect.fd <= 0) *input = true;
  into.push_back(std::move(redirect));
  return {};
}

Step Parser::simple() {
  if (script_.commands.size() >= limits_.commands) return over("commands", limits_.commands);
  SimpleCommand command;
  command.depth = frames_.size();
  command.input = piped_ || (!frames_.empty() && frames_.back().input);
  while (is(TokenKind::word) || is(TokenKind::redirect)) {
    if (is(TokenKind::redirect)) {
      if (auto step = redirect(command.redirects, &command.input); !step) return step;
      continue;
    }
    if (token_.bare_word_after) return fail("a parenthesis after a word is a function, an array or a pattern");
    if (auto step = count_word(); !step) return step;
    command.words.push_back(std::move(token_.word));
    if (auto step = advance(); !step) return step;
  }
  script_.commands.push_back(std::move(command));
  complete();
  return {};
}

// Reads up to the end of one command, or of what opens or closes a block.
Step Parser::command() {
  closed_ = false;
  if (is(TokenKind::open)) {
    if (token_.bare_word_after) return fail("(( ... )) is arithmetic, which can run commands");
    return open(Block::subshell);
  }
  if (is(TokenKind::close)) return close(Block::subshell);
  if (is(TokenKind::redirect)) return simple();
  if (!is(TokenKind::word)) return fail("an operator stands where a command should");
  bool handled = false;
  if (auto step = reserved(handled); !step || handled) return step;
  return simple();
}

// What may stand behind a command.
Step Parser::after() {
  for (;;) {
    switch (token_.kind) {
      case TokenKind::end: return {};
      case TokenKind::newline:
      case TokenKind::semicolon: return advance();
      case TokenKind::background: return fail("a command in the background goes on unseen");
      case TokenKind::and_then:
      case TokenKind::or_else: owed_ = true; return advance();
      case TokenKind::pipe:
        owed_ = true;
        piped_ = true;
        return advance();
      case TokenKind::close:
        if (auto step = close(Block::subshell); !step) return step;
        break;
      default: return fail("two commands stand without a separator");
    }
  }
}

std::expected<Script, Unread> Parser::run() {
  if (auto step = advance(); !step) return std::unexpected(step.error());
  for (;;) {
    while (is(TokenKind::newline))
      if (auto step = advance(); !step) return std::unexpected(step.error());
    if (is(TokenKind::end)) break;
    const std::size_t before = script_.commands.size();
    if (auto step = command(); !step) return std::unexpected(step.error());
    if (closed_ || script_.commands.size() > before)
      if (auto step = after(); !step) return std::unexpected(step.error());
  }
  if (owed_ || !frames_.empty()) return std::unexpected(Unread{"it ends in the middle", token_.offset});
  if (!top_filled_) return std::unexpected(Unread{"there is no command in it", token_.offset});
  return std::move(script_);
}

}  // namespace

std::expected<Script, Unread> parse_shell(std::string_view text, const ShellLimits& limits) {
  return Parser(text, limits).run();
}

}  // namespace BELAY_NAMESPACE::policy
