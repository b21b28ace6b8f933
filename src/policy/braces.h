// Lists in braces, as bash expands them.
#pragma once

#include <belay/version.h>

#include "shell_tree.h"

#include <optional>
#include <span>
#include <vector>

namespace BELAY_NAMESPACE::policy {

/// The words with every `{a,b}` put out, in bash's order; nothing when one of them is more than lists of plain words:
/// quotes, braces inside of braces, sequences such as {1..9}, parts that are empty words, more than 64 words.
std::optional<std::vector<Word>> expand_braces(std::span<const Word> words);

}  // namespace BELAY_NAMESPACE::policy
