// From what the model sent to what is kept of it: a turn whose calls are planned and whose history is whole.
#pragma once

#include "task/conversation.h"

#include <belay/task/tree.h>

namespace BELAY_NAMESPACE::task {

/// Judges the calls of an answer by the gate, once. The turn's message holds a block for each call, with an id that is
/// unique in the history and arguments that are a valid JSON object; a call that is a quotation stays as text.
Turn plan_turn(const Conversation& conversation, const Conditions& conditions, turn::Answer answer);

}  // namespace BELAY_NAMESPACE::task
