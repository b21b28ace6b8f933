#include "policy/rule_against.h"

#include "policy/runners.h"
#include "policy/shell_parser.h"
#include "policy/words.h"

#include <algorithm>
#include <cctype>
#include <string>
#include <vector>

namespace BELAY_NAMESPACE::policy {
namespace {

constexpr int kDeepest = 8;  // texts for shells in texts for shells

std::string joined(std::span<const Word> words) {
  std::string out;
  for (std::size_t i = 0; i < words.size(); ++i) (out += i == 0 ? "" : " ") += words[i].text;
  return out;
}

// `rm` anywhere in 'ls; rm x' and in 'BEGIN{system("/bin/rm x")}': whatever cannot be in a name ends one.
bool has_inside(std::string_view text, std::string_view words) {
  const auto in_name = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-' || c == '.';
  };
  for (std::size_t at = text.find(words); at != std::string_view::npos; at = text.find(words, at + 1)) {
    const std::size_t end = at + words.size();
    if ((at == 0 || !in_name(text[at - 1])) && (end == text.size() || !in_name(text[end]))) return true;
  }
  return false;
}

bool reads(const Redirect& redirect) {
  return redirect.kind == Redirection::input || redirect.kind == Redirection::here_text ||
         redirect.kind == Redirection::in_out || redirect.kind == Redirection::copy_in;
}

bool is_one_word(std::string_view text) {
  return text.find_first_of(" \t\n;&|<>`$(){}[]*?!\\\"'") == std::string_view::npos;
}

class Against {
 public:
  Against(std::string_view pattern, bool any_words) : pattern_(pattern), any_words_(any_words) {}

  // `fed`: what runs the text has something on its standard input.
  Match text(std::string_view command, bool fed, int deep) {
    if (!any_words_ && glob(pattern_, command)) return Match::yes;
    if (deep > kDeepest) return Match::unknown;
    const auto script = parse_shell(command, {});
    if (!script) return Match::unknown;
    fed = fed || std::ranges::any_of(script->redirects, reads);
    Match worst = Match::no;
    for (const SimpleCommand& simple : script->commands) {
      const Match match = one(simple, fed || simple.input || std::ranges::any_of(simple.redirects, reads), deep);
      if (match == Match::yes) return match;
      if (match == Match::unknown) worst = match;
    }
    return worst;
  }

 private:
  Match one(const SimpleCommand& simple, bool fed, int deep) {
    const std::span<const Word> all = simple.words;
    const auto has = [&](bool (*is)(std::string_view)) {
      return std::ranges::any_of(all, [&](const Word& word) { return is(last_part(word.text)); });
    };
    std::size_t start = 0;
    while (start < all.size() && is_assignment(all[start].text)) ++start;
    const bool wraps = has(runs_words);
    if (any_words_ && has(runs_text) &&
        std::ranges::any_of(all, [&](const Word& word) { return has_inside(word.text, pattern_); }))
      return Match::yes;
    for (std::size_t i = 0; i < all.size(); ++i)
      if (named(all.subspan(i), i == 0 || i == start || wraps)) return Match::yes;
    if (has(runs_shell_text) && start < all.size() &&
        (!stands_alone(all[start]) || last_part(all[start].text) == "git"))
      if (const Match inner = texts(all, fed, deep); inner != Match::no) return inner;
    return doubtful(all, start, wraps) || (fed && fed_runs(all.subspan(start))) ? Match::unknown : Match::no;
  }

  // Whether the words are what the rule names, as they stand and without the program's folder.
  [[nodiscard]] bool named(std::span<const Word> words, bool may_begin) const {
    const std::string text = joined(words);
    const std::string_view first = words[0].text;
    const std::string_view short_text = std::string_view(text).substr(first.size() - last_part(first).size());
    for (std::string_view candidate : {std::string_view(text), short_text})
      if (any_words_ ? begins_with_words(candidate, pattern_) : may_begin && glob(pattern_, candidate)) return true;
    return false;
  }

  // Words that a shell reads again. Those of eval are one text.
  Match texts(std::span<const Word> words, bool fed, int deep) {
    Match worst = Match::no;
    const auto take = [&](std::string_view text_of) {
      if (worst != Match::yes)
        if (const Match match = text(text_of, fed, deep + 1); match != Match::no) worst = match;
    };
    for (std::size_t i = 1; i < words.size(); ++i) {
      if (!is_one_word(words[i].text)) take(words[i].text);
      if (fed && words[i - 1].text.starts_with('-') && is_one_word(words[i].text) && !words[i].text.empty() &&
          !words[i].text.starts_with('-'))
        take(words[i].text);
    }
    for (std::size_t i = 0; i + 2 < words.size(); ++i)
      if (words[i].text == "eval") take(joined(words.subspan(i + 1)));
    return worst;
  }

  // A pattern stands where the program's name is, or in the words that the rule is about.
  [[nodiscard]] bool doubtful(std::span<const Word> all, std::size_t start, bool wraps) const {
    const auto open = [](const Word& word) { return word.glob() || word.brace || word.status; };
    if (start < all.size() && open(all[start])) return true;
    for (std::size_t i = start; i < all.size(); ++i) {
      if (i > start && !wraps) break;
      if (open(all[i]) && (may_expand_to_runner(all[i]) || may_expand_to(all[i], first_word()))) return true;
      if (goes_on_open(all.subspan(i))) return true;
    }
    return false;
  }

  [[nodiscard]] std::string_view first_word() const { return pattern_.substr(0, pattern_.find(' ')); }

  // git pus?, where a file can have any name: the words of the rule up to one that may become the next.
  [[nodiscard]] bool goes_on_open(std::span<const Word> words) const {
    std::string_view rest = pattern_;
    for (std::size_t i = 0; i < words.size() && !rest.empty(); ++i) {
      const std::size_t end = std::min(rest.find(' '), rest.size());
      const std::string_view want = rest.substr(0, end);
      if (i > 0 && (words[i].glob() || words[i].brace)) return want.contains('*') || may_expand_to(words[i], want);
      if (want.contains('*')) {
        if (!glob(want, words[i].text)) return false;
      } else if ((i == 0 ? last_part(words[i].text) : std::string_view(words[i].text)) != want &&
                 words[i].text != want) {
        return false;
      }
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return false;
  }

  std::string_view pattern_;
  bool any_words_;
};

}  // namespace

Match against(std::string_view pattern, bool any_words, std::string_view command) {
  return Against(pattern, any_words).text(command, false, 0);
}

}  // namespace BELAY_NAMESPACE::policy
