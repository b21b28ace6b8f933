// Random records: every body, every member.
#pragma once

#include "support/choices.h"

#include <belay/task/record.h>

#include <string>
#include <vector>

namespace belay::check {

/// Valid UTF-8 of all sorts, NUL and control characters too; often short, often empty.
std::string any_text(Choices& choices);
chat::Block any_block(Choices& choices, std::size_t depth = 2);
std::vector<chat::Block> any_blocks(Choices& choices);
chat::Message any_message(Choices& choices);
/// The body of Body's alternative number `index`.
task::Body any_body(Choices& choices, std::size_t index);

}  // namespace belay::check
