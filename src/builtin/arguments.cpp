#include "builtin/arguments.h"

#include "policy/self_starting.h"

#include <limits>

namespace BELAY_NAMESPACE::builtin {

std::string_view text_argument(const tool::Invocation& call, std::string_view name) {
  auto value = call.arguments.find(name);
  return value ? value->as_string() : std::string_view{};
}

bool flag_argument(const tool::Invocation& call, std::string_view name) {
  auto value = call.arguments.find(name);
  return value && value->as_bool();
}

std::optional<std::size_t> number_argument(const tool::Invocation& call, std::string_view name) {
  auto value = call.arguments.find(name);
  if (!value || !value->is_number()) return std::nullopt;
  if (auto exact = value->as_uint64()) return static_cast<std::size_t>(*exact);
  return value->as_double() > 1 ? std::numeric_limits<std::size_t>::max() : 0;
}

tool::Result failed(const sandbox::PathError& error) { return tool::error_result(error.message); }

sandbox::Refuse by_its_name(const sandbox::Workspace& workspace, std::string_view path) {
  // The root's own name says nothing of the file.
  if (path.starts_with(workspace.root())) path.remove_prefix(workspace.root().size());
  if (policy::starts_by_itself(path)) return {};
  return [](std::string_view place) {
    return policy::starts_by_itself(place)
               ? "leads to " + sandbox::shown_path(place) + ", which other programs run by themselves; use that path"
               : std::string();
  };
}

tool::Result stopped() { return tool::error_result("it was asked to stop, and stopped before it was done"); }

}  // namespace BELAY_NAMESPACE::builtin
