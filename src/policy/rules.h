// Rules beyond the table: commands whose words are a small language of their own. Each gives a reason to ask, or
// nothing when the words are provably harmless.
#pragma once

#include <belay/version.h>

#include "commands.h"

namespace BELAY_NAMESPACE::policy::rules {

std::string awk(const Use&);
std::string date(const Use&);
std::string find(const Use&);
std::string jq(const Use&);
std::string names_only(const Use&);         ///< operands are names of commands
std::string no_response_files(const Use&);  ///< no word begins with @, which would mean words from a file
std::string print_format(const Use&);
std::string sed(const Use&);
std::string seq(const Use&);
std::string tail(const Use&);
std::string test(const Use&);

std::string git_branch(const Use&);
std::string git_config(const Use&);
std::string git_format(const Use&);
std::string git_reflog(const Use&);
std::string git_remote(const Use&);
std::string git_stash(const Use&);
std::string git_submodule(const Use&);
std::string git_tag(const Use&);
std::string git_worktree(const Use&);

/// True when a sed script can only print, delete and replace.
bool harmless_sed(std::string_view script);
/// True when an awk program can only compute and print.
bool harmless_awk(std::string_view program);
/// True when a jq filter reads nothing but its input.
bool harmless_jq(std::string_view filter);

}  // namespace BELAY_NAMESPACE::policy::rules
