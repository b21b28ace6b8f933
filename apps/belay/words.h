// What each kind of edit means, in words for people.
#pragma once

#include <belay/json/edit.h>
#include <belay/json/verdict.h>

#include <string>
#include <string_view>

namespace belay::cli {

struct EditWords {
  std::string_view what;    ///< what was found: "a comma before a closing bracket"
  std::string_view remedy;  ///< what to send instead, as a request: "leave the last comma out"
};

EditWords words(json::EditKind);

/// Why an edit of a kind that is certain elsewhere is a guess here, to be put behind what was found; empty for others.
std::string_view doubt(json::EditKind);

/// What the verdict means for someone who wants to use the value.
std::string_view meaning(json::Word);

/// A message of the library for somebody at a shell: without the C++ names of limits.
std::string for_shell(std::string_view message);

/// What to do about an error, as a sentence; empty where its message says that already.
std::string_view remedy(json::ErrorKind);

}  // namespace belay::cli
