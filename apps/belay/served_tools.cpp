// The built-in tools as other agents get them: the gate of `belay tool`, and nobody to ask.
#include "mcp_serve.h"

#include "check_rules.h"
#include "own_folders.h"
#include "serve_remedy.h"

#include <belay/builtin.h>
#include <belay/json.h>
#include <belay/policy.h>
#include <belay/regex.h>
#include <belay/run.h>
#include <belay/sandbox.h>

#include <utility>

namespace belay::cli {
namespace {

constexpr std::string_view kRepair = "repair_json";
constexpr std::string_view kNoNetwork =
    " Commands reach no network here: downloads and requests fail, whatever the command. Only whoever starts belay mcp "
    "serve can change that, with --network.";

std::string one_line(const std::string& schema) {
  const json::Reading reading = json::read(schema);
  return json::to_string(reading.document.root());
}

// What is true of a tool in the worst case that this server lets happen.
mcp::Annotations hints_of(const tool::Spec& spec, bool open_world) {
  mcp::Annotations out;
  const bool reads = spec.effect == tool::Effect::read;
  out.read_only = reads;
  if (!reads) {
    out.destructive = true;  // a file is replaced, a command may remove anything in the workspace
    out.idempotent = spec.name == "write_to_file";
  }
  out.open_world = spec.effect == tool::Effect::execute && open_world;
  return out;
}

class Tools final : public ServedTools {
 public:
  Tools(std::unique_ptr<const schema::Regexes> regexes, tool::Registry tools, policy::Permissions permissions,
        bool open_world, bool network, std::size_t repair_bytes)
      : regexes_(std::move(regexes)),
        tools_(std::move(tools)),
        permissions_(std::move(permissions)),
        open_world_(open_world),
        network_(network),
        repair_bytes_(repair_bytes) {}

  [[nodiscard]] std::vector<mcp::OfferedTool> offered() const override {
    std::vector<mcp::OfferedTool> out;
    for (const tool::Tool& tool : tools_.tools()) {
      if (!tool.has_code()) continue;  // it means something only in a task of Belay's own
      const tool::Spec& spec = tool.spec();
      mcp::OfferedTool one;
      one.name = spec.name;
      one.description = spec.description;
      if (spec.effect == tool::Effect::execute && !network_) one.description += kNoNetwork;
      one.input_schema = one_line(spec.parameters);
      if (spec.name == kRepair) one.output_schema = one_line(std::string(builtin::repair_json_output()));
      one.hints = hints_of(spec, open_world_);
      one.aliases = spec.aliases;
      out.push_back(std::move(one));
    }
    return out;
  }

  [[nodiscard]] std::string instructions() const override {
    return "Files and commands of the folder " + permissions_.workspace +
           "; paths are relative to it. Commands run in a sandbox. What is not permitted is refused, with a reason "
           "that says who can allow it: do not try it again. repair_json mends JSON that a model damaged, and says "
           "whether the value can be trusted.";
  }

  [[nodiscard]] mcp::CallOutcome carry(const mcp::ServedCall& served) const override {
    run::GatedCall call{.tool = served.tool, .arguments = served.arguments};
    call.permissions = permissions_;
    call.ask = [&](const policy::Plan& plan, std::size_t run,
                   const std::string& reason) -> std::optional<tool::Result> {
      served.log(mcp::LogLevel::warning, served.tool + " was refused: " + reason);
      tool::Result out = policy::denied(plan.tool->spec().name, reason);
      out.content.push_back(chat::text_block(serve_remedy(permissions_, plan, run, reason)));
      return out;
    };
    call.begin = [&] { return served.stop; };
    call.progress = served.output;
    // Half an object would be no object.
    if (served.tool == kRepair) call.limits.text_bytes = repair_bytes_ + (1u << 20);
    mcp::CallOutcome out{run::run_gated(tools_, call)};
    served.log(mcp::LogLevel::info, served.tool + (out.result.is_error ? ": an error" : ": done"));
    if (served.tool != kRepair) return out;
    for (const chat::Block& block : out.result.content)
      if (block.text.starts_with('{')) {
        out.structured = block.text;
        break;
      }
    return out;
  }

 private:
  std::unique_ptr<const schema::Regexes> regexes_;  // the tools use them
  tool::Registry tools_;
  policy::Permissions permissions_;
  bool open_world_, network_;
  std::size_t repair_bytes_;
};

}  // namespace

std::expected<std::shared_ptr<const ServedTools>, std::string> ServedTools::make(const ServeMcpOptions& options,
                                                                                 config::Config& config) {
  sandbox::WorkspaceOptions where;
  where.limits = options.file_limits;
  where.protected_folders = own_folders(config::process_environment(), options.workspace);
  auto workspace = sandbox::Workspace::open(options.workspace, where);
  if (!workspace) return std::unexpected("--workspace: " + workspace.error().message);
  builtin::Place place;
  place.workspace = std::make_shared<const sandbox::Workspace>(std::move(*workspace));
  place.level = config.sandbox.value;
  place.network = config.network.value;
  place.insist = options.insist;
  place.limits = options.command_limits;
  auto regexes = regex::make_regexes();
  auto tools = builtin::tools(place, regexes.get());
  if (!tools) return std::unexpected(std::move(tools.error()));
  auto repair = builtin::repair_json(regexes.get(), options.repair_bytes);
  if (!repair) return std::unexpected(std::move(repair.error()));
  tools->add(std::move(*repair));
  if (auto checked = check_rules(config.rules, *tools); !checked) return std::unexpected(std::move(checked.error()));
  policy::Permissions permissions = config::permissions(config);
  permissions.workspace = place.workspace->root();
  permissions.home = sandbox::is_home(place.workspace->root());
  const bool open_world = place.network || place.insist || place.level == sandbox::Level::danger_full_access;
  const bool network = place.network || place.level == sandbox::Level::danger_full_access;
  return std::make_shared<const Tools>(std::move(regexes), std::move(*tools), std::move(permissions), open_world,
                                       network, options.repair_bytes);
}

}  // namespace belay::cli
