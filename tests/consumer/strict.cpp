// What a careful project asks of the headers: no warning, options by name, no value that outlives its text. Compiled
// with all warnings as errors, and linked with a core without exceptions and RTTI.
#include <belay/belay.h>
#include <belay/text.h>
#include <belay/tool.h>

#include <iostream>
#include <utility>

using namespace belay;

template <class Document>
concept HasRoot = requires(Document document) { std::forward<Document>(document).root(); };
template <class Document>
concept HasValues = requires(Document document) { std::forward<Document>(document).values(); };
static_assert(HasRoot<json::Document&> && HasValues<const json::Document&>);
static_assert(!HasRoot<json::Document> && !HasRoot<const json::Document> && !HasValues<json::Document>,
              "a view of a temporary");

int main() {
  // One member of each, and nothing said of the rest.
  const Limits limits{.depth = 8};
  const Position position{.line = 2};
  const json::ReaderOptions reader{.limits = limits};
  const schema::CompileOptions compile{.formats = true};
  const text::Options text{.format = "none"};
  const text::Tool shape{.name = "f"};
  const turn::KnownTool known{.name = "f"};
  const turn::LedgerOptions ledger{.any_tool = false};
  const tool::Spec spec{.name = "f"};
  const tool::Result result{.is_error = true};
  const tool::ResultLimits results{.blocks = 2};
  const policy::GateSettings gate{.native = false};
  const policy::ShellLimits shell{.bytes = 9};
  const policy::Rule rule{.tool = "f"};
  const policy::Permissions permissions{.rules = {rule}};
  const chat::Block block{.text = "x"};
  const chat::Message message{.blocks = {block}};
  const chat::Tool offered{.name = "f"};
  const chat::Request request{.model = "m", .messages = {message}, .tools = {offered}};
  const chat::Response response{.id = "r"};
  const chat::Usage usage{.input_tokens = 1};
  const wire::StreamEncoder::Head head{.id = "x"};
  const wire::HttpFailure failure{.kind = "quota"};
  const task::Settings settings{.model = "m"};
  const task::Created created{.settings = settings};
  const task::Conditions conditions{.permissions = permissions};
  const task::Environment environment{.shell = "sh"};
  const turn::Answer answer{.raw_stop = response.id};
  const task::Reply reply{.text = "yes"};
  const task::Trouble trouble{.kind = "quota"};

  const json::Reading reading = json::read("{'a': 1}", reader);
  std::cout << json::to_string(reading.document.root()) << position.line << compile.formats << text.format << shape.name
            << known.name << ledger.any_tool << spec.name << result.is_error << results.blocks << gate.native
            << shell.bytes << request.model << *usage.input_tokens << head.id << failure.kind << created.settings.model
            << conditions.permissions.rules.size() << environment.shell << answer.raw_stop << reply.text
            << trouble.kind << "\n";
}
