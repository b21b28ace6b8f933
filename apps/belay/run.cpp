#include "run.h"

#include "fresh_look.h"
#include "go_on.h"
#include "headless.h"
#include "run_setup.h"
#include "table.h"
#include "terminal.h"
#include "watch.h"

#include <belay/screen.h>

#include <unistd.h>

#include <utility>

namespace belay::cli {
namespace {

HeadlessInfo info_of(const Run& r) {
  HeadlessInfo out;
  out.program = r.program();
  out.session = r.id;
  out.model = r.config.model.value;
  out.workspace = r.workspace;
  out.permission_mode = policy::name(r.config.permission_mode.value);
  out.key_source = r.config.key.value.empty() ? "none" : config::describe(r.config.key.source);
  out.protocol = r.earlier ? r.earlier->settings.protocol : r.config.format.value;
  for (const tool::Tool& tool : r.tools->tools()) out.tools.push_back(tool.spec().name);
  for (const mcp::Status& server : r.servers.status())
    out.servers.push_back(
        {server.name, server.state == mcp::State::ready ? "connected" : std::string(name(server.state))});
  out.partial = r.options.partial;
  return out;
}

Exit run_headless(Run& r, task::Tree tree, Recording* recording) {
  Headless front(r.out, r.err, r.options.format, info_of(r));
  front.begin();
  if (r.ended) {
    r.note("the task was done already; this is its result");
    front.finish(*r.ended);
    return Exit::done;
  }
  run::Agent agent(agent_options(r, front, recording), std::move(tree));
  const std::stop_callback stop(r.interrupt->token(), [&] { agent.stop(); });
  if (r.earlier && !r.prompt.empty()) agent.say({chat::text_block(r.prompt)});
  auto end = agent.run();
  if (!end) {
    front.broke(end.error(), r.kept());
    return Exit::failed;
  }
  front.finish(*end);
  return static_cast<Exit>(task::exit_code(end->reason));
}

// What the end of a run says to the person, beside what the task itself says.
void last_words(const Run& r, const task::Finished& end) {
  if (r.scratch)
    r.err << "\nThat was the built-in model \"demo\": recorded answers, played by a real server;\n"
             "the tools were real. Its files: "
          << r.workspace << "\nA real model: export ANTHROPIC_API_KEY=... (or OPENAI_API_KEY, GEMINI_API_KEY),\n"
          << "then belay run \"task\". A local one: belay run --model ollama/qwen3:8b \"task\"\n";
  else if (end.reason != task::EndReason::completed)
    r.err << go_on_line(r.id, end.reason) << "\n";
}

// Nobody steers it, but somebody may watch: in the terminal as it happens, elsewhere as plain lines.
Exit run_watched(Run& r, task::Tree tree, Recording* recording) {
  Watch front(r.out, columns_of(r.out));
  if (r.ended) {
    front.remark("The task is done already. Its result: " + r.ended->result);
    return Exit::done;
  }
  if (r.earlier && !r.prompt.empty()) front.said(r.prompt);
  run::Agent agent(agent_options(r, front, recording), std::move(tree));
  const std::stop_callback stop(r.interrupt->token(), [&] { agent.stop(); });
  if (r.earlier && !r.prompt.empty()) agent.say({chat::text_block(r.prompt)});
  auto end = agent.run();
  if (!end) {
    front.remark(end.error(), true);
    return Exit::failed;
  }
  last_words(r, *end);
  return static_cast<Exit>(task::exit_code(end->reason));
}

FreshLook::Preview preview_of(const Run& r) {
  return [&r](std::string_view tool, std::string_view arguments) {
    return builtin::preview(*r.place.workspace, tool, arguments);
  };
}

screen::TerminalOptions terminal_options(const Run& r) {
  screen::TerminalOptions out = screen::for_environment(STDIN_FILENO, STDOUT_FILENO);
  if (*r.config.colour == "always") out.colour = true;
  if (*r.config.colour == "never") out.colour = false;
  out.model = r.config.model.value;
  out.workspace = r.workspace;
  out.history = r.config.places.data + "/history";
  if (r.log) out.log = r.log->path();
  out.mode = policy::name(r.config.permission_mode.value);
  out.preview = preview_of(r);
  out.servers = [&r] { return r.servers.overview(); };
  return out;
}

Exit run_interactive(Run& r, Recording* recording) {
  screen::Terminal terminal(terminal_options(r));
  for (const std::string& note : r.notes) terminal.remark(note);
  if (!r.earlier && r.prompt.empty()) {
    const auto words = terminal.first_message();
    if (!words) return Exit::done;
    r.prompt = *words;
  }
  auto tree = tree_of(r, true);
  if (!tree) {
    terminal.close();
    r.note(tree.error());
    return Exit::usage;
  }
  terminal.recount(r.before);
  r.before = {};
  if (r.earlier && !r.prompt.empty()) terminal.said(r.prompt);
  std::expected<task::Finished, std::string> end;
  {
    FreshLook front(terminal, preview_of(r));
    run::Agent agent(agent_options(r, front, recording), std::move(*tree));
    if (r.earlier && !r.prompt.empty()) agent.say({chat::text_block(r.prompt)});
    Desk* const desk = r.servers.desk();
    terminal.attach(desk ? desk->between(front.hands_of(agent)) : front.hands_of(agent));
    if (desk) desk->open(terminal);
    end = agent.run(true);
    if (desk) desk->close();
    terminal.close();
  }
  if (!end) {
    r.note(end.error());
    if (r.kept()) r.err << "To go on: belay run --resume " << r.id << "\n";
    return Exit::failed;
  }
  return static_cast<Exit>(task::exit_code(end->reason));
}

Exit perform(Run& r) {
  const auto refused = [&](const std::string& why) {
    r.note(why);
    return Exit::usage;
  };
  if (auto done = configure(r); !done) return refused(done.error());
  // The demo has nothing to ask.
  const bool demo = r.config.demo && r.options.cassette.empty() && r.options.workspace.empty() && !r.earlier;
  const bool person = !r.options.print && !demo && ::isatty(STDIN_FILENO) != 0 && ::isatty(STDOUT_FILENO) != 0;
  r.person = person;
  r.interrupt.emplace();
  // Nothing has begun yet: whoever waits for somebody who writes to a pipe can end at once.
  const auto end_now = [] { ::_exit(task::exit_code(task::EndReason::aborted)); };
  std::optional<std::stop_callback<void (*)()>> preparing;
  preparing.emplace(r.interrupt->token(), +end_now);
  auto input = piped(r.options.limits.bytes, r.err);
  if (!input) return refused(input.error());
  r.prompt = r.options.prompt == "-" ? "" : r.options.prompt;
  if (!input->empty()) r.prompt += (r.prompt.empty() ? "" : "\n\n") + *input;
  if (auto done = find_model(r); !done) return refused(done.error());
  preparing.reset();
  if (auto done = find_workspace(r); !done) return refused(done.error());
  if (person) {
    // Servers may run by now; they end with this.
    if (r.interrupt->token().stop_requested()) return static_cast<Exit>(task::exit_code(task::EndReason::aborted));
    r.interrupt.reset();  // the terminal looks after signals itself
  }
  open_log(r);
  r.notes.insert(r.notes.end(), r.config.notes.begin(), r.config.notes.end());
  r.notes.insert(r.notes.end(), r.servers.notes().begin(), r.servers.notes().end());
  r.notes.insert(r.notes.end(), r.instructions.notes.begin(), r.instructions.notes.end());
  if (r.prompt.find_first_not_of(" \t\r\n") == std::string::npos && !r.earlier && !person)
    return refused("what is to be done? belay run \"task\", or the task on standard input");
  std::optional<Recording> recording;
  if (!r.options.record.empty()) {
    auto opened = Recording::open(r.options.record, r.config.wire.value, r.config.model.value, r.prompt);
    if (!opened) return refused(opened.error());
    recording.emplace(std::move(*opened));
  }
  Recording* const tape = recording ? &*recording : nullptr;
  Exit exit = Exit::failed;
  if (person) {
    exit = run_interactive(r, tape);
  } else {
    for (const std::string& note : r.notes) r.note(note);
    auto tree = tree_of(r, false);
    if (!tree) return refused(tree.error());
    exit = r.options.print ? run_headless(r, std::move(*tree), tape) : run_watched(r, std::move(*tree), tape);
  }
  if (recording)
    if (auto kept = recording->finish(); !kept) r.note(kept.error());
  return exit;
}

}  // namespace

Exit run_task(const RunOptions& options, Output& out, Output& err) {
  Run r{.options = options, .out = out, .err = err};
  return perform(r);
}

Exit replay(const RunOptions& options, Output& out, Output& err) {
  if (!options.serve) return run_task(options, out, err);
  auto cassette = read_cassette(options.cassette);
  if (!cassette) {
    err << "belay replay: " << folded(cassette.error(), 14) << "\n";
    return Exit::usage;
  }
  const std::string wire(wire::name(cassette->wire));
  Interrupt interrupt;
  auto player = run::Player::make(std::move(*cassette), options.speed);
  if (!player) {
    err << "belay replay: " << folded(player.error(), 14) << "\n";
    return Exit::failed;
  }
  out << "{\"wire\":\"" << wire << "\",\"base_url\":\"" << (*player)->base_url() << "\"}\n";
  out.flush();
  interrupt.wait();
  return Exit::done;
}

}  // namespace belay::cli
