// `belay tasks`: what is kept of earlier tasks.
#pragma once

#include "exit_code.h"
#include "io.h"

#include <cstdint>
#include <expected>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace belay::cli {

struct TasksOptions {
  enum class Action : std::uint8_t { list, show, export_one, remove };
  bool help = false;
  Action action = Action::list;
  std::vector<std::string> ids;  ///< or what they begin with
  bool json = false;
  bool full = false;
  bool all = false;
  bool yes = false;
  std::uint64_t limit = 20;
};
std::expected<TasksOptions, std::string> parse_tasks_options(std::span<const std::string> arguments);
/// Exit 1: the store cannot be used; 2: there is no such task, or several.
Exit tasks(const TasksOptions& options, Output& out, Output& err);

}  // namespace belay::cli
