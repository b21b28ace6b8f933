#include "text_writers.h"

namespace belay::check {
namespace {

using Calls = std::vector<WrittenCall>;
using Text = std::string;
using View = std::string_view;

Text operator+(Text a, View b) { return a.append(b); }

template <class One>
Text joined(const Calls& calls, View between, One one) {
  Text out;
  for (std::size_t i = 0; i < calls.size(); ++i) {
    if (i > 0) out += between;
    out += one(calls[i], i);
  }
  return out;
}

Text object(const WrittenCall& call, View name = "name", View arguments = "arguments") {
  return Text("{\"") + name + "\": " + json_string(call.name) + ", \"" + arguments + "\": " + to_text(call.arguments) +
         "}";
}

// JSON between markers, one object a pair of them.
template <class One>
Text each(const Calls& calls, View open, View close, View between, One one) {
  return joined(calls, between, [&](const WrittenCall& c, std::size_t i) { return Text(open) + one(c, i) + close; });
}
Text each_object(const Calls& calls, View open, View close, View between, View arguments = "arguments",
                 View name = "name") {
  return each(calls, open, close, between,
              [&](const WrittenCall& c, std::size_t) { return object(c, name, arguments); });
}
// A list of objects.
Text list(const Calls& calls, View open, View close, View arguments = "arguments", View name = "name") {
  return Text(open) + "[" +
         joined(calls, ", ", [&](const WrittenCall& c, std::size_t) { return object(c, name, arguments); }) + "]" +
         close;
}

Text raw(const Tree& value) { return value.kind == Tree::Kind::string ? value.text : to_text(value); }

template <class Parameter>
Text members(const WrittenCall& call, Parameter parameter) {
  Text out;
  for (std::size_t i = 0; i < call.arguments.keys.size(); ++i)
    out += parameter(call.arguments.keys[i], call.arguments.items[i]);
  return out;
}

Text function_tags(const WrittenCall& call, View pad) {
  return Text("<function=") + call.name + ">\n" +
         members(call,
                 [&](const Text& key, const Tree& value) {
                   return "<parameter=" + key + ">" + pad + raw(value) + pad + "</parameter>\n";
                 }) +
         "</function>";
}
Text pair_tags(const WrittenCall& call, View line) {
  return members(call, [&](const Text& key, const Tree& value) {
    return "<arg_key>" + key + "</arg_key>" + line + "<arg_value>" + raw(value) + "</arg_value>" + line;
  });
}
Text invoke_tags(const WrittenCall& call, View prefix, View line, View parameter = "parameter") {
  return Text("<") + prefix + "invoke name=\"" + call.name + "\">" + line +
         members(call,
                 [&](const Text& key, const Tree& value) {
                   return Text("<") + prefix + parameter + " name=\"" + key + "\">" + raw(value) + "</" + prefix +
                          parameter + ">" + line;
                 }) +
         "</" + prefix + "invoke>";
}
Text dsml(const Calls& calls, View outer) {
  return Text("<｜DSML｜") + outer + ">\n" +
         joined(calls, "\n",
                [](const WrittenCall& call, std::size_t) {
                  return "<｜DSML｜invoke name=\"" + call.name + "\">\n" +
                         members(call,
                                 [](const Text& key, const Tree& value) {
                                   const bool text = value.kind == Tree::Kind::string;
                                   return "<｜DSML｜parameter name=\"" + key + "\" string=\"" +
                                          (text ? "true" : "false") + "\">" + raw(value) + "</｜DSML｜parameter>\n";
                                 }) +
                         "</｜DSML｜invoke>";
                }) +
         "\n</｜DSML｜" + outer + ">";
}

constexpr View kMiniMax = "]<]minimax[>[";

Text minimax_tree(const Text& key, const Tree& value) {
  Text inside;
  if (value.items.empty()) inside = raw(value);
  for (std::size_t i = 0; i < value.items.size(); ++i)
    inside += minimax_tree(value.kind == Tree::Kind::object ? value.keys[i] : "item", value.items[i]);
  return Text(kMiniMax) + "<" + key + ">" + inside + kMiniMax + "</" + key + ">";
}

Text kimi_type(const Tree& value) {
  switch (value.kind) {
    case Tree::Kind::string: return "string";
    case Tree::Kind::number: return "number";
    case Tree::Kind::array: return "array";
    case Tree::Kind::object: return "object";
    case Tree::Kind::null: return "null";
    default: return "boolean";
  }
}

Text python(const Tree& value) {
  Text out;
  switch (value.kind) {
    case Tree::Kind::null: return "None";
    case Tree::Kind::yes: return "True";
    case Tree::Kind::no: return "False";
    case Tree::Kind::number: return value.text;
    case Tree::Kind::string:
      for (char c : value.text) {
        if (c == '\\' || c == '\'') out += '\\';
        c == '\n' ? out += "\\n" : out += c;
      }
      return "'" + out + "'";
    case Tree::Kind::array:
      for (const Tree& item : value.items) out += (out.empty() ? "" : ", ") + python(item);
      return "[" + out + "]";
    case Tree::Kind::object:
      for (std::size_t i = 0; i < value.items.size(); ++i)
        out += (i == 0 ? "" : ", ") + python(Tree::string(value.keys[i])) + ": " + python(value.items[i]);
      return "{" + out + "}";
  }
  return out;
}
Text python_calls(const Calls& calls, View open, View close, View between = ", ") {
  return Text(open) +
         joined(calls, between,
                [](const WrittenCall& call, std::size_t) {
                  Text inside;
                  for (std::size_t i = 0; i < call.arguments.keys.size(); ++i)
                    inside += (i == 0 ? "" : ", ") + call.arguments.keys[i] + "=" + python(call.arguments.items[i]);
                  return call.name + "(" + inside + ")";
                }) +
         close;
}

Text script(const Tree& value, View quote) {
  Text out;
  switch (value.kind) {
    case Tree::Kind::string: return Text(quote) + value.text + quote;
    case Tree::Kind::array:
      for (std::size_t i = 0; i < value.items.size(); ++i) out += (i == 0 ? "" : ",") + script(value.items[i], quote);
      return "[" + out + "]";
    case Tree::Kind::object:
      for (std::size_t i = 0; i < value.items.size(); ++i)
        out += (i == 0 ? "" : ",") + value.keys[i] + ":" + script(value.items[i], quote);
      return "{" + out + "}";
    default: return to_text(value);
  }
}

Text hermes(const Calls& c) { return each_object(c, "<tool_call>\n", "\n</tool_call>", "\n"); }
Text qwen3_coder(const Calls& c) {
  return each(c, "<tool_call>\n", "\n</tool_call>", "\n",
              [](const WrittenCall& one, std::size_t) { return function_tags(one, "\n"); });
}
Text tool_calls_list(const Calls& c) { return list(c, "<tool_calls>", "</tool_calls>"); }
Text functools(const Calls& c) { return list(c, " functools", ""); }
Text plain_list(const Calls& c) { return list(c, "", ""); }
Text bare_python(const Calls& c) { return python_calls(c, "[", "]"); }

std::vector<TextWriter> all_writers() {
  return {
      {"hermes", {}, hermes},
      {"qwen3", {}, hermes},
      {"ernie45", {}, hermes},
      {"qwen3_coder", StringsHold::no_tags, qwen3_coder},
      {"mimo", StringsHold::no_tags, qwen3_coder},
      {"seed_oss", StringsHold::no_tags,
       [](const Calls& c) {
         return each(c, "<seed:tool_call>\n", "\n</seed:tool_call>", "\n",
                     [](const WrittenCall& one, std::size_t) { return function_tags(one, ""); });
       }},
      {"glm45", StringsHold::no_tags,
       [](const Calls& c) {
         return each(c, "<tool_call>", "</tool_call>", "\n",
                     [](const WrittenCall& one, std::size_t) { return one.name + "\n" + pair_tags(one, "\n"); });
       }},
      {"glm47", StringsHold::no_tags,
       [](const Calls& c) {
         return each(c, "<tool_call>", "</tool_call>", "",
                     [](const WrittenCall& one, std::size_t) { return one.name + pair_tags(one, ""); });
       }},
      {"hy_v3", StringsHold::no_tags,
       [](const Calls& c) {
         return "<tool_calls>" +
                each(c, "<tool_call>", "</tool_call>", "",
                     [](const WrittenCall& one, std::size_t) { return one.name + "<tool_sep>" + pair_tags(one, ""); }) +
                "</tool_calls>";
       }},
      {"hunyuan_a13b", {}, tool_calls_list},
      {"jamba", {}, tool_calls_list},
      {"apriel", {}, tool_calls_list},
      {"minimax_m2", StringsHold::no_tags,
       [](const Calls& c) {
         return "<minimax:tool_call>\n" +
                joined(c, "\n", [](const WrittenCall& one, std::size_t) { return invoke_tags(one, "", "\n"); }) +
                "\n</minimax:tool_call>";
       }},
      {"minimax_m3", StringsHold::no_tags,
       [](const Calls& c) {
         return Text(kMiniMax) + "<tool_call>\n" +
                joined(c, "\n",
                       [](const WrittenCall& one, std::size_t) {
                         return Text(kMiniMax) + "<invoke name=\"" + one.name + "\">" + members(one, minimax_tree) +
                                kMiniMax + "</invoke>";
                       }) +
                "\n" + kMiniMax + "</tool_call>";
       }},
      {"deepseek_v3",
       {},
       [](const Calls& c) {
         return "<｜tool▁calls▁begin｜>" +
                each(c, "<｜tool▁call▁begin｜>function<｜tool▁sep｜>", "\n```<｜tool▁call▁end｜>", "\n",
                     [](const WrittenCall& one, std::size_t) {
                       return one.name + "\n```json\n" + to_text(one.arguments);
                     }) +
                "<｜tool▁calls▁end｜>";
       }},
      {"deepseek_v31",
       {},
       [](const Calls& c) {
         return "<｜tool▁calls▁begin｜>" +
                each(c, "<｜tool▁call▁begin｜>", "<｜tool▁call▁end｜>", "",
                     [](const WrittenCall& one, std::size_t) {
                       return one.name + "<｜tool▁sep｜>" + to_text(one.arguments);
                     }) +
                "<｜tool▁calls▁end｜>";
       }},
      {"deepseek_v32_dsml", StringsHold::no_tags, [](const Calls& c) { return dsml(c, "function_calls"); }},
      {"deepseek_v4_dsml", StringsHold::no_tags, [](const Calls& c) { return dsml(c, "tool_calls"); }},
      {"kimi_k2",
       {},
       [](const Calls& c) {
         return "<|tool_calls_section_begin|>" +
                each(c, "<|tool_call_begin|>functions.", "<|tool_call_end|>", "",
                     [](const WrittenCall& one, std::size_t i) {
                       return one.name + ":" + std::to_string(i) + "<|tool_call_argument_begin|>" +
                              to_text(one.arguments);
                     }) +
                "<|tool_calls_section_end|>";
       }},
      {"kimi_k3", StringsHold::no_tags,
       [](const Calls& c) {
         return "<|open|>tools<|sep|>" +
                joined(c, "",
                       [](const WrittenCall& one, std::size_t i) {
                         return "<|open|>call tool=\"" + one.name + "\" index=\"" + std::to_string(i + 1) +
                                "\"<|sep|>" +
                                members(one,
                                        [](const Text& key, const Tree& value) {
                                          return "<|open|>argument key=\"" + key + "\" type=\"" + kimi_type(value) +
                                                 "\"<|sep|>" + raw(value) + "<|close|>argument<|sep|>";
                                        }) +
                                "<|close|>call<|sep|>";
                       }) +
                "<|close|>tools<|sep|>";
       }},
      {"mistral_old", {}, [](const Calls& c) { return list(c, "[TOOL_CALLS]", ""); }},
      {"mistral_new",
       {},
       [](const Calls& c) {
         return each(c, "[TOOL_CALLS]", "", "",
                     [](const WrittenCall& one, std::size_t) { return one.name + "[ARGS]" + to_text(one.arguments); });
       }},
      {"mistral_new",
       {},
       [](const Calls& c) {
         return each(c, "[TOOL_CALLS]", "", "", [](const WrittenCall& one, std::size_t i) {
           return one.name + "[CALL_ID]12345678" + std::to_string(i) + "[ARGS]" + to_text(one.arguments);
         });
       }},
      {"llama3_json", {}, [](const Calls& c) { return each_object(c, "", "", "; ", "parameters"); }},
      {"llama3_python_tag",
       {},
       [](const Calls& c) { return "<|python_tag|>" + each_object(c, "", "", "; ", "parameters"); }},
      {"pythonic", {}, bare_python},
      {"llama4_pythonic", {}, bare_python},
      {"llama4_pythonic", {}, [](const Calls& c) { return python_calls(c, "<|python_start|>[", "]<|python_end|>"); }},
      {"olmo3", {}, [](const Calls& c) { return python_calls(c, "<function_calls>", "</function_calls>", "\n"); }},
      {"lfm2", {}, [](const Calls& c) { return python_calls(c, "<|tool_call_start|>[", "]<|tool_call_end|>"); }},
      {"lfm2", {}, [](const Calls& c) { return list(c, "<|tool_call_start|>", "<|tool_call_end|>"); }},
      {"granite3", {}, [](const Calls& c) { return list(c, "<|tool_call|> ", ""); }},
      {"granite3", {}, [](const Calls& c) { return list(c, "<tool_call>", ""); }},
      {"granite_20b_fc", {}, [](const Calls& c) { return each_object(c, "<function_call> ", "", "\n"); }},
      {"functionary_v31",
       {},
       [](const Calls& c) {
         return each(c, "<function=", "</function>", "\n",
                     [](const WrittenCall& one, std::size_t) { return one.name + ">" + to_text(one.arguments); });
       }},
      {"functionary_v32",
       {},
       [](const Calls& c) {
         return each(c, ">>>", "", "\n",
                     [](const WrittenCall& one, std::size_t) { return one.name + "\n" + to_text(one.arguments); });
       },
       ">>>all\n"},
      {"firefunction_v2", {}, functools},
      {"phi4_mini", {}, functools},
      {"command_r7b",
       {},
       [](const Calls& c) { return list(c, "<|START_ACTION|>", "<|END_ACTION|>", "parameters", "tool_name"); }},
      {"command_r_plus",
       {},
       [](const Calls& c) { return list(c, "Action:\n```json\n", "\n```", "parameters", "tool_name"); }},
      {"harmony",
       {},
       [](const Calls& c) {
         return joined(c, "<|start|>assistant", [](const WrittenCall& one, std::size_t) {
           return "<|channel|>commentary to=functions." + one.name + " <|constrain|>json<|message|>" +
                  to_text(one.arguments) + "<|call|>";
         });
       }},
      {"gemma4", StringsHold::no_quote_marker,
       [](const Calls& c) {
         return each(c, "<|tool_call>call:", "<tool_call|>", "",
                     [](const WrittenCall& one, std::size_t) { return one.name + script(one.arguments, "<|\"|>"); });
       }},
      {"functiongemma", StringsHold::no_quote_marker,
       [](const Calls& c) {
         return each(c, "<start_function_call>call:", "<end_function_call>", "",
                     [](const WrittenCall& one, std::size_t) { return one.name + script(one.arguments, "<escape>"); });
       }},
      {"internlm",
       {},
       [](const Calls& c) {
         return each_object(c, "<|action_start|><|plugin|>", "<|action_end|>", "\n", "parameters");
       }},
      {"internlm",
       {},
       [](const Calls& c) {
         return each_object(c, "<|action_start|> <|plugin|>\n", "<|action_end|>", "\n", "parameters");
       }},
      {"xlam", {}, plain_list},
      {"nemotron_nano_v2", {}, [](const Calls& c) { return list(c, "<TOOLCALL>", "</TOOLCALL>"); }},
      {"apertus",
       {},
       [](const Calls& c) {
         return "<|tools_prefix|>[" +
                joined(c, ", ",
                       [](const WrittenCall& one, std::size_t) {
                         return "{" + json_string(one.name) + ": " + to_text(one.arguments) + "}";
                       }) +
                "]<|tools_suffix|>";
       }},
      {"gigachat3", {}, [](const Calls& c) { return each_object(c, "<|function_call|>", "", ""); }},
      {"gigachat3",
       {},
       [](const Calls& c) { return each_object(c, "<|message_sep|>\n\nfunction call<|role_sep|>\n", "", ""); }},
      {"step3", StringsHold::no_tags,
       [](const Calls& c) {
         return "<｜tool_calls_begin｜>" +
                each(c, "<｜tool_call_begin｜>", "<｜tool_call_end｜>", "",
                     [](const WrittenCall& one, std::size_t) {
                       return "<steptml:invoke name=\"" + one.name + "\">" +
                              members(one,
                                      [](const Text& key, const Tree& value) {
                                        return "<steptml:parameter name=\"" + key + "\">" + raw(value) +
                                               "</steptml:parameter>";
                                      }) +
                              "</steptml:invoke>";
                     }) +
                "<｜tool_calls_end｜>";
       }},
      {"longcat",
       {},
       [](const Calls& c) { return each_object(c, "<longcat_tool_call>", "</longcat_tool_call>", "\n"); }},
      {"minicpm5", StringsHold::no_tags,
       [](const Calls& c) {
         return joined(c, "\n", [](const WrittenCall& one, std::size_t) {
           return "<function name=\"" + one.name + "\">" +
                  members(one,
                          [](const Text& key, const Tree& value) {
                            return "<param name=\"" + key + "\">" + raw(value) + "</param>";
                          }) +
                  "</function>";
         });
       }},
      {"dots", StringsHold::no_tags,
       [](const Calls& c) {
         return "<dots_function_call>" +
                joined(c, "", [](const WrittenCall& one, std::size_t) { return invoke_tags(one, "", ""); }) +
                "</dots_function_call>";
       }},
      {"muse_glimmer", StringsHold::no_tags,
       [](const Calls& c) {
         return "<atem:function_calls>\n" +
                joined(c, "\n", [](const WrittenCall& one, std::size_t) { return invoke_tags(one, "atem:", "\n"); }) +
                "\n</atem:function_calls>";
       }},
      {"inkling",
       {},
       [](const Calls& c) {
         return each(c, "<|message_model|>", "<|end_message|>", "", [](const WrittenCall& one, std::size_t) {
           return one.name + "<|content_invoke_tool_json|>" + object(one, "name", "args");
         });
       }},
      {"xml", StringsHold::no_tags,
       [](const Calls& c) {
         return joined(c, "\n", [](const WrittenCall& one, std::size_t) {
           return "<" + one.name + ">\n" +
                  members(one, [](const Text& key,
                                  const Tree& value) { return "<" + key + ">" + raw(value) + "</" + key + ">\n"; }) +
                  "</" + one.name + ">";
         });
       }},
      {"tool_tag",
       {},
       [](const Calls& c) { return each_object(c, "<tool>", "</tool>", "\n", "arguments", "tool_name"); }},
      {"json", {}, [](const Calls& c) { return each_object(c, "", "", "\n"); }},
      {"json", {}, [](const Calls& c) { return each_object(c, "```json\n", "\n```", "\n"); }},
  };
}

}  // namespace

const std::vector<TextWriter>& text_writers() {
  static const std::vector<TextWriter> kWriters = all_writers();
  return kWriters;
}

}  // namespace belay::check
