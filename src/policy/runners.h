// Programs that run what they are given: as words, as text, or by standard input.
#pragma once

#include "policy/shell_tree.h"

#include <cstddef>
#include <span>
#include <string_view>

namespace BELAY_NAMESPACE::policy {

/// The name without its folder.
std::string_view last_part(std::string_view path);
/// Runs what stands inside of a word: sh, awk, find.
bool runs_text(std::string_view name);
/// Takes a word for shell text: sh, eval, ssh.
bool runs_shell_text(std::string_view name);
/// Runs the command that stands behind it: sudo, nice, xargs; all that runs text, too.
bool runs_words(std::string_view name);
/// True when an expansion of `word` may be `name`, alone or behind a folder. A word without expansions never is.
bool may_expand_to(const Word& word, std::string_view name);
/// The same for any program that runs others.
bool may_expand_to_runner(const Word& word);
/// True when the program words[0], given something on standard input, may take that for what it runs.
bool runs_input(std::span<const Word> words);
/// Words behind a program that is known to run none of them are no programs: grep python.
bool stands_alone(const Word& program);
/// The same as runs_input for a whole command, which may run the program by another one: nice sh.
bool fed_runs(std::span<const Word> words);

}  // namespace BELAY_NAMESPACE::policy
