// Rules that ask about a command or deny it: whether the command may be what they mean.
#pragma once

#include "policy/rule_match.h"

#include <string_view>

namespace BELAY_NAMESPACE::policy {

/// `any_words`: the pattern is the beginning of a command (`rm:*`, without the sign); otherwise it has stars and is
/// about all of it. Every simple command in `command` counts, whatever stands around it, and since commands run others
/// (sudo, env, xargs, sh -c), so does every word that may begin one. `unknown`: it cannot be read, its program is named
/// by a pattern, or a shell or an interpreter would read its program from a pipe, a file or a here-document. Texts for
/// shells are read in turn, 8 deep; time is linear in the command but for that.
Match against(std::string_view pattern, bool any_words, std::string_view command);

}  // namespace BELAY_NAMESPACE::policy
