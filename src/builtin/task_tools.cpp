#include "builtin/task_tools.h"

#include <utility>

namespace BELAY_NAMESPACE::builtin {
namespace {

tool::Spec meta(std::string name, std::string description, std::string parameters) {
  tool::Spec spec;
  spec.name = std::move(name);
  spec.description = std::move(description) + " The arguments are one JSON object.";
  spec.parameters = std::move(parameters);
  spec.effect = tool::Effect::meta;
  spec.needs_task = true;
  return spec;
}

}  // namespace

tool::Spec ask_followup_question_spec() {
  return meta(
      "ask_followup_question",
      "Asks the person one question when something that you need to know can be found nowhere else. Offer two to "
      "four answers in the list follow_up, each whole and ready to be taken as it is.",
      R"({"type":"object","properties":{
                   "question":{"type":"string","minLength":1,"description":"The question, clear by itself."},
                   "follow_up":{"type":"array","maxItems":8,"description":"Answers to choose from.",
                                "items":{"type":"string","minLength":1}}},
                  "required":["question"],"additionalProperties":false})");
}

tool::Spec update_todo_list_spec() {
  return meta(
      "update_todo_list",
      "Replaces the list of todos with this one: send all of them each time, one a line, as a Markdown checklist: "
      "[ ] for what is open, [-] for what is being done, [x] for what is done.",
      R"({"type":"object","properties":{
                   "todos":{"type":"string","description":"The whole checklist, one todo a line."}},
                  "required":["todos"],"additionalProperties":false})");
}

tool::Spec attempt_completion_spec() {
  return meta("attempt_completion",
              "Says that the task is done and shows its result to the person. Call it alone, after you have seen that "
              "every tool before it succeeded. Do not end the result with a question.",
              R"({"type":"object","properties":{
                   "result":{"type":"string","minLength":1,"description":"What was done, as a final answer."}},
                  "required":["result"],"additionalProperties":false})");
}

tool::Spec new_task_spec() {
  return meta(
      "new_task",
      "Starts a task of its own with a fresh conversation; its result comes back as the result of this call. Say "
      "in the message all that it needs to know. One call for each task.",
      R"({"type":"object","properties":{
                   "message":{"type":"string","minLength":1,"description":"What is to be done, with all that is needed."},
                   "todos":{"type":"string","description":"A Markdown checklist to begin with."}},
                  "required":["message"],"additionalProperties":false})");
}

}  // namespace BELAY_NAMESPACE::builtin
