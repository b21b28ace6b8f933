#include "run_setup.h"

#include "check_rules.h"
#include "choose_task.h"
#include "model_remedy.h"
#include "options.h"
#include "own_folders.h"
#include "terminal.h"

#include <belay/regex.h>
#include <belay/sandbox.h>
#include <belay/task/prompt.h>

#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <utility>

namespace belay::cli {
namespace {

using Problem = std::unexpected<std::string>;

std::expected<std::string, std::string> real_folder(const std::string& path) {
  char real[PATH_MAX];
  if (!::realpath(path.empty() ? "." : path.c_str(), real))
    return Problem("the workspace " + path + " cannot be opened: " + std::strerror(errno));
  return std::string(real);
}

std::string today() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  ::localtime_r(&now, &parts);
  char text[64];
  return {text, std::strftime(text, sizeof text, "%A, %Y-%m-%d", &parts)};
}

std::string permissions_sentence(const config::Config& config, bool person) {
  switch (config.permission_mode.value) {
    case policy::Mode::plan: return "reading only; nothing may be changed";
    case policy::Mode::bypass: return "everything that no rule denies";
    case policy::Mode::accept_edits:
      return person ? "files may be written; commands that change something are asked about"
                    : "files may be written; commands that would have to be asked about are denied";
    default:
      return person ? "the person is asked before anything is written or executed"
                    : "reading only, beside what the rules allow: nobody can be asked";
  }
}

std::string system_prompt_for(const Run& r, bool person) {
  task::Environment e;
  e.workspace = r.workspace;
  e.system = "Linux";
  e.shell = sandbox::usual_shell();
  e.date = today();
  e.permissions = permissions_sentence(r.config, person);
  e.instructions = r.instructions.text;
  e.extra = r.options.append_system_prompt;
  e.servers = r.servers.for_the_model();
  e.person = person;
  return task::system_prompt(e);
}

// The task to go on with is found before the configuration is read: its model is the default then.
std::expected<void, std::string> find_task(Run& r, const config::Places& places) {
  if (auto made = config::make_folder(places.data); !made) return Problem(config::describe(made.error()));
  auto store = open_store(places.data);
  if (!store) return Problem(std::move(store.error()));
  r.store = std::move(*store);
  if (!r.options.go_on && !r.options.resume) return {};
  std::expected<Earlier, std::string> found;
  if (r.options.resume && !r.options.resume->empty()) {
    found = earlier_task(*r.store, *r.options.resume);
  } else if (r.options.resume) {
    auto folder = real_folder(r.options.workspace);
    if (!folder) return Problem(std::move(folder.error()));
    const bool person = !r.options.print && ::isatty(STDIN_FILENO) != 0 && ::isatty(STDOUT_FILENO) != 0;
    auto chosen = choose_task(*r.store, *folder, person, r.err);
    if (!chosen) return Problem(std::move(chosen.error()));
    found = earlier_task(*r.store, *chosen);
  } else {
    auto folder = real_folder(r.options.workspace);
    if (!folder) return Problem(std::move(folder.error()));
    found = last_task_of(*r.store, *folder);
  }
  if (!found) return Problem(std::move(found.error()));
  r.earlier = std::move(*found);
  r.id = r.earlier->id;
  if (r.options.fork) {
    r.id = new_task_id();
    if (auto forked = r.store->fork(r.earlier->id, 0, r.id, now_ms()); !forked) return Problem(forked.error().message);
  }
  return {};
}

// What a task is told at its beginning stays so. Who says something else with --continue must not think that it counts.
void note_what_stays(Run& r) {
  const config::Flags& flags = r.options.flags;
  const task::Settings& before = r.earlier->settings;
  std::vector<std::string_view> given;
  if (flags.format && *flags.format != before.protocol) given.push_back("--format");
  if (flags.effort && *flags.effort != before.reasoning_effort) given.push_back("--effort");
  if (flags.todos_before_completion.value_or(before.todos_before_completion) != before.todos_before_completion)
    given.push_back("--todos-before-completion");
  if (!r.options.append_system_prompt.empty() && !before.system.contains(r.options.append_system_prompt))
    given.push_back("--append-system-prompt");
  if (given.empty()) return;
  std::string names;
  for (const std::string_view name : given) names += (names.empty() ? "" : ", ") + std::string(name);
  r.notes.push_back(names + (given.size() == 1 ? " counts" : " count") +
                    " when a task begins; this one goes on as it began");
}

run::Endpoint endpoint_of(const config::Config& config, const std::optional<std::string>& idle) {
  run::Endpoint out;
  if (idle) out.timeouts.idle = static_cast<std::int64_t>(*parse_size(*idle)) * 1000;
  out.wire = config.wire.value;
  out.base_url = config.base_url.value;
  out.key = config.key.value.reveal();
  out.bearer = config.bearer;
  for (const config::Header& header : config.headers) out.headers.push_back({header.name, header.value.reveal()});
  return out;
}

task::Conditions conditions_of(const Run& r, bool person) {
  task::Conditions out;
  out.tools = &*r.tools;
  out.permissions = config::permissions(r.config);
  out.permissions.workspace = r.workspace;
  out.permissions.home = sandbox::is_home(r.workspace);
  out.person = person;
  out.ask_for_guesses = r.config.ask_for_guesses.value;
  if (r.earlier && r.config.model.value != r.earlier->settings.model) out.model = r.config.model.value;
  const auto chosen = [](const auto& setting) { return setting.source.level == config::Source::Level::flag; };
  if (r.earlier && (chosen(r.config.max_turns) || chosen(r.config.max_tokens_total) || chosen(r.config.max_cost) ||
                    chosen(r.config.max_seconds)))
    out.budget = config::task_settings(r.config).budget;
  if (r.earlier && chosen(r.config.max_tokens)) out.output_tokens = *r.config.max_tokens;
  return out;
}

}  // namespace

// Lines are broken for people only: whoever reads a pipe looks for whole ones.
void Run::note(std::string_view text) const {
  const std::string lead = program() + ": ";
  err << lead << (err.is_terminal() ? folded(text, lead.size()) : printable(text)) << "\n";
}

std::string Run::program() const { return options.cassette.empty() ? "belay run" : "belay replay"; }

// What stands on standard input, when somebody piped it there.
std::expected<std::string, std::string> piped(std::uint64_t at_most, Output& err) {
  constexpr int kPatience = 2'000;  // milliseconds
  struct stat info{};
  if (::isatty(STDIN_FILENO) != 0 || ::fstat(STDIN_FILENO, &info) != 0) return "";
  // A terminal's absence alone says nothing: a service has /dev/null there, a test harness may have an open pipe.
  if (!S_ISFIFO(info.st_mode) && !S_ISREG(info.st_mode) && !S_ISSOCK(info.st_mode)) return "";
  auto input = Input::open("-", 0);
  if (!input) return Problem(input.error());
  pollfd waiting{STDIN_FILENO, POLLIN, 0};
  if (::poll(&waiting, 1, kPatience) == 0) err << "belay run: waiting for the end of standard input\n";
  err.flush();
  std::string text;
  for (;;) {
    auto piece = input->next();
    if (!piece) return Problem(piece.error());
    if (piece->empty()) return text;
    text += *piece;
    if (text.size() > at_most) return Problem("standard input is larger than --limit bytes=" + std::to_string(at_most));
  }
}

std::expected<void, std::string> configure(Run& r) {
  const config::Environment environment = config::process_environment();
  auto places = config::places(environment);
  if (!places) return Problem(config::describe(places.error()));
  if (auto found = find_task(r, *places); !found) return found;
  config::Flags flags = r.options.flags;
  if (r.earlier && !flags.model && r.options.cassette.empty()) {
    // The conversation stays with the server that it began with, unless the person says otherwise.
    const task::Settings& before = r.earlier->settings;
    flags.model = before.model;
    if (!flags.wire && !before.wire.empty()) flags.wire = before.wire;
    if (!flags.base_url && !before.base_url.empty()) {
      flags.base_url = before.base_url;
      if (!flags.key_env && !before.key_env.empty()) flags.key_env = before.key_env;
    }
  }
  auto loaded = config::load(flags, environment, *places);
  if (!loaded) return Problem(config::describe(loaded.error()));
  r.config = std::move(*loaded);
  if (r.earlier) note_what_stays(r);
  // A task keeps the prices that it began with.
  if (r.earlier && flags.max_cost && r.earlier->settings.prices == task::Prices{} &&
      (*r.config.price_input > 0 || *r.config.price_output > 0))
    return Problem(
        "--max-cost: the task was begun when no price was known for its model, so that its cost is not counted; "
        "--max-tokens-total and --max-turns hold for it");
  return {};
}

// The model: a server that was chosen, a cassette, or the built-in demo, which is a cassette too.
std::expected<void, std::string> find_model(Run& r) {
  std::optional<run::Cassette> cassette;
  if (!r.options.cassette.empty()) {
    auto read = read_cassette(r.options.cassette);
    if (!read) return Problem(std::move(read.error()));
    cassette = std::move(*read);
  } else if (r.config.demo) {
    if (!r.prompt.empty() && !r.earlier) {
      // Who chose it is not told that nothing is chosen.
      const bool chosen = r.config.model.source.level != config::Source::Level::built_in;
      return Problem(
          std::string(chosen ? "the built-in model \"demo\" (" + config::describe(r.config.model.source) +
                                   ") plays one demonstration, and can do no task: leave the task out to see it; for a "
                                   "model that works, "
                             : "no model is configured, so the task cannot be done: ") +
          "set ANTHROPIC_API_KEY, OPENAI_API_KEY or GEMINI_API_KEY, or name a model, for instance --model "
          "ollama/qwen3:8b" +
          (chosen ? "" : ". Without a task, belay run plays a demonstration"));
    }
    cassette = demo_cassette();
  } else if (!r.config.unusable.empty()) {
    return Problem(r.config.unusable);
  }
  if (!cassette) return {};
  if (r.prompt.empty() && !r.earlier) r.prompt = cassette->task;
  r.config.model.value = cassette->model.empty() ? "cassette" : cassette->model;
  r.config.wire.value = cassette->wire;
  r.config.key = {};
  r.config.headers.clear();
  auto player = run::Player::make(std::move(*cassette), r.options.speed);
  if (!player) return Problem("the cassette cannot be played: " + player.error());
  r.player = std::move(*player);
  r.config.base_url.value = r.player->base_url();
  return {};
}

std::expected<void, std::string> find_workspace(Run& r) {
  std::string wanted = r.options.workspace;
  if (!wanted.empty() && r.config.demo && r.options.cassette.empty() && !r.earlier)
    r.err
        << "belay run: no model is configured, so a recorded demonstration is played. It is about a file prices.txt,\n"
           "  which has to be in "
        << printable(wanted) << "; without --workspace it has a folder of its own.\n";
  if (wanted.empty() && r.earlier) wanted = r.earlier->settings.workspace;
  if (wanted.empty() && r.config.demo && r.options.cassette.empty()) {
    auto scratch = Scratch::make();
    if (!scratch) return Problem(std::move(scratch.error()));
    r.scratch = std::move(*scratch);
    wanted = r.scratch->path();
    // Nothing but the demo's own files is there.
    auto& mode = r.config.permission_mode;
    if (mode.source.level == config::Source::Level::built_in) mode.value = policy::Mode::accept_edits;
  }
  auto folder = real_folder(wanted);
  if (!folder) return Problem(std::move(folder.error()));
  r.workspace = std::move(*folder);
  RunServersOptions which;
  which.workspace = r.workspace;
  which.files = r.options.mcp_config;
  which.strict = r.options.strict_mcp_config;
  which.err = &r.err;
  which.stop = r.interrupt ? r.interrupt->token() : std::stop_token();
  if (r.person) {
    which.person = &r.err;
    // A cassette has answers for its own task only.
    if (!r.player) which.model = {endpoint_of(r.config, r.options.idle_timeout), r.config.model.value};
  }
  auto servers = RunServers::start(std::move(which));
  if (!servers) return Problem(std::move(servers.error()));
  r.servers = std::move(*servers);
  sandbox::WorkspaceOptions where;
  where.protected_folders = own_folders(config::process_environment(), r.workspace);
  auto workspace = sandbox::Workspace::open(r.workspace, std::move(where));
  if (!workspace) return Problem("--workspace: " + workspace.error().message);
  builtin::Place& place = r.place;
  place.workspace = std::make_shared<const sandbox::Workspace>(std::move(*workspace));
  place.level = r.config.sandbox.value;
  place.network = r.config.network.value;
  place.insist = r.options.insist;
  r.regexes = regex::make_regexes();
  auto tools = builtin::tools(place, r.regexes.get());
  if (!tools) return Problem(std::move(tools.error()));
  r.tools = std::move(*tools);
  r.servers.join(*r.tools, r.regexes.get());
  if (auto checked = check_rules(r.config.rules, *r.tools); !checked) return checked;
  r.instructions = find_instructions(r.workspace);
  return {};
}

void open_log(Run& r) {
  DevLog::Options options;
  options.folder = r.config.places.data;
  options.level = r.config.log_level.value;
  if (!r.config.key.value.empty()) options.secrets.push_back(r.config.key.value.reveal());
  for (const config::Header& header : r.config.headers) options.secrets.push_back(header.value.reveal());
  auto log = DevLog::open(options);
  if (log)
    r.log.emplace(std::move(*log));
  else
    r.notes.push_back(log.error());
}

std::expected<task::Tree, std::string> tree_of(Run& r, bool person) {
  if (!r.earlier) {
    r.id = new_task_id();
    task::Created created;
    created.settings = config::task_settings(r.config);
    created.settings.model = r.config.model.value;
    created.settings.workspace = r.workspace;
    if (!r.player) {
      created.settings.wire = wire::name(r.config.wire.value);
      created.settings.base_url = r.config.base_url.value;
      if (r.config.key.source.level == config::Source::Level::environment)
        created.settings.key_env = r.config.key.source.name;
    }
    created.settings.plain_answer_ends = true;
    // The demo looks the same every time, but for the clock.
    created.settings.seed = r.scratch ? 1 : static_cast<std::uint64_t>(now_ms());
    created.settings.system = system_prompt_for(r, person);
    created.goal.push_back(chat::text_block(r.prompt));
    return task::Tree::create(conditions_of(r, person), r.id, std::move(created));
  }
  auto claim = claim_task(*r.store, r.id);
  if (!claim) return Problem(std::move(claim.error()));
  r.claim = std::move(*claim);
  auto resumed = resume_task(*r.store, r.id, conditions_of(r, person));
  if (!resumed) return Problem(std::move(resumed.error()));
  if (r.prompt.empty() && resumed->end && !person) {
    // Whoever was cut off before the result was shown gets it now.
    if (resumed->end->reason == task::EndReason::completed)
      r.ended = std::move(resumed->end);
    else
      r.prompt = "Go on.";
  }
  if (person) r.before = std::move(resumed->records);
  return std::move(resumed->tree);
}

run::AgentOptions agent_options(Run& r, run::Front& front, Recording* recording) {
  run::AgentOptions out;
  out.endpoint = endpoint_of(r.config, r.options.idle_timeout);
  out.store = r.store.get();
  out.front = &front;
  out.tools = &*r.tools;
  out.limits = r.options.limits;
  if (!r.player) out.remedy = [&r](std::string_view kind) { return model_remedy_sentence(r.config, kind); };
  if (r.earlier && r.config.model.value != r.earlier->settings.model) out.model = r.config.model.value;
  if (!r.earlier)
    out.begun = [&r] {
      if (auto claim = claim_task(*r.store, r.id)) r.claim = std::move(*claim);
    };
  if (r.log) out.log = [&r](std::string_view level, std::string_view line) { r.log->line(level, line); };
  if (recording) out.record = [recording](const run::Exchange& exchange) { recording->add(exchange); };
  return out;
}

}  // namespace belay::cli
