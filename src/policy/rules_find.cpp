// find: every word must be one that is known only to look.
#include "rules.h"

#include "paths.h"
#include "words.h"

#include <algorithm>

namespace BELAY_NAMESPACE::policy::rules {
namespace {

constexpr std::string_view kAlone[] = {
    "-empty",   "-executable", "-readable", "-writable", "-true", "-false",  "-nouser",
    "-nogroup", "-daystart",   "-depth",    "-mount",    "-xdev", "-noleaf", "-print",
    "-print0",  "-ls",         "-prune",    "-quit",     "-not",  "-a",      "-and",
    "-o",       "-or",         "!",         "(",         ")",     ",",       "-ignore_readdir_race",
    "-nowarn",  "-warn"};
constexpr std::string_view kWithText[] = {
    "-name",  "-iname",  "-path",     "-ipath",    "-wholename", "-iwholename", "-regex",   "-iregex", "-regextype",
    "-lname", "-ilname", "-type",     "-xtype",    "-size",      "-mtime",      "-atime",   "-ctime",  "-mmin",
    "-amin",  "-cmin",   "-maxdepth", "-mindepth", "-perm",      "-user",       "-group",   "-uid",    "-gid",
    "-links", "-inum",   "-used",     "-fstype",   "-printf",    "-newermt",    "-newerat", "-newerct"};
constexpr std::string_view kWithPath[] = {"-newer", "-anewer", "-cnewer", "-samefile"};
constexpr std::string_view kActions[] = {"-exec",   "-execdir", "-ok",      "-okdir", "-delete",
                                         "-fprint", "-fprint0", "-fprintf", "-fls"};

bool begins_expression(std::string_view text) { return text.starts_with('-') || text == "(" || text == "!"; }

std::string not_known(std::string_view word) {
  if (among(kActions, word)) return "find with " + std::string(word) + " changes files or runs commands";
  return "the word " + spoken(word) + " of find is not one that is known";
}

}  // namespace

std::string find(const Use& use) {
  auto words = use.words;
  while (!words.empty() && (words[0].text == "-P" || words[0].text == "-H")) words = words.subspan(1);
  while (!words.empty() && !begins_expression(words[0].text)) {
    const PathVerdict path = judge_path(words[0], use.workspace);
    if (path.is != PathVerdict::Is::inside)
      return path.reason.empty() ? "find reads outside of the workspace" : std::string(path.reason);
    // Several names of files are several places to begin at; one with a dash would be an action.
    if (words[0].glob() && words[0].glob_at == 0) return "a pattern can expand to an action of find";
    words = words.subspan(1);
  }
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string_view word = words[i].text;
    if (!words[i].literal()) return "a pattern without quotes can expand to an action of find";
    if (among(kAlone, word)) continue;
    const bool path = among(kWithPath, word);
    if (!path && !among(kWithText, word)) return not_known(word);
    if (++i >= words.size()) return "find ends in the middle of a test";
    if (!words[i].literal()) return "a pattern without quotes can expand to an action of find";
    if (path)
      if (const PathVerdict verdict = judge_path(words[i], use.workspace); verdict.is != PathVerdict::Is::inside)
        return "find reads outside of the workspace";
  }
  return {};
}

}  // namespace BELAY_NAMESPACE::policy::rules
