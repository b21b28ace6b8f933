#include "doctor.h"

#include <belay/json/writer.h>
#include <belay/policy.h>
#include <belay/sandbox.h>

#include "checkup.h"
#include "command_line.h"
#include "config_flags.h"
#include "json_string.h"
#include "options.h"
#include "terminal.h"
#include "version.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <vector>

namespace belay::cli {
namespace {

using sandbox::Abilities;
using sandbox::Gap;
using sandbox::Level;
using sandbox::Promise;

constexpr std::array kLevels{Level::read_only, Level::workspace_write};

constexpr std::string_view kNoSandbox = "no sandbox, by its name";

struct LevelReport {
  Level level{};
  sandbox::Wall wall{};
  std::vector<Gap> gaps;
  std::vector<std::string> remedies;
  [[nodiscard]] bool enforced() const {
    return std::ranges::all_of(gaps, [](const Gap& gap) { return gap.promise == Promise::minor; });
  }
};

std::vector<LevelReport> reports(const Abilities& abilities) {
  std::vector<LevelReport> out;
  for (Level level : kLevels) {
    const sandbox::Wall wall = abilities.wall_for(level);
    out.push_back({level, wall, sandbox::gaps(level, wall, false, abilities), sandbox::remedies(level, abilities)});
  }
  return out;
}

struct Diagnosis {
  std::vector<Check> model, store, versions;
  std::vector<std::string> notes;
};

bool any_bad(const std::vector<Check>& checks) {
  return std::ranges::any_of(checks, [](const Check& check) { return check.state == Check::State::bad; });
}

std::string as_json(const std::vector<Check>& checks) {
  std::string out = "[";
  for (const Check& check : checks) {
    out += &check == checks.data() ? "" : ",";
    out += R"({"name":)" + json_string(check.name) + R"(,"well":)";
    out += check.state == Check::State::open ? "null" : check.state == Check::State::good ? "true" : "false";
    out += R"(,"what":)" + json_string(check.what) + R"(,"remedy":)" + json_string(check.remedy) + "}";
  }
  return out + "]";
}

std::string as_json(const Diagnosis& found, const Abilities& a, const std::vector<LevelReport>& levels) {
  auto truth = [](bool b) { return b ? "true" : "false"; };
  std::string out = R"({"version":)" + json_string(kVersion) + R"(,"model":)" + as_json(found.model) + R"(,"store":)" +
                    as_json(found.store) + R"(,"versions":)" + as_json(found.versions) +
                    R"(,"sandbox":{"bubblewrap":{"works":)";
  out += truth(a.bubblewrap.works);
  out += R"(,"version":)" + json_string(a.bubblewrap.version) + R"(,"why_not":)" + json_string(a.bubblewrap.why_not);
  out += R"(},"namespaces":{"work":)";
  out += truth(a.namespaces.work);
  out += R"(,"why_not":)" + json_string(a.namespaces.why_not) + R"(},"landlock":)" + std::to_string(a.landlock);
  out += R"(,"seccomp":)";
  out += truth(a.seccomp);
  out += R"(,"root":)";
  out += truth(a.root);
  out += R"(,"in_home":)";
  out += truth(sandbox::is_home({}));
  out += R"(,"levels":[)";
  for (const LevelReport& r : levels) {
    out += &r == levels.data() ? "" : ",";
    out += R"({"level":)" + json_string(sandbox::name(r.level)) + R"(,"by":)" + json_string(sandbox::name(r.wall));
    out += R"(,"enforced":)";
    out += truth(r.enforced());
    out += R"(,"gaps":[)";
    for (const Gap& gap : r.gaps) {
      out += &gap == r.gaps.data() ? "" : ",";
      out += json_string(gap.what);
    }
    out += R"(],"remedies":[)";
    for (const std::string& remedy : r.remedies) {
      out += &remedy == r.remedies.data() ? "" : ",";
      out += json_string(remedy);
    }
    out += "]}";
  }
  out += R"(,{"level":)" + json_string(sandbox::name(Level::danger_full_access)) + R"(,"by":)" +
         json_string(sandbox::name(sandbox::Wall::none)) + R"(,"enforced":null,"gaps":[)" + json_string(kNoSandbox) +
         R"(],"remedies":[]})";
  return out + "]}}\n";
}

std::string as_text(const Check& check, const Style& style) {
  constexpr std::size_t kName = 20;
  std::string name = check.name;
  name.resize(kName, ' ');
  const bool good = check.state == Check::State::good;
  const std::string mark = check.state == Check::State::open ? "-  " : good ? style.green("yes") : style.red("no ");
  std::string out = "  " + mark + "  " + name + folded(check.what, kName + 7) + "\n";
  if (!check.remedy.empty()) out += "         + " + folded(check.remedy, 11) + "\n";
  return out;
}

// What a person sees, as it becomes known: a server may take its time. Of JSON there is only the whole.
class Sheet {
 public:
  Sheet(Output& out, bool shown) : out_(out), shown_(shown), style_(Style::for_terminal(out.is_terminal())) {}

  void section(std::string_view title) {
    if (!shown_) return;
    out_ << (begun_ ? "\n" : "") << title << "\n";
    begun_ = true;
  }
  void row(const Check& check) {
    if (!shown_) return;
    out_ << as_text(check, style_);
    out_.flush();
  }
  void rows(const std::vector<Check>& checks) {
    for (const Check& check : checks) row(check);
  }
  void text(const std::string& text) {
    if (shown_) out_ << text;
  }
  [[nodiscard]] const Style& style() const { return style_; }

 private:
  Output& out_;
  bool shown_;
  Style style_;
  bool begun_ = false;
};

std::string as_text(const Abilities& a, const std::vector<LevelReport>& levels, const Style& style) {
  std::string out;
  constexpr std::size_t kName = 20;  // columns of a name; what is said of it stands behind
  auto line = [&](const std::string& mark, std::string_view what, const std::string& how) {
    std::string name(what);
    name.resize(kName, ' ');
    out += "  " + mark + "  " + name + folded(how, kName + 7) + "\n";
  };
  auto truth = [&](bool good) { return good ? style.green("yes") : style.yellow("no "); };
  line(truth(a.namespaces.work), "namespaces",
       a.namespaces.work ? (a.namespaces.with_user ? "through a user namespace" : "by the rights of root")
                         : a.namespaces.why_not);
  line(truth(a.bubblewrap.works), "bubblewrap", a.bubblewrap.works ? a.bubblewrap.version : a.bubblewrap.why_not);
  line(truth(a.landlock > 0), "Landlock",
       a.landlock > 0 ? "version " + std::to_string(a.landlock) : "this kernel has none");
  line(truth(a.seccomp), "seccomp", a.seccomp ? "system calls can be denied" : "this kernel has none");
  out += "\nWhat commands of execute_command can be held to\n";
  for (const LevelReport& r : levels) {
    line(truth(r.enforced()), sandbox::name(r.level),
         r.enforced() ? "enforced by " + std::string(sandbox::name(r.wall))
                      : "not enforced here; refused without --insist");
    for (const Gap& gap : r.gaps)
      out += (gap.promise == Promise::minor ? "         - " : "         ! ") + folded(gap.what, 11) + "\n";
    if (!r.remedies.empty()) out += "         What helps, one of:\n";
    for (const std::string& remedy : r.remedies) out += "         + " + folded(remedy, 11) + "\n";
  }
  line("-  ", sandbox::name(Level::danger_full_access), std::string(kNoSandbox));
  if (sandbox::is_home({})) out += "  note: " + folded("here " + std::string(policy::kInHome), 8) + "\n";
  return out;
}

}  // namespace

std::expected<DoctorOptions, std::string> parse_doctor_options(std::span<const std::string> arguments) {
  std::vector<Option> known(config_options().begin(), config_options().end());
  known.push_back({"--json"});
  known.push_back({"--offline"});
  known.push_back({"--idle-timeout", '\0', true});
  const auto line = read_command_line(arguments, known);
  if (!line) return std::unexpected(line.error());
  if (!line->words.empty()) return std::unexpected("takes no '" + clipped(line->words.front(), 60) + "'");
  DoctorOptions out{line->help, line->has("--json"), line->has("--offline"), 60, config_flags(*line)};
  if (const auto given = line->value("--idle-timeout")) {
    const auto seconds = parse_size(*given);
    if (!seconds || *seconds == 0 || *seconds > 86'400)
      return std::unexpected("--idle-timeout is a number of seconds from 1 to 86400, not '" + clipped(*given, 60) +
                             "'");
    out.idle_timeout = static_cast<std::int64_t>(*seconds);
  }
  return out;
}

Exit doctor(const DoctorOptions& options, Output& out, Output& err) {
  Diagnosis found;
  Sheet sheet(out, !options.json);
  found.versions = check_versions();
  sheet.section("Versions");
  sheet.rows(found.versions);
  sheet.section("Model");
  if (auto config = load_config(options.flags)) {
    found.model = check_model(*config, {options.offline, options.idle_timeout * 1000},
                              [&](const Check& check) { sheet.row(check); });
    found.store = check_store(*config);
    sheet.section("Store");
    sheet.rows(found.store);
    found.notes = config->notes;
    sheet.text(found.notes.empty() ? "" : "\n");
    for (const std::string& note : found.notes) sheet.text("  note: " + folded(note, 8) + "\n");
  } else {
    found.model.push_back({"config", Check::State::bad, describe(config.error()), "mend it; nothing runs until then"});
    sheet.rows(found.model);
  }
  sheet.section("Sandbox");
  const Abilities abilities = sandbox::probe();
  const std::vector<LevelReport> levels = reports(abilities);
  sheet.text(as_text(abilities, levels, sheet.style()));
  if (options.json) out << as_json(found, abilities, levels);
  out.finish();
  if (out.error() != 0) {
    if (out.error() != EPIPE)
      err << "belay doctor: cannot write to standard output: " << std::strerror(out.error()) << "\n";
    return Exit::failed;
  }
  const bool well =
      std::ranges::all_of(levels, &LevelReport::enforced) && !any_bad(found.model) && !any_bad(found.store);
  return well ? Exit::done : Exit::doubtful;
}

}  // namespace belay::cli
