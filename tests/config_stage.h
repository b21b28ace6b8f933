// A person with a config file, an environment and a command line, none of them this process's own.
#pragma once

#include <belay/config.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "scratch_folder.h"

#include <map>
#include <string>
#include <string_view>

namespace belay::config {

class Stage : public ::testing::Test {
 protected:
  Stage() { ::chmod(folder_.ws().c_str(), 0700); }

  /// The config file, for its owner only unless `mode` says otherwise.
  void file(std::string_view text, mode_t mode = 0600) {
    folder_.put("config.toml", text);
    ASSERT_EQ(::chmod(path().c_str(), mode), 0);
  }
  [[nodiscard]] std::string path() const { return folder_.in("config.toml"); }
  [[nodiscard]] Environment environment() const {
    return [this](std::string_view name) -> std::optional<std::string> {
      const auto found = env.find(std::string(name));
      return found == env.end() ? std::nullopt : std::optional(found->second);
    };
  }
  [[nodiscard]] std::expected<Config, Problem> loaded() const {
    return load(flags, environment(), Places{path(), folder_.in("data")});
  }
  [[nodiscard]] Config config() const {
    auto out = loaded();
    if (out) return *out;
    ADD_FAILURE() << describe(out.error());
    return {};
  }
  [[nodiscard]] Problem problem() const {
    auto out = loaded();
    if (!out) return out.error();
    ADD_FAILURE() << "it was accepted";
    return {};
  }
  /// What is wrong with a file of this text.
  [[nodiscard]] Problem problem_with(std::string_view text) {
    file(text);
    return problem();
  }
  /// What belay config would show of a setting.
  static Line line(const Config& config, std::string_view name) {
    for (const Line& one : listing(config))
      if (one.name == name) return one;
    ADD_FAILURE() << "no setting " << name;
    return {};
  }
  static std::string all_text(const Config& config) {
    std::string out = config.unusable;
    for (const std::string& note : config.notes) out += "\n" + note;
    for (const Line& one : listing(config)) out += "\n" + one.name + " " + one.value + " " + describe(one.source);
    return out;
  }
  static bool has(std::string_view text, std::string_view part) { return text.find(part) != text.npos; }

  Flags flags;
  std::map<std::string, std::string> env;
  check::ScratchFolder folder_;
};

}  // namespace belay::config
