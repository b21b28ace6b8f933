// Whether a rule is about a call: patterns over paths and commands.
#pragma once

#include <belay/policy/permission.h>

#include <string>
#include <string_view>

namespace BELAY_NAMESPACE::policy {

/// What a call is about, as rules see it.
struct Subject {
  std::string text;         ///< the command as it is; the path as plain as its text allows; empty for neither
  bool is_command = false;  ///< `text` is a shell command
  std::string folder{};     ///< where a command starts, as it was given; empty: in the workspace
};
/// `workspace`: an absolute path, or empty. Paths below it are seen as relative to it.
Subject subject_of(const tool::Spec& spec, json::Value arguments, std::string_view workspace);

enum class Match : std::uint8_t {
  no,
  yes,
  unknown,  ///< the command cannot be read, so a rule against it cannot be checked
};
/// A rule that allows matches only what it surely means; one that asks or denies, everything that it may mean.
Match matches(const Rule& rule, const tool::Spec& spec, const Subject& subject);

/// * stands for anything but /, ** for anything at all. At most pattern times text steps.
bool glob(std::string_view pattern, std::string_view text);

/// Without `.`, doubled slashes and the `..` that the text itself takes back; relative where it lies below `workspace`.
std::string plain_path(std::string_view path, std::string_view workspace);

}  // namespace BELAY_NAMESPACE::policy
