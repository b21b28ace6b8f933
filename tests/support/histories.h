// Random conversations: whole ones, and ones that are broken in every way there is.
#pragma once

#include "support/choices.h"

#include <belay/chat/message.h>

#include <string>
#include <utility>
#include <vector>

namespace belay::check {

/// A message of the person's.
inline chat::Message says(std::string text) { return {chat::Role::user, {chat::text_block(std::move(text))}, {}}; }

/// A conversation in which every call has its result: `turns` answers at most, each result with a text of its own.
std::vector<chat::Message> whole_history(Choices& choices, std::size_t turns = 6);
/// Anything: calls and results of a few ids in any messages of any role, in any order and number, arguments of any
/// kind.
std::vector<chat::Message> any_history(Choices& choices);
/// A whole one with a few things broken.
std::vector<chat::Message> broken_history(Choices& choices);

/// The texts of all blocks, those inside of results too.
std::vector<std::string> texts_of(const std::vector<chat::Message>& history);
/// The data or addresses of all images.
std::vector<std::string> images_of(const std::vector<chat::Message>& history);

}  // namespace belay::check
