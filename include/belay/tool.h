// Tools: what a model may call, in one place with the code that does it.
#pragma once

#include <belay/base.h>
#include <belay/chat.h>
#include <belay/json.h>
#include <belay/schema.h>
#include <belay/text.h>
#include <belay/turn.h>

#include <cstdint>
#include <deque>
#include <expected>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace BELAY_NAMESPACE::tool {
BELAY_API_BEGIN

/// What running a tool can do. The order is the order of harm.
enum class Effect : std::uint8_t {
  read,     ///< looks, changes nothing
  meta,     ///< speaks to the person or the task: a question, a list of todos, the completion
  write,    ///< changes files of the workspace
  execute,  ///< runs programs, or something that nobody here knows
};
/// `read`, `meta`, `write`, `execute`.
std::string_view name(Effect) noexcept;

/// What a tool gives back: texts and images. Whether it is an error is a fact of its own, never read from a text.
struct Result {
  std::vector<chat::Block> content{};
  bool is_error = false;
  bool operator==(const Result&) const = default;
};
Result text_result(std::string text);
Result error_result(std::string text);
/// All texts of a result, joined.
std::string text_of(const Result& result);

/// How much of a result goes to the model.
struct ResultLimits {
  std::size_t text_bytes = 256 * 1024;        ///< of all texts; the middle goes, and the cut says so
  std::size_t image_bytes = 8 * 1024 * 1024;  ///< of all images, as base64
  std::size_t blocks = 64;
};
/// The result within its limits, as valid UTF-8; what is empty says so. Cuts are stated, with what was left out.
Result bounded(Result result, const ResultLimits& limits = {});

/// What a tool's code gets.
struct Invocation {
  json::Value arguments;   ///< an object that satisfies the tool's schema
  std::stop_token stop{};  ///< asked to stop: by the person, or because the time is over
  /// Output as it comes, for the display; may be empty. Only from the thread that runs the tool.
  std::function<void(std::string_view)> progress{};
  /// It may run only where it can change nothing, reach no network and see no home (policy::Decision::sandbox). A tool
  /// that cannot keep to that gives an error.
  bool confined = false;
};
using Code = std::function<Result(const Invocation&)>;

struct Spec {
  std::string name{};
  std::string description{};
  std::string parameters{};  ///< JSON Schema, as JSON text
  Effect effect = Effect::execute;
  std::vector<std::string> aliases{};                                    ///< other names of the tool
  std::vector<std::pair<std::string, std::string>> parameter_aliases{};  ///< another name of a parameter, and its own
  std::string list_parameter{};  ///< glued objects merge into one call whose list this is; empty: they do not
  bool needs_task = false;       ///< means something only while a task runs
  double timeout = 120;          ///< seconds; the edge that runs it keeps the time
  bool apart = false;            ///< its code runs in a process of its own, so that a crash is an error result
};

class Tool {
 public:
  /// Compiles the schema. The error is one sentence.
  static std::expected<Tool, std::string> make(Spec spec, Code code, const schema::Regexes* regexes = nullptr,
                                               const Limits& limits = {});

  [[nodiscard]] const Spec& spec() const { return spec_; }
  [[nodiscard]] const schema::Schema& parameters() const { return schema_; }
  [[nodiscard]] const text::Shape& shape() const { return shape_; }
  /// Runs the code. An exception that leaves it becomes an error result, if the library was built with exceptions; the
  /// result is bounded.
  [[nodiscard]] Result run(const Invocation& invocation, const ResultLimits& limits = {}) const;
  [[nodiscard]] bool has_code() const { return static_cast<bool>(code_); }

 private:
  Tool(Spec spec, Code code, schema::Schema schema, text::Shape shape)
      : spec_(std::move(spec)), code_(std::move(code)), schema_(std::move(schema)), shape_(std::move(shape)) {}
  Spec spec_;
  Code code_;
  schema::Schema schema_;
  text::Shape shape_;
};

/// The tools of a task, in the order in which they were added. Tools stay where they are: pointers to them hold.
class Registry {
 public:
  /// False when the name, or an alias, is taken.
  bool add(Tool tool);
  /// By name or alias. Names that differ only in case or in - and _ are not the same tool: see near().
  [[nodiscard]] const Tool* find(std::string_view name) const;
  /// The tools that a wrong name may have meant, nearest first, at most three.
  [[nodiscard]] std::vector<std::string_view> near(std::string_view name) const;
  [[nodiscard]] const std::deque<Tool>& tools() const { return tools_; }
  [[nodiscard]] bool empty() const { return tools_.empty(); }

  /// What the ledger needs to judge calls of these tools.
  [[nodiscard]] std::vector<turn::KnownTool> known() const;
  [[nodiscard]] std::vector<text::Tool> shapes() const;
  /// As they are offered to a model.
  [[nodiscard]] std::vector<chat::Tool> offered() const;

 private:
  std::deque<Tool> tools_;
};

BELAY_API_END
}  // namespace BELAY_NAMESPACE::tool
