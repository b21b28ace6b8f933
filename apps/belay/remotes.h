// Files that stand for the documents at http://localhost:1234/, which schemas may refer to.
#pragma once

#include <belay/base.h>
#include <belay/json/value.h>

#include <expected>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace belay::cli {

/// http://localhost:1234/a/b.json is the file a/b.json below a folder. A schema comes from a stranger, so that is all
/// it can reach: regular files below the folder, never through "..", nor through a link that leaves it. Nothing is ever
/// fetched. Each file is read once, as strict JSON, and kept as long as this object.
class Remotes {
 public:
  static constexpr std::string_view kBase = "http://localhost:1234/";

  /// The error says why the folder cannot be used.
  static std::expected<Remotes, std::string> open(const std::string& folder, const Limits& limits);

  /// The document of a URI without fragment.
  [[nodiscard]] std::optional<json::Value> find(std::string_view uri);
  /// Why a URI of this folder has none, as half a sentence: "'remotes/a.json' is not a file"; empty for any other.
  [[nodiscard]] std::string_view trouble(std::string_view uri) const;

 private:
  struct Entry {
    json::Document document;
    std::string trouble;
  };
  Remotes(std::string folder, std::filesystem::path root, const Limits& limits);
  [[nodiscard]] Entry read(std::string_view path) const;

  std::string folder_;          // as given
  std::filesystem::path root_;  // without links
  Limits limits_;
  std::unordered_map<std::string, Entry> entries_;  // by URI; nodes stay where they are
};

}  // namespace belay::cli
