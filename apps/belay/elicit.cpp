// Forms and addresses that a server wants the person to see.
#include "server_questions.h"

#include <belay/json/writer.h>

#include "terminal.h"

#include <algorithm>
#include <map>
#include <utility>

namespace belay::cli {
namespace {

// Rows, so that our own words and what is to be decided are seen beside them: a question has 100 at most.
constexpr std::size_t kMessage = 24;
constexpr std::size_t kField = 12;
constexpr std::size_t kUrlRows = 40;
constexpr std::size_t kSuggested = 40;  // columns
constexpr std::size_t kUrl = 2048;

constexpr std::string_view kDecline = "/decline", kCancel = "/cancel", kSkip = "/skip", kDefault = "/default";

// Columns of a title. It never fills more than its row: what goes on in the next could pass for words of ours.
std::size_t room() { return Desk::columns() - 8; }

std::string title_of(const mcp::FormField& field) {
  return "\"" + clipped(mcp::shown(field.title.empty() ? field.name : field.title), room()) + "\"";
}

std::string standard_of(const mcp::FormField& field) {
  return "\"" + clipped(mcp::shown(mcp::shown_value(field, field.standard)), kSuggested) + "\"";
}

// What can be chosen, as it is shown. No two are the same.
std::vector<std::string> choices_of(const mcp::FormField& field) {
  if (field.kind == mcp::FormField::Kind::boolean) return {"yes", "no"};
  std::vector<std::string> out;
  for (const mcp::FormOption& option : field.options) {
    std::string title = clipped(mcp::shown(option.title), room());
    if (std::ranges::find(out, title) != out.end()) title += " (" + clipped(mcp::shown(option.value), room()) + ")";
    for (std::size_t n = 2; std::ranges::find(out, title) != out.end(); ++n) title += " " + std::to_string(n);
    out.push_back(std::move(title));
  }
  return out;
}

std::string field_text(const std::string& server, const mcp::FormField& field, std::size_t n, std::size_t all,
                       const std::string& wrong) {
  std::string out = "MCP server " + server + " asks, " + std::to_string(n) + " of " + std::to_string(all) + " (" +
                    std::string(mcp::name(field.kind)) + (field.required ? "" : ", may be left out") + "):\n" +
                    title_of(field);
  if (!field.description.empty()) out += "\n" + their_words(field.description, kField);
  if (field.kind == mcp::FormField::Kind::several) out += "\nSeveral with commas between: 1,3";
  if (!field.standard.empty()) out += "\n" + std::string(kDefault) + " takes: " + standard_of(field);
  if (!field.required) out += "\n" + std::string(kSkip) + " leaves it out";
  out += "\n" + std::string(kDecline) + " answers nothing of it, " + std::string(kCancel) + " closes it";
  // Ours, but it may quote the form: it has one row, and no more.
  if (!wrong.empty()) out += "\nThat was not taken:\n  " + clipped(mcp::shown(wrong), room());
  return out;
}

struct Filled {
  mcp::Choice choice = mcp::Choice::cancel;
  std::map<std::string, std::string> values{};
};

// What was typed as a value; one of the choices that were shown is that one, whatever its words could mean besides.
std::expected<std::string, std::string> value_of(const mcp::FormField& field, const std::vector<std::string>& choices,
                                                 std::string_view words, const schema::Regexes* regexes) {
  using Kind = mcp::FormField::Kind;
  if (field.kind == Kind::one || field.kind == Kind::several) {
    const auto chosen = std::ranges::find(choices, words);
    if (chosen != choices.end()) {
      std::string value;
      json::write_string(field.options[static_cast<std::size_t>(chosen - choices.begin())].value, value);
      return mcp::checked_value(field, field.kind == Kind::one ? value : "[" + value + "]", regexes);
    }
  }
  const std::string_view rest = words.substr(std::min<std::size_t>(words.size(), 1));
  if (words.starts_with("//") && (rest == kDecline || rest == kCancel || rest == kSkip || rest == kDefault))
    words = rest;
  return mcp::field_value(field, words, regexes);
}

// One field, until there is an answer to it: a value, none, or what becomes of the form.
mcp::Choice ask_field(Desk& desk, const std::string& server, const std::vector<mcp::FormField>& fields, std::size_t i,
                      const schema::Regexes* regexes, const std::stop_token& withdrawn,
                      std::map<std::string, std::string>& values) {
  const mcp::FormField& field = fields[i];
  const std::vector<std::string> choices = choices_of(field);
  for (std::string wrong;;) {
    const auto words = desk.ask(field_text(server, field, i + 1, fields.size(), wrong), choices, withdrawn);
    if (!words || *words == kCancel) return mcp::Choice::cancel;
    if (*words == kDecline) return mcp::Choice::decline;
    if (*words == kSkip && !field.required) {
      values.erase(field.name);
      return mcp::Choice::accept;
    }
    if (*words == kSkip) {
      wrong = "it is needed, and cannot be left out";
      continue;
    }
    if (*words == kDefault && field.standard.empty()) {
      wrong = "the server suggests nothing here";
      continue;
    }
    auto value = *words == kDefault ? std::expected<std::string, std::string>(field.standard)
                                    : value_of(field, choices, *words, regexes);
    if (value) {
      values[field.name] = std::move(*value);
      return mcp::Choice::accept;
    }
    wrong = std::move(value.error());
  }
}

constexpr std::string_view kSend = "Send", kChange = "Change an answer", kClose = "Cancel";

// All answers, one row each, before they go to the server.
std::string answers_text(const std::string& server, const std::vector<mcp::FormField>& fields,
                         const std::map<std::string, std::string>& values) {
  std::string out = "This goes to MCP server " + server + ":";
  for (const mcp::FormField& field : fields) {
    const auto value = values.find(field.name);
    const std::string name = mcp::shown(field.title.empty() ? field.name : field.title);
    out += "\n- \"" + clipped(name, room() / 2) + "\": ";
    out += value == values.end() ? "(left out)"
                                 : clipped(mcp::shown(mcp::shown_value(field, value->second)), room() / 2 - 4);
  }
  return out;
}

Filled fill(Desk& desk, const std::string& server, const std::vector<mcp::FormField>& fields,
            const schema::Regexes* regexes, const std::stop_token& withdrawn) {
  Filled out;
  const auto one = [&](std::size_t i) { return ask_field(desk, server, fields, i, regexes, withdrawn, out.values); };
  for (std::size_t i = 0; i < fields.size(); ++i)
    if (const mcp::Choice choice = one(i); choice != mcp::Choice::accept) return {choice};
  std::vector<std::string> titles;
  titles.reserve(fields.size());
  for (const mcp::FormField& field : fields)
    titles.push_back(std::to_string(titles.size() + 1) + " " + title_of(field));
  while (fields.size() > 1) {
    const auto words = choose(desk, answers_text(server, fields, out.values),
                              {std::string(kSend), std::string(kChange), std::string(kClose)}, withdrawn);
    if (words == kSend) break;
    if (words != kChange) return {mcp::Choice::cancel};
    const auto which = choose(desk, "Which answer is to be another?", titles, withdrawn);
    if (!which) return {mcp::Choice::cancel};
    const auto i = static_cast<std::size_t>(std::ranges::find(titles, *which) - titles.begin());
    if (const mcp::Choice choice = one(i); choice != mcp::Choice::accept) return {choice};
  }
  out.choice = mcp::Choice::accept;
  return out;
}

constexpr std::string_view kDeclined = "Decline", kCancelled = "Cancel";

mcp::Choice choice_of(const std::optional<std::string>& words, std::string_view yes) {
  if (words && *words == yes) return mcp::Choice::accept;
  if (words && *words == kDeclined) return mcp::Choice::decline;
  return mcp::Choice::cancel;
}

// What the server suggests, if that is enough for it and fits its own form.
std::optional<std::map<std::string, std::string>> standards(const std::vector<mcp::FormField>& fields,
                                                            const schema::Regexes* regexes) {
  std::map<std::string, std::string> out;
  for (const mcp::FormField& field : fields) {
    if (field.standard.empty() && field.required) return std::nullopt;
    if (field.standard.empty()) continue;
    auto value = mcp::checked_value(field, field.standard, regexes);
    if (!value) return std::nullopt;
    out[field.name] = std::move(*value);
  }
  if (out.empty()) return std::nullopt;
  return out;
}

std::expected<std::string, std::string> form(Desk& desk, const mcp::Question& question, const mcp::Elicitation& wanted,
                                             const schema::Regexes* regexes) {
  const json::Reading schema = json::read(wanted.schema);
  if (schema.document.empty()) return std::unexpected("its form cannot be read");
  const auto fields = mcp::form_of(schema.document.root());
  if (!fields) return std::unexpected(fields.error());
  const std::string server = their_name(question.server);
  std::string text =
      "MCP server " + server +
      " asks you something. What you answer goes to that server; do not type passwords or keys. It says:\n" +
      their_words(wanted.message, kMessage);
  if (!fields->empty()) text += "\nIt wants to know:";
  const auto suggested = standards(*fields, regexes);
  for (const mcp::FormField& field : *fields) {
    text += "\n- " + title_of(field) + (field.required ? "" : " (may be left out)");
    if (suggested && suggested->contains(field.name)) text += ", suggested: " + standard_of(field);
  }
  const std::string yes = fields->empty() ? "Accept" : "Answer", all = "Take what it suggests";
  std::vector<std::string> choices = {yes};
  if (suggested) choices.push_back(all);
  choices.insert(choices.end(), {std::string(kDeclined), std::string(kCancelled)});
  const auto words = choose(desk, text, choices, question.withdrawn);
  if (suggested && words == all) return mcp::elicitation_result(mcp::Choice::accept, mcp::form_content(*suggested));
  const mcp::Choice choice = choice_of(words, yes);
  if (choice != mcp::Choice::accept) return mcp::elicitation_result(choice);
  const Filled filled = fill(desk, server, *fields, regexes, question.withdrawn);
  return mcp::elicitation_result(filled.choice, mcp::form_content(filled.values));
}

// The host of an address that can be shown as it is; nothing for any other.
std::optional<std::string> host_of(std::string_view url) {
  if (url.size() > kUrl || !std::ranges::all_of(url, [](char c) { return c > 0x20 && c < 0x7f; })) return std::nullopt;
  for (const std::string_view scheme : {"https://", "http://"}) {
    if (!url.starts_with(scheme)) continue;
    const std::string_view rest = url.substr(scheme.size());
    const std::string_view host = rest.substr(0, rest.find_first_of("/?#\\"));
    if (host.empty() || host.find('@') != host.npos) return std::nullopt;
    return std::string(host);
  }
  return std::nullopt;
}

std::expected<std::string, std::string> address(Desk& desk, const mcp::Question& question,
                                                const mcp::Elicitation& wanted) {
  const auto host = host_of(wanted.url);
  if (!host)
    return std::unexpected(
        "the address is not shown to the person: it must be http or https, of plain characters, "
        "without a user's name, and of at most " +
        std::to_string(kUrl) + " bytes");
  if (wanted.url.size() > kUrlRows * Desk::columns())
    return std::unexpected("the address is not shown to the person: their terminal is too narrow for it");
  const std::string text = "MCP server " + their_name(question.server) + " wants you to go to a page. Its host is " +
                           *host + (wanted.url.starts_with("http://") ? " (not encrypted)" : "") + ", its address\n" +
                           wanted.url + "\nBelay does not open it; what you type there goes to that host. " +
                           "The server says:\n" + their_words(wanted.message, kMessage);
  const std::string yes = question.first ? "I have been there: go on with the call" : "Agree, and open it yourself";
  const std::vector<std::string> choices = {yes, std::string(kDeclined), std::string(kCancelled)};
  return mcp::elicitation_result(choice_of(choose(desk, text, choices, question.withdrawn), yes));
}

}  // namespace

std::expected<std::string, std::string> elicit(Desk& desk, const mcp::Question& question,
                                               const schema::Regexes* regexes) {
  const auto wanted = mcp::elicitation_of(*question.params);
  if (!wanted) return std::unexpected("there is neither a form nor an address in it");
  return wanted->url_mode ? address(desk, question, *wanted) : form(desk, question, *wanted, regexes);
}

}  // namespace belay::cli
