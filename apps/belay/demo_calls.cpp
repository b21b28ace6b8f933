#include "demo_calls.h"

namespace belay::cli {

std::span<const DemoCall> demo_calls() {
  using enum json::Ending;
  static const std::vector<DemoCall> calls{
      {"A comma too many",
       {R"({"path": "src/)", R"(main.cpp", "li)", R"(ne": 42,)", "}"},
       complete,
       "One reading only, so it is mended, and the receipt says what was done."},
      {"Python instead of JSON",
       {"{'query': 'bu", "gs', 'limit': No", "ne, 'all': Tr", "ue}"},
       complete,
       "Other quotes and literals have one meaning too."},
      {"A fence and chatter around the call",
       {"Here is the call:\n", "```json\n{\"city\": ", "\"Oslo\"}\n```", "\nHope that helps."},
       complete,
       "The value is found; the text around it is not part of it."},
      {"A raw newline inside a string",
       {R"({"command": "make)", "\nmake ", "test\"}"},
       complete,
       "JSON forbids it, but it can only mean a newline."},
      {"Two calls glued together",
       {R"({"path": "a.t)", R"(xt"}{"pa)", R"(th": "b.txt"})"},
       complete,
       "Both are kept, in order. Nothing is dropped silently."},
      {"Quotes inside a string",
       {R"({"text": "He said ")", R"(no" and l)", R"(eft."})"},
       complete,
       "Probably right, but not certain: look before anything acts on it."},
      {"A command cut off by a token limit",
       {R"({"command": "rm)", " -rf ", "/"},
       cut,
       "The rest was \"tmp/build\". What was cut never counts as whole."},
      {"An error page instead of a call",
       {"<html><head><title>502 ", "Bad Gateway</title></head>", "<body></body></html>\n"},
       complete,
       "There is no value in it, and none is made up."},
  };
  return calls;
}

}  // namespace belay::cli
