// What the person types: answers to questions, messages, commands.
#include <belay/screen/console.h>

#include "screen/always.h"
#include "screen/short_text.h"

#include <algorithm>
#include <array>
#include <utility>

namespace BELAY_NAMESPACE::screen {
namespace {

using task::AskPerson;
using task::Reply;

constexpr std::int64_t kPause = 500;        // milliseconds without a key, after which a person has stopped typing
constexpr std::int64_t kInterrupts = 5000;  // between two Ctrl-C that belong together

struct Command {
  std::string_view name, what;
};
constexpr std::array<Command, 7> kCommands{Command{"/help", "what can be typed here"},
                                           Command{"/todos", "the list of todos"},
                                           Command{"/usage", "turns, tokens, cost and time"},
                                           Command{"/inspect", "the task's id, and where the log is"},
                                           Command{"/mcp", "the tool servers, and how they are"},
                                           Command{"/stop", "stops what is under way, as Ctrl-C"},
                                           Command{"/quit", "leaves; the task can be resumed"}};

bool is_command(std::string_view word) {
  return word == "/exit" || std::ranges::find(kCommands, word, &Command::name) != kCommands.end();
}

std::string trimmed(std::string_view text) {
  const std::size_t from = text.find_first_not_of(" \t\n");
  if (from == text.npos) return {};
  return std::string(text.substr(from, text.find_last_not_of(" \t\n") + 1 - from));
}

}  // namespace

void Console::keys(const std::vector<Key>& keys, std::int64_t now) {
  // Several at once were not typed at a question: they were there before, or are pasted.
  const bool alone = keys.size() == 1 && (keys[0].kind != Key::Kind::text || keys[0].text.size() == 1);
  // But for a yes and its Enter, which a slow line may bring together.
  const bool yes = keys.size() == 2 && keys[0].kind == Key::Kind::text &&
                   (keys[0].text == "y" || keys[0].text == "Y") && keys[1].kind == Key::Kind::enter && open() &&
                   editor_.empty();
  const bool one = yes && by_key(*open());  // this key answers; the Enter is not for what comes after
  for (const Key& k : keys) {
    key(k, alone || yes, now);
    if (one) break;
  }
  if (!keys.empty()) last_key_ = now;
}

void Console::key(const Key& key, bool alone, std::int64_t now) {
  using Kind = Key::Kind;
  if (leaving_) {
    // Something may not stop; nobody has to wait for it.
    if (key.kind == Kind::interrupt) wish({.kind = Wish::Kind::end_now});
    return;
  }
  if (key.kind == Kind::suspend) return wish({.kind = Wish::Kind::suspend});
  if (key.kind == Kind::redraw) return wish({.kind = Wish::Kind::redraw});
  if (key.kind == Kind::interrupt) return interrupt(now);
  interrupted_ = -1'000'000;
  hint_.clear();
  hint_until_ = 0;
  if (key.cut) hint_ = "Of the pasted text only the first " + grouped(KeyReader::kPaste) + " bytes were taken";
  if (Open* first = open()) return question_key(*first, key, alone, now);
  if (key.kind == Kind::end_of_input && editor_.empty()) {
    if (!view_.busy()) return leave();
    hint_ = "Ctrl-C stops what is under way";
    return;
  }
  if (key.kind == Kind::escape && alone && editor_.empty() && !editor_.searching() && view_.busy()) return stop(now);
  if (auto text = editor_.on(key)) entered(std::move(*text), now);
}

void Console::question_key(Open& first, const Key& key, bool alone, std::int64_t now) {
  if (!first.shown) return;
  if (typing_) {
    if (now - std::max(last_key_, first.armed) < kPause) {
      hint_ = "A question came while you were typing: pause, then answer";
      return;
    }
    typing_ = false;
  }
  if (by_key(first)) {
    if (key.kind == Key::Kind::paste || (key.kind == Key::Kind::text && !alone)) {
      hint_ = "One key answers; pasted text does not";
      return;
    }
    if (key.kind == Key::Kind::text) answer_letter(first, key.text[0], now);
    return;
  }
  if (first.words && key.kind == Key::Kind::escape && editor_.empty()) {
    first.words = false;
    return;
  }
  // Pasted text is words, never a yes; where the terminal does not say what is pasted, it comes at once.
  const std::string so_far = trimmed(editor_.text());
  if (key.kind == Key::Kind::enter && !alone && (so_far.empty() || so_far == "y" || so_far == "yes")) {
    hint_ = "Enter answers when it is typed by itself";
    return;
  }
  if (auto text = editor_.on(key)) answer_words(first, *text, now);
}

void Console::answer_letter(Open& first, char letter, std::int64_t now) {
  const bool approval = first.question.kind == AskPerson::Kind::approval;
  switch (letter) {
    case 'y':
    case 'Y': return reply(Reply::Kind::yes, {}, "yes");
    case 'n':
    case 'N':
      if (!approval) return reply(Reply::Kind::no, {}, "no");
      first.words = true;
      return editor_.clear();
    case 'a':
    case 'A':
      if (!approval || !first.rule) break;
      wish({.kind = Wish::Kind::allow, .rule = *first.rule});
      return reply(Reply::Kind::yes, {}, "always " + rule_text(*first.rule) + ", for this run");
    case 'i':
    case 'I':
      if (approval) return inspect(first);
      break;
    case 'q':
    case 'Q':
      view_.answered("stop");
      view_.end_question(now);
      interrupted_ = now;
      stopping_ = true;
      wish({.kind = Wish::Kind::stop});
      questions_.pop_front();
      present(now);
      return hint_for_a_while("Stopping; Ctrl-C quits", now);
    default: break;
  }
  hint_ = approval ? "y, n, a, i or q" : "y, n or q";
}

void Console::answer_words(Open& first, std::string_view text, std::int64_t now) {
  const std::string words = trimmed(text);
  // Only those that there are: a path may be an answer, and tool servers' forms have words of their own.
  if (is_command(words)) return command(words, now);
  switch (first.question.kind) {
    case AskPerson::Kind::approval: return reply(Reply::Kind::no, words, words.empty() ? "no" : "no: " + words);
    case AskPerson::Kind::question: {
      if (words.empty()) {
        hint_ = "An answer is needed; Ctrl-C stops the task";
        return;
      }
      std::size_t n = 0;
      for (const char c : words)
        n = c >= '0' && c <= '9' && n < 1000 ? n * 10 + static_cast<std::size_t>(c - '0') : 1000;
      if (n >= 1 && n <= first.question.choices.size()) {
        const std::string choice = first.question.choices[n - 1];
        return reply(Reply::Kind::words, choice, choice);
      }
      return reply(Reply::Kind::words, words, words);
    }
    case AskPerson::Kind::completion:
      if (words.empty() || words == "y" || words == "Y" || words == "yes")
        return reply(Reply::Kind::yes, {}, "accepted");
      return reply(Reply::Kind::words, words, words);
    case AskPerson::Kind::limit: return reply(Reply::Kind::no, words, words);
  }
}

void Console::reply(Reply::Kind kind, std::string text, std::string_view shown_words) {
  Open first = std::move(questions_.front());
  questions_.pop_front();
  view_.answered(shown_words);
  view_.end_question(last_key_);
  editor_.clear();
  Wish w{.kind = Wish::Kind::reply, .task = std::move(first.task), .question = std::move(first.question.id)};
  w.answer.kind = kind;
  w.answer.text = std::move(text);
  wish(std::move(w));
  present(last_key_);
}

void Console::inspect(Open& first) {
  if (std::exchange(first.inspected, true)) {
    hint_ = "All of it stands above";
    return;
  }
  view_.document("the call of " + first.question.tool + ", " + first.question.call + ", as JSON that would run:",
                 first.question.arguments);
  // What nothing was wrong with is kept once.
  if (const std::string raw = view_.raw_of(first.task, first.question.call); !raw.empty())
    view_.document("as the model wrote it (at most the first 4,096 bytes):", raw);
  const std::string command = member_of(first.question.arguments, "command");
  if (!command.empty()) view_.document("the command:", command);
  if (!first.preview.empty()) {
    view_.document("what it would change:", "");
    view_.diff(first.preview);
  }
  if (first.rule) view_.document("the rule that a would add, for this run:", rule_text(*first.rule));
  if (!first.question.receipt.empty()) view_.document("what was mended:", first.question.receipt);
  if (options_.log.empty()) return view_.document("no log is kept", "");
  view_.document("the log, in which this call is named " + first.question.call + ":", options_.log);
}

void Console::interrupt(std::int64_t now) {
  const bool again = now - interrupted_ < kInterrupts;
  interrupted_ = now;
  if (again) return leave();
  if (open() || view_.busy()) {
    wish({.kind = Wish::Kind::stop});
    if (open()) {
      view_.answered("stop");
      view_.end_question(now);
    }
    questions_.clear();
    stopping_ = true;
    present(now);
    return hint_for_a_while("Stopping; Ctrl-C again quits", now);
  }
  const bool typed = !editor_.empty();
  editor_.put_away();
  hint_for_a_while(typed ? "Up brings it back; Ctrl-C again quits" : "Ctrl-C again quits, as Ctrl-D does", now);
}

// By Esc, which never quits.
void Console::stop(std::int64_t now) {
  hint_for_a_while("Stopping", now);
  if (!std::exchange(stopping_, true)) wish({.kind = Wish::Kind::stop});
}

// As long as a second Ctrl-C belongs to the first.
void Console::hint_for_a_while(std::string text, std::int64_t now) {
  hint_ = std::move(text);
  hint_until_ = now + kInterrupts;
}

void Console::leave() {
  if (std::exchange(leaving_, true)) return;
  for (const Queued& q : std::exchange(queued_, {}))
    if (!q.sent) view_.remark("not sent: " + q.text);
  if (!view_.task().empty()) view_.remark("To go on with this task: belay run --resume " + view_.task());
  wish({.kind = Wish::Kind::leave});
}

void Console::entered(std::string text, std::int64_t now) {
  const std::string word = trimmed(text);
  if (word.empty()) return;
  if (word[0] == '/' && word.find_first_of("/ \n", 1) == word.npos) return command(word, now);
  const bool now_too_soon = view_.busy() && (!requesting_.empty() || stopping_);
  if (!now_too_soon) wish({.kind = Wish::Kind::say, .text = text});
  // The first message is the goal, which is shown when its task begins.
  if (view_.task().empty()) return;
  if (view_.busy())
    queued_.push_back({std::move(text), !now_too_soon, stopping_});
  else
    view_.said(text);
}

void Console::command(std::string_view text, std::int64_t now) {
  if (text == "/quit" || text == "/exit") return leave();
  if (text == "/stop") return interrupt(now);
  if (text == "/usage") return view_.remark(view_.usage(now));
  if (text == "/todos") return view_.remark(view_.todos().empty() ? "There are no todos" : view_.todos());
  if (text == "/mcp") {
    const std::string servers = options_.servers ? options_.servers() : "";
    return view_.remark(servers.empty() ? "There are no MCP servers; belay mcp add NAME -- COMMAND adds one" : servers);
  }
  if (text == "/inspect")
    return view_.remark("task " + (view_.task().empty() ? std::string("(none yet)") : view_.task()) + "; " +
                        (options_.log.empty() ? "no log is kept" : "log: " + options_.log));
  if (text != "/help") return view_.remark("There is no command " + std::string(text) + "; /help lists them", true);
  std::string help;
  for (const Command& c : kCommands) {
    help += std::string(c.name);
    help.append(12 - c.name.size(), ' ').append(c.what).append("\n");
  }
  help += "@ and Tab   names of files\nAlt-Enter   a new line; so does Ctrl-J, or a backslash before Enter\n";
  help += "Ctrl-R      searches what was typed before\nCtrl-C      stops the turn, as Esc does; twice: quits";
  view_.remark(help);
}

Completions Console::completions(std::string_view before) const {
  Completions out;
  if (before.starts_with('/') && before.find(' ') == before.npos) {
    for (const Command& c : kCommands)
      if (c.name.starts_with(before)) out.words.emplace_back(c.name);
    return out;
  }
  const std::size_t word = before.find_last_of(" \n\t") + 1;
  if (!options_.files || word >= before.size() || before[word] != '@') return out;
  out.from = word + 1;
  out.words = options_.files(before.substr(word + 1));
  return out;
}

// Where there are no keys, a line is one: its first letter, or all of it.
void Console::line(std::string_view text, std::int64_t now) {
  last_key_ = now;
  Open* first = open();
  if (!first) return entered(std::string(text), now);
  if (!first->shown) return;
  if (!by_key(*first)) return answer_words(*first, text, now);
  const std::string word = trimmed(text);
  if (is_command(word)) return command(word, now);
  if (word.size() == 1 || word == "yes" || word == "no" || word == "always" || word == "inspect")
    return answer_letter(*first, word[0], now);
  view_.remark("y, n, a, i or q, and Enter");
}

void Console::end_of_input(std::int64_t) { leave(); }

}  // namespace BELAY_NAMESPACE::screen
