#include "text/dialect_table.h"

#include <algorithm>

namespace BELAY_NAMESPACE::text {
namespace {

constexpr std::string_view kToolsOpen = "<tools>\n", kToolsClose = "\n</tools>";
constexpr std::string_view kResponse = "<tool_response>\n{text}\n</tool_response>";
constexpr std::string_view kRoo = "[{call}] Result:\n{marked}";

constexpr Written json_in(std::string_view format) {
  return {.format = format,
          .tools_open = kToolsOpen,
          .tools_close = kToolsClose,
          .result = kResponse,
          .gap = "\n",
          .between = "\n"};
}

constexpr Written json_list(std::string_view format) { return {.format = format, .shown = Shown::list, .list = true}; }

constexpr Written coder(std::string_view format) {
  return {.format = format,
          .grammar = Grammar::tags,
          .shown = Shown::elements,
          .tools_open = kToolsOpen,
          .tools_close = kToolsClose,
          .result = kResponse,
          .between = "\n",
          .each = true,
          .broken_lines = true,
          .value_gap = "\n"};
}

constexpr Written invoke(std::string_view format) {
  return {.format = format,
          .grammar = Grammar::tags,
          .tools_open = kToolsOpen,
          .tools_close = kToolsClose,
          .between = "\n",
          .broken_lines = true};
}

constexpr Written glm(std::string_view format, bool lines) {
  return {.format = format,
          .grammar = Grammar::tags,
          .tools_open = kToolsOpen,
          .tools_close = kToolsClose,
          .result = kResponse,
          .between = "\n",
          .broken_lines = lines};
}

constexpr Written dsml(std::string_view format) {
  return {.format = format,
          .grammar = Grammar::tags,
          .tools_open = "<functions>\n",
          .tools_close = "\n</functions>",
          .result = "<result>{text}</result>",
          .results_open = "<function_results>\n",
          .results_close = "\n</function_results>",
          .between = "\n",
          .broken_lines = true,
          .typed = Typed::string};
}

constexpr Written python(std::string_view format, Grammar grammar) {
  return {.format = format, .grammar = grammar, .shown = Shown::list, .between = ", "};
}

constexpr Written kWritten[] = {
    {.format = "xml",
     .grammar = Grammar::tags,
     .shown = Shown::prose,
     .result = kRoo,
     .results_between = "\n\n",
     .between = "\n\n",
     .broken_lines = true,
     .one = true},
    json_in("hermes"),
    json_in("qwen3"),
    {.format = "ernie45",
     .tools_open = kToolsOpen,
     .tools_close = kToolsClose,
     .result = "<tool_output>\n{text}\n</tool_output>",
     .gap = "\n",
     .between = "\n"},
    json_in("longcat"),
    {.format = "tool_tag", .shown = Shown::bare_list, .between = "\n"},
    coder("qwen3_coder"),
    coder("mimo"),
    {.format = "seed_oss", .grammar = Grammar::tags, .between = "\n", .each = true, .broken_lines = true},
    glm("glm45", true),
    glm("glm47", false),
    {.format = "hy_v3", .grammar = Grammar::tags, .tools_open = kToolsOpen, .tools_close = kToolsClose},
    {.format = "hunyuan_a13b",
     .shown = Shown::list,
     .result = "<tool_response>{text}</tool_response>",
     .results_open = "<tool_responses>",
     .results_close = "</tool_responses>",
     .list = true},
    {.format = "jamba", .tools_open = kToolsOpen, .tools_close = kToolsClose, .list = true, .gap = "\n"},
    {.format = "apriel",
     .shown = Shown::list,
     .tools_open = "<available_tools>",
     .tools_close = "</available_tools>",
     .list = true,
     .id_key = "id"},
    {.format = "minimax_m2",
     .grammar = Grammar::tags,
     .tools_open = kToolsOpen,
     .tools_close = kToolsClose,
     .result = "<response>{text}</response>",
     .between = "\n",
     .broken_lines = true},
    invoke("minimax_m3"),
    {.format = "deepseek_v3",
     .grammar = Grammar::named,
     .shown = Shown::prose,
     .result = "<｜tool▁output▁begin｜>{text}<｜tool▁output▁end｜>",
     .results_open = "<｜tool▁outputs▁begin｜>",
     .results_close = "<｜tool▁outputs▁end｜>",
     .between = "\n",
     .before_name = "function<｜tool▁sep｜>",
     .before_arguments = "\n```json\n",
     .after_arguments = "\n```"},
    {.format = "deepseek_v31",
     .grammar = Grammar::named,
     .shown = Shown::prose,
     .result = "<｜tool▁output▁begin｜>{text}<｜tool▁output▁end｜>",
     .results_between = ""},
    dsml("deepseek_v32_dsml"),
    dsml("deepseek_v4_dsml"),
    {.format = "kimi_k2",
     .grammar = Grammar::named,
     .shown = Shown::list,
     .result = "## Return of {id}\n{text}",
     .results_between = "\n\n",
     .counted = true},
    {.format = "kimi_k3",
     .grammar = Grammar::tags,
     .shown = Shown::list,
     .index_attribute = "index",
     .typed = Typed::type},
    {.format = "mistral_old",
     .shown = Shown::list,
     .tools_open = "[AVAILABLE_TOOLS]",
     .tools_close = "[/AVAILABLE_TOOLS]",
     .result = "[TOOL_RESULTS]{\"content\": {text_json}, \"call_id\": {id_json}}[/TOOL_RESULTS]",
     .results_between = "",
     .list = true,
     .id_key = "id"},
    {.format = "mistral_new",
     .grammar = Grammar::named,
     .shown = Shown::list,
     .tools_open = "[AVAILABLE_TOOLS]",
     .tools_close = "[/AVAILABLE_TOOLS]",
     .result = "[TOOL_RESULTS]{text}[/TOOL_RESULTS]",
     .results_between = ""},
    {.format = "llama3_json",
     .grammar = Grammar::bare_json,
     .shown = Shown::list,
     .result = "{\"output\": {text_json}}",
     .between = "; ",
     .arguments_key = "parameters"},
    {.format = "llama3_python_tag", .shown = Shown::list, .result = "{\"output\": {text_json}}", .between = "\n"},
    python("pythonic", Grammar::bare_python),
    python("llama4_pythonic", Grammar::bare_python),
    {.format = "olmo3",
     .grammar = Grammar::python,
     .shown = Shown::list,
     .tools_open = "<functions>",
     .tools_close = "</functions>",
     .between = "\n"},
    {.format = "lfm2",
     .grammar = Grammar::python,
     .shown = Shown::bare_list,
     .tools_open = "<|tool_list_start|>",
     .tools_close = "<|tool_list_end|>",
     .result = "<|tool_response_start|>{text}<|tool_response_end|>",
     .between = ", "},
    json_list("granite3"),
    {.format = "granite_20b_fc", .shown = Shown::bare_list, .gap = " ", .between = "\n"},
    {.format = "functionary_v31", .grammar = Grammar::tags, .shown = Shown::list, .between = "\n", .body = true},
    {.format = "functionary_v32",
     .grammar = Grammar::named,
     .shown = Shown::typescript,
     .tools_open = "namespace functions {\n\n",
     .tools_close = "\n} // namespace functions",
     .between = "\n"},
    json_list("firefunction_v2"),
    {.format = "phi4_mini",
     .shown = Shown::bare_list,
     .tools_open = "<|tool|>",
     .tools_close = "<|/tool|>",
     .list = true},
    {.format = "command_r7b",
     .shown = Shown::list,
     .result =
         "{\"tool_call_id\": {id_json}, \"results\": {\"0\": {\"content\": {text_json}}}, \"is_error\": {error_json}}",
     .results_open = "<|START_TOOL_RESULT|>[\n",
     .results_close = "\n]<|END_TOOL_RESULT|>",
     .results_between = ",\n",
     .list = true,
     .id_key = "tool_call_id"},
    {.format = "command_r_plus",
     .shown = Shown::prose,
     .result = "Document: {index}\n{name}\n{marked}",
     .results_open = "<results>\n",
     .results_close = "\n</results>",
     .results_between = "\n\n",
     .list = true,
     .before_arguments = "\n```json\n",
     .after_arguments = "\n```"},
    {.format = "harmony",
     .grammar = Grammar::harmony,
     .shown = Shown::typescript,
     .tools_open = "namespace functions {\n\n",
     .tools_close = "\n} // namespace functions",
     .result = "<|start|>functions.{name} to=assistant<|channel|>commentary<|message|>{text_json}<|end|>",
     .results_between = "",
     .between = "<|start|>assistant"},
    {.format = "gemma4",
     .grammar = Grammar::script,
     .shown = Shown::list,
     .result = "<|tool_response>response:{name}{value:<|\"|>{text}<|\"|>}<tool_response|>",
     .results_between = ""},
    {.format = "functiongemma",
     .grammar = Grammar::script,
     .shown = Shown::list,
     .result = "<start_function_response>response:{name}{value:<escape>{text}<escape>}<end_function_response>",
     .results_between = ""},
    {.format = "internlm",
     .shown = Shown::bare_list,
     .gap = "\n",
     .between = "\n",
     .arguments_key = "parameters",
     .each = true},
    {.format = "xlam", .grammar = Grammar::bare_json, .shown = Shown::bare_list, .list = true},
    {.format = "nemotron_nano_v2",
     .shown = Shown::list,
     .tools_open = "<AVAILABLE_TOOLS>",
     .tools_close = "</AVAILABLE_TOOLS>",
     .result = "{text_json}",
     .results_open = "<TOOL_RESPONSE>[",
     .results_close = "]</TOOL_RESPONSE>",
     .results_between = ", ",
     .list = true},
    {.format = "apertus", .shown = Shown::typescript, .list = true},
    {.format = "gigachat3", .shown = Shown::typescript, .between = "\n"},
    {.format = "step3",
     .grammar = Grammar::tags,
     .tools_open = kToolsOpen,
     .tools_close = kToolsClose,
     .outer_nests = true},
    {.format = "minicpm5",
     .grammar = Grammar::tags,
     .tools_open = kToolsOpen,
     .tools_close = kToolsClose,
     .result = kResponse,
     .between = "\n"},
    {.format = "dots", .grammar = Grammar::tags},
    invoke("muse_glimmer"),
    {.format = "inkling", .grammar = Grammar::named, .shown = Shown::bare_list, .name_inside = true},
    {.format = "json", .grammar = Grammar::bare_json, .shown = Shown::bare_list, .between = "\n"},
};

}  // namespace

const Written& written(std::string_view format) {
  const auto* found =
      std::find_if(std::begin(kWritten), std::end(kWritten), [&](const Written& how) { return how.format == format; });
  return found == std::end(kWritten) ? kWritten[0] : *found;
}

const Row& row_of(const Written& how) {
  auto all = rows();
  auto found = std::find_if(all.begin(), all.end(),
                            [&](const Row& row) { return row.format == how.format && row.grammar == how.grammar; });
  return found == all.end() ? all.front() : *found;
}

}  // namespace BELAY_NAMESPACE::text
