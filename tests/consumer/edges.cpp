// Something of every edge, so that each has to link with what it depends on.
#include <belay/builtin.h>
#include <belay/config.h>
#include <belay/mcp.h>
#include <belay/net.h>
#include <belay/regex.h>
#include <belay/run.h>
#include <belay/screen.h>
#include <belay/store.h>

#include <iostream>

int main() {
  using namespace belay;
  std::cout << (regex::make_regexes() != nullptr) << !builtin::specs().empty() << !store::sqlite_version().empty()
            << net::library_version().starts_with("libcurl") << mcp::name_trouble("name").empty()
            << !config::describe(config::Source{}).empty() << (screen::columns("abc") == 3)
            << run::ask_model({}, {}).has_value() << "\n";
}
