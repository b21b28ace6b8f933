#include <belay/builtin.h>
#include <belay/policy.h>

#include "builtin/execute_command.h"
#include "builtin/file_tools.h"
#include "builtin/task_tools.h"

#include <mutex>
#include <utility>

namespace belay::builtin {
namespace {

// A tool for files in a process of its own: its time and its crashes stay there.
tool::Spec apart(tool::Spec spec) {
  spec.apart = true;
  return spec;
}

// The cages of one place, made when the first command runs: who runs none need not look at what can be enforced.
struct Cages {
  explicit Cages(Place where) : place(std::move(where)) {}

  tool::Code code_for(sandbox::Level level, bool network, bool insist) const {
    sandbox::CageOptions options;
    options.level = level;
    options.workspace = place.workspace->root();
    options.network = network;
    options.insist = insist;
    options.guarded = place.workspace->protected_folders();
    auto cage = sandbox::Cage::make(std::move(options), abilities);
    if (!cage && level == sandbox::Level::workspace_write) return only_reading(cage.error());
    if (!cage) return [why = cage.error()](const tool::Invocation&) { return tool::error_result(why); };
    return execute_command_code({.cage = std::move(*cage), .limits = place.limits, .environment = {}});
  }
  // Where a command that writes cannot be kept in its place, one that only reads still can.
  tool::Code only_reading(std::string why) const {
    return [why = std::move(why), root = place.workspace->root(),
            reading = code_for(sandbox::Level::read_only, false, false)](const tool::Invocation& invocation) {
      auto text = [&](std::string_view name) {
        const auto value = invocation.arguments.find(name);
        return value && value->is_string() ? value->as_string() : std::string_view();
      };
      const auto verdict = policy::judge_command(text("command"), {}, root, text("cwd")).decision;
      const bool reads = verdict == policy::Decision::allow || verdict == policy::Decision::sandbox;
      return reads ? reading(invocation) : tool::error_result(why);
    };
  }
  void make() {
    abilities = place.abilities ? *place.abilities : sandbox::probe();
    chosen = code_for(place.level, place.network, place.insist);
    confined = code_for(sandbox::Level::read_only, false, false);
  }

  Place place;
  sandbox::Abilities abilities;
  std::once_flag made;
  tool::Code chosen, confined;
};

// The command as the permissions want it: in the person's cage, or in one that can change nothing.
tool::Code in_cages(const Place& place) {
  return [cages = std::make_shared<Cages>(place)](const tool::Invocation& invocation) {
    std::call_once(cages->made, [&] { cages->make(); });
    return invocation.confined ? cages->confined(invocation) : cages->chosen(invocation);
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

}  // namespace belay::builtin
