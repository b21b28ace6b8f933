// The section of a system prompt: the rules, and the tools.
#include "text/dialect_state.h"

#include <algorithm>

namespace BELAY_NAMESPACE::text {
namespace {

constexpr std::string_view kXmlIntroduction =
    "To use a tool, write its call into your message, in this form:\n\n"
    "<tool_name>\n<parameter_name>value</parameter_name>\n</tool_name>\n\n"
    "Rules:\n"
    "- The outer tag is the name of the tool, the tags inside are the names of its parameters, exactly as listed.\n"
    "- Values are raw text: no quotes around them, nothing escaped. Numbers, booleans, lists and objects are JSON.\n"
    "- A text in which the closing tag of its own parameter occurs goes into <![CDATA[ ]]>.\n";

std::string_view value_rules(const Written& how) {
  switch (how.grammar) {
    case Grammar::tags:
      if (how.body) break;
      return how.typed == Typed::no
                 ? "- Texts are raw: no quotes around them, nothing escaped. Numbers, booleans, lists and objects are "
                   "JSON.\n"
                 : "- Texts are raw: no quotes around them, nothing escaped. Everything else is JSON, and the tag says "
                   "so.\n";
    case Grammar::python:
    case Grammar::bare_python: return "- Arguments are keyword arguments with literals of Python.\n";
    case Grammar::script: return "- Texts stand between the quotes of the form, with nothing escaped.\n";
    default: break;
  }
  return "- The arguments of a call are one JSON object that fits the tool's parameters. For several items use a list "
         "in that object, or several calls, never several objects in one call.\n";
}

std::string common_rules(const Written& how, const Rules& rules) {
  std::string out = "- Give every required parameter; leave out optional ones that you do not need.\n";
  if (how.one || !rules.parallel)
    out += "- Use one tool a message, and write nothing behind the call.\n";
  else
    out += "- Several calls may stand in one message if none of them needs the result of another.\n";
  out += "- Then wait: the result comes with the next message. Never guess a result, and never write one yourself.\n";
  if (rules.choice.kind == chat::ToolChoice::Kind::required)
    out += "- Your next message must use a tool.\n";
  else if (rules.choice.kind == chat::ToolChoice::Kind::named)
    out += "- Your next message must use the tool " + rules.choice.name + ".\n";
  return out;
}

}  // namespace

std::string Dialect::define(const Rules& rules) const {
  const DialectState& s = *state_;
  if (s.tools.empty()) return {};
  auto usage = [&](const Call& call) { return s.write({&call, 1}, true).value_or(std::string()); };
  const std::string shown = show_tools(s.how, s.tools, usage);
  std::string out = "# Tools\n\n";
  if (s.row.tags && s.row.tags->name == Where::tag) {
    out += kXmlIntroduction;
    return out + common_rules(s.how, rules) + "\n" + shown;
  }
  // An example with parameters says more.
  auto with = std::find_if(s.tools.begin(), s.tools.end(),
                           [](const Defined& tool) { return example_of(tool).arguments != "{}"; });
  const Defined& tool = with == s.tools.end() ? s.tools.front() : *with;
  out +=
      "You can use these tools:\n\n" + shown + "\n\nTo use one, write a call of it into your message, in the form of ";
  out += "this example:\n\n" + usage(example_of(tool)) + "\n\nRules:\n";
  out += value_rules(s.how);
  return out + common_rules(s.how, rules);
}

}  // namespace BELAY_NAMESPACE::text
