// What the environment says about a terminal.
#include <belay/screen/terminal.h>

#include <unistd.h>
#include <cstdlib>

namespace BELAY_NAMESPACE::screen {
namespace {

std::string_view variable(const char* name) {
  const char* value = std::getenv(name);
  return value ? std::string_view(value) : std::string_view();
}

}  // namespace

TerminalOptions for_environment(int input, int output) {
  TerminalOptions o;
  o.input = input;
  o.output = output;
  const bool terminal = ::isatty(output) == 1;
  o.live = terminal && ::isatty(input) == 1 && variable("TERM") != "dumb" && !variable("TERM").empty();
  o.colour = Style::for_terminal(terminal).coloured();
  std::string_view locale = variable("LC_ALL");
  if (locale.empty()) locale = variable("LC_CTYPE");
  if (locale.empty()) locale = variable("LANG");
  const std::size_t dot = locale.find('.');
  const std::string_view charset = dot == locale.npos ? std::string_view() : locale.substr(dot + 1);
  o.unicode = charset.empty() || charset.starts_with("UTF-8") || charset.starts_with("utf8") ||
              charset.starts_with("utf-8") || charset.starts_with("UTF8");
  return o;
}

}  // namespace BELAY_NAMESPACE::screen
