#include <belay/builtin.h>
#include <belay/policy.h>

#include "builtin/execute_command.h"
#include "builtin/file_tools.h"
#include "builtin/task_tools.h"

#include <mutex>
#include <utility>

namespace BELAY_NAMESPACE::builtin {
namespace {

// A tool for files in a process of its own: its time and its crashes stay there.
tool::Spec apart(tool::Spec spec) {
  spec.apart = true;
  return spec;
}

// The cages of one place, made when the first command runs: who runs none need not look at what can be enforced.
struct Cages {
  explicit Cages(Place where) : place(std::move(where)) {}

  struct Made {
    tool::Code code;
    bool works = false;
  };
  Made code_for(sandbox::Level level, bool network, bool insist) const {
    sandbox::CageOptions options;
    options.level = level;
    options.workspace = place.workspace->root();
    options.network = network;
    options.insist = insist;
    options.guarded = place.workspace->protected_folders();
    auto cage = sandbox::Cage::make(std::move(options), abilities);
    if (!cage) return {[why = cage.error()](const tool::Invocation&) { return tool::error_result(why); }, false};
    return {execute_command_code({.cage = std::move(*cage), .limits = place.limits, .environment = {}}), true};
  }
  void make() {
    abilities = place.abilities ? *place.abilities : sandbox::probe();
    chosen = code_for(place.level, place.network, place.insist);
    confined = code_for(sandbox::Level::read_only, false, false);
  }

  // Whatever let it through: an answer, a rule, a mode. Where its text was judged to be harmless and is not, the cage
  // is the second door.
  [[nodiscard]] bool only_reads(const tool::Invocation& invocation) const {
    auto text = [&](std::string_view name) {
      const auto value = invocation.arguments.find(name);
      return value && value->is_string() ? value->as_string() : std::string_view();
    };
    const auto verdict = policy::judge_command(text("command"), {}, place.workspace->root(), text("cwd")).decision;
    return verdict == policy::Decision::allow || verdict == policy::Decision::sandbox;
  }

  Place place;
  sandbox::Abilities abilities;
  std::once_flag made;
  Made chosen, confined;
};

// The command in the cage that was chosen, or in one that can change nothing: when the permissions want that, and when
// it needs no more. Where no such cage can be built, what only reads runs as was chosen.
tool::Code in_cages(const Place& place) {
  return [cages = std::make_shared<Cages>(place)](const tool::Invocation& invocation) {
    std::call_once(cages->made, [&] { cages->make(); });
    const bool confined = invocation.confined || (cages->confined.works && cages->only_reads(invocation));
    return confined ? cages->confined.code(invocation) : cages->chosen.code(invocation);
  };
}

}  // namespace

std::vector<tool::Spec> specs() {
  tool::Spec command = execute_command_spec();
  command.timeout = 0;  // a call names its own, and the command's keeper keeps it
  return {apart(read_file_spec()),      apart(write_to_file_spec()),
          apart(apply_diff_spec()),     apart(list_files_spec()),
          apart(search_files_spec()),   std::move(command),
          ask_followup_question_spec(), update_todo_list_spec(),
          attempt_completion_spec(),    new_task_spec()};
}

std::expected<tool::Registry, std::string> tools(const Place& place, const schema::Regexes* regexes) {
  if (place.workspace->root() == "/") return std::unexpected(std::string(sandbox::kRootIsNoWorkspace));
  auto code_of = [&](const std::string& name) -> tool::Code {
    if (name == "read_file") return read_file_code(place.workspace);
    if (name == "write_to_file") return write_to_file_code(place.workspace);
    if (name == "apply_diff") return apply_diff_code(place.workspace);
    if (name == "list_files") return list_files_code(place.workspace);
    if (name == "search_files") return search_files_code(place.workspace);
    if (name == "execute_command") return in_cages(place);
    return {};
  };
  tool::Registry registry;
  for (tool::Spec& spec : specs()) {
    tool::Code code = code_of(spec.name);
    auto made = tool::Tool::make(std::move(spec), std::move(code), regexes);
    if (!made) return std::unexpected(made.error());
    if (!registry.add(std::move(*made))) return std::unexpected("two built-in tools have one name");
  }
  return registry;
}

}  // namespace BELAY_NAMESPACE::builtin
