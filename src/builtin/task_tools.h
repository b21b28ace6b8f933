// The tools that mean something only while a task runs: what a model is told of them. The task gives them their code.
#pragma once

#include <belay/tool.h>

namespace BELAY_NAMESPACE::builtin {

/// {question, follow_up?}: a question to the person, with answers to choose from.
tool::Spec ask_followup_question_spec();
/// {todos}: the list of what is to be done, as a whole.
tool::Spec update_todo_list_spec();
/// {result}: the task is done, and this is what came of it.
tool::Spec attempt_completion_spec();
/// {message, todos?}: a task of its own, whose result comes back as this call's.
tool::Spec new_task_spec();

}  // namespace BELAY_NAMESPACE::builtin
