#include "remotes.h"

#include "strict_text.h"
#include "terminal.h"

#include <algorithm>
#include <system_error>
#include <utility>

namespace belay::cli {
namespace {

namespace fs = std::filesystem;

int hex(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

// One step of a path; nothing when it is none: empty, "." or "..", with a byte that no file name can have, or with a
// query behind it.
std::optional<std::string> decoded_step(std::string_view step) {
  std::string out;
  for (std::size_t i = 0; i < step.size(); ++i) {
    if (step[i] == '?') return std::nullopt;
    if (step[i] != '%') {
      out += step[i];
      continue;
    }
    if (i + 2 >= step.size() || hex(step[i + 1]) < 0 || hex(step[i + 2]) < 0) return std::nullopt;
    out += static_cast<char>(hex(step[i + 1]) * 16 + hex(step[i + 2]));
    i += 2;
  }
  if (out.empty() || out == "." || out == ".." || out.find('/') != out.npos || out.find('\0') != out.npos)
    return std::nullopt;
  return out;
}

std::optional<fs::path> decoded_path(std::string_view path) {
  fs::path out;
  for (bool more = true; more;) {
    const std::size_t slash = path.find('/');
    more = slash != path.npos;
    auto step = decoded_step(path.substr(0, slash));
    if (!step) return std::nullopt;
    out /= *step;
    path.remove_prefix(more ? slash + 1 : path.size());
  }
  return out;
}

bool is_below(const fs::path& path, const fs::path& folder) {
  const auto [end, rest] = std::mismatch(folder.begin(), folder.end(), path.begin(), path.end());
  return end == folder.end() && rest != path.end();
}

}  // namespace

std::expected<Remotes, std::string> Remotes::open(const std::string& folder, const Limits& limits) {
  std::error_code code;
  fs::path root = fs::canonical(folder, code);
  if (!code && !fs::is_directory(root, code) && !code) code = std::make_error_code(std::errc::not_a_directory);
  if (code) return std::unexpected("cannot read '" + printable(folder) + "': " + code.message());
  return Remotes(folder, std::move(root), limits);
}

Remotes::Remotes(std::string folder, fs::path root, const Limits& limits)
    : folder_(std::move(folder)), root_(std::move(root)), limits_(limits) {}

std::optional<json::Value> Remotes::find(std::string_view uri) {
  if (!uri.starts_with(kBase)) return std::nullopt;
  auto [entry, fresh] = entries_.try_emplace(std::string(uri));
  if (fresh) entry->second = read(uri.substr(kBase.size()));
  if (entry->second.document.empty()) return std::nullopt;
  return entry->second.document.root();
}

std::string_view Remotes::trouble(std::string_view uri) const {
  auto entry = entries_.find(std::string(uri));
  return entry != entries_.end() ? std::string_view(entry->second.trouble) : std::string_view();
}

Remotes::Entry Remotes::read(std::string_view path) const {
  auto refused = [](std::string why) { return Entry{{}, std::move(why)}; };
  const auto below = decoded_path(path);
  if (!below) return refused("that is no path of a file below '" + printable(folder_) + "'");
  const std::string shown = "'" + printable((fs::path(folder_) / *below).string()) + "'";
  std::error_code code;
  const fs::path real = fs::canonical(root_ / *below, code);
  if (code) return refused("cannot read " + shown + ": " + code.message());
  // The links are gone from both: what is opened now is what was looked at.
  if (!is_below(real, root_)) return refused(shown + " leads out of that folder");
  if (!fs::is_regular_file(real, code)) return refused(shown + " is not a regular file");
  auto text = read_strict_text(real.string(), limits_);
  if (!text) return refused(text.error());
  if (!text->is_json()) {
    const json::Error& error = text->reading.error;
    return refused(shown + ", line " + std::to_string(error.position.line) + ", column " +
                   std::to_string(error.position.column) + ": " + why_not_json(error, text->text));
  }
  return Entry{std::move(text->reading.document), {}};
}

}  // namespace belay::cli
