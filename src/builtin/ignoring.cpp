#include "builtin/ignoring.h"

namespace BELAY_NAMESPACE::builtin {
namespace {

constexpr std::uint64_t kMost = 1 << 20;  // bytes of a .gitignore that count
constexpr const char* kName = ".gitignore";

}  // namespace

void IgnoringVisitor::read_above(const sandbox::Workspace& workspace, std::string_view place) {
  // Of the root on down to the folder before the last.
  for (std::size_t end = 0; !place.empty() && end != std::string_view::npos;) {
    const std::string_view above = place.substr(0, end == 0 ? 0 : end);
    auto content = workspace.read(above.empty() ? kName : std::string(above) + "/" + kName);
    rules_.push(above, content && content->bytes.size() <= kMost ? IgnoreRules::read(content->bytes) : IgnoreRules{});
    end = place.find('/', end == 0 ? 0 : end + 1);
  }
}

void IgnoringVisitor::enter(const sandbox::FolderView& folder) {
  std::string text;
  if (auto file = folder.open(kName)) {
    const auto done = sandbox::read_pieces(*file, kMost, "file_bytes", [&](std::string_view piece) {
      text += piece;
      return true;
    });
    if (!done) text.clear();
  }
  rules_.push(folder.place(), IgnoreRules::read(text));
}

void IgnoringVisitor::leave() { rules_.pop(); }

sandbox::Visit IgnoringVisitor::visit(const sandbox::Entry& entry, const sandbox::FolderView& folder) {
  std::string place(folder.place());
  if (!place.empty()) place += '/';
  if (rules_.ignored(place + entry.name, entry.kind == sandbox::Entry::Kind::folder)) {
    ++ignored_;
    return sandbox::Visit::skip;
  }
  return see(entry, folder);
}

}  // namespace BELAY_NAMESPACE::builtin
