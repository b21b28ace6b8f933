#include "choose_task.h"

#include "session.h"
#include "table.h"
#include "terminal.h"

#include <belay/screen.h>

#include <unistd.h>

#include <algorithm>
#include <vector>

namespace belay::cli {
namespace {

using Problem = std::unexpected<std::string>;
using store::Summary;

constexpr std::size_t kOffered = 50;
constexpr std::size_t kAgeWide = 8, kTurnsWide = 5, kEndWide = 14, kTitleWide = 200;

std::expected<std::vector<Summary>, std::string> tasks_of(store::Store& store, const std::string& workspace) {
  constexpr int kPages = 20;
  std::vector<Summary> out;
  store::Listing listing;
  listing.at_most = 50;
  for (int page = 0; page < kPages; ++page) {
    auto tasks = store.list(listing);
    if (!tasks) return Problem(tasks.error().message);
    for (const Summary& summary : *tasks) {
      auto found = earlier_task(store, summary.id);
      if (!found || found->settings.workspace != workspace) continue;
      out.push_back(summary);
      if (out.size() >= kOffered) return out;
    }
    if (tasks->size() < listing.at_most) break;
    listing.before = tasks->back().id;
  }
  return out;
}

std::string heading() {
  return padded("CHANGED", kAgeWide) + "  " + padded_left("TURNS", kTurnsWide) + "  " + padded("END", kEndWide) +
         "  TASK";
}

std::string row_of(const Summary& s, std::int64_t now) {
  return padded(age_text(now - s.changed), kAgeWide) + "  " + padded_left(std::to_string(s.turns), kTurnsWide) + "  " +
         padded(s.end.empty() ? "open" : s.end, kEndWide) + "  " + clipped(s.title, kTitleWide);
}

}  // namespace

std::string age_text(std::int64_t milliseconds) {
  const std::int64_t minutes = std::max<std::int64_t>(milliseconds, 0) / 60'000;
  if (minutes < 1) return "now";
  if (minutes < 60) return std::to_string(minutes) + " min";
  if (minutes < 48 * 60) return std::to_string(minutes / 60) + " h";
  return std::to_string(std::min<std::int64_t>(minutes / (24 * 60), 999)) + " days";
}

std::expected<std::string, std::string> choose_task(store::Store& store, const std::string& workspace, bool person,
                                                    Output& err) {
  auto tasks = tasks_of(store, workspace);
  if (!tasks) return Problem(std::move(tasks.error()));
  if (tasks->empty())
    return Problem("there is no task to go on with in " + workspace +
                   "; belay tasks list shows those of other folders");
  const std::int64_t now = now_ms();
  if (!person) {
    const std::size_t id = tasks->front().id.size();
    err << padded("ID", id) << "  " << heading() << "\n";
    for (const Summary& s : *tasks) err << printable(s.id) << "  " << row_of(s, now) << "\n";
    return Problem("--resume needs the ID of a task; above are those of " + workspace +
                   ", and --continue takes the last");
  }
  const screen::TerminalOptions terminal = screen::for_environment(STDIN_FILENO, STDOUT_FILENO);
  screen::PickOptions options;
  options.colour = terminal.colour;
  options.live = terminal.live;
  options.title = "Which task goes on in " + workspace + "?";
  options.heading = heading();
  for (const Summary& s : *tasks) options.rows.push_back(row_of(s, now));
  const auto chosen = screen::pick(options);
  if (!chosen) return Problem("no task was chosen");
  return (*tasks)[*chosen].id;
}

}  // namespace belay::cli
