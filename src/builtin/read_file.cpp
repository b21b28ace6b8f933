#include "base/utf8.h"
#include "builtin/arguments.h"
#include "builtin/file_tools.h"
#include "builtin/text_lines.h"

#include <limits>

namespace BELAY_NAMESPACE::builtin {
namespace {

constexpr std::size_t kImage = 5 * 1024 * 1024;  // bytes of an image

struct Range {
  std::size_t from = 1, to = std::numeric_limits<std::size_t>::max();
  bool asked = false;
};

// Goes through a file once: keeps the lines of a range as far as there is room, and counts the rest.
class Excerpt {
 public:
  explicit Excerpt(Range range) : range_(range) {}

  void add(std::string_view piece) {
    while (!piece.empty()) {
      const std::size_t end = piece.find('\n');
      const std::string_view part = piece.substr(0, end == std::string_view::npos ? end : end + 1);
      piece.remove_prefix(part.size());
      if (!inside_) {
        inside_ = true;
        ++lines;
      }
      keep(part);
      total_bytes += part.size();
      if (end != std::string_view::npos) inside_ = false;
    }
  }

  std::string text;
  std::size_t lines = 0;            // that the file has
  std::size_t first = 0, last = 0;  // that are in the text
  std::uint64_t total_bytes = 0;
  std::uint64_t begins = 0;  // where in the file the text does
  bool full = false;         // something of the range is not in the text
  bool line_cut = false;     // the last line that is shown is not whole

 private:
  void keep(std::string_view part) {
    if (lines < range_.from || lines > range_.to || full) return;
    if (text.size() + part.size() > kShownBytes) {
      full = true;
      // A line that alone is too much is shown in part, the others are whole.
      if (lines != last && first != 0) return;
      if (first != 0 && first != last) {
        text.resize(line_begins_);
        --last;
        return;
      }
      line_cut = true;
      std::size_t room = kShownBytes - text.size();
      while (room > 0 && (static_cast<unsigned char>(part[room]) & 0xc0) == 0x80) --room;
      part = part.substr(0, room);
    }
    if (first == 0) first = lines, begins = total_bytes;
    if (lines != last) line_begins_ = text.size();
    last = lines;
    text += part;
  }

  Range range_;
  bool inside_ = false;
  std::size_t line_begins_ = 0;
};

std::string name_of(const tool::Invocation& call) { return sandbox::shown_path(text_argument(call, "path")); }

std::optional<tool::Result> wrong_range(const Range& range, std::size_t lines, const std::string& name) {
  const std::string has = name + " has " + counted(lines, "line");
  if (range.from == 0 || range.to == 0) return tool::error_result("lines are counted from 1; " + has);
  if (range.to < range.from)
    return tool::error_result("end_line " + std::to_string(range.to) + " is before start_line " +
                              std::to_string(range.from) + "; " + has);
  if (range.from > lines)
    return tool::error_result("start_line " + std::to_string(range.from) + " is beyond the end: " + has);
  return std::nullopt;
}

tool::Result image(const sandbox::Workspace& workspace, const tool::Invocation& call, const std::string& media_type,
                   bool range) {
  const std::string name = name_of(call);
  if (range) return tool::error_result(name + " is an image (" + media_type + "); it has no lines");
  auto content = workspace.read(text_argument(call, "path"));
  if (!content) return failed(content.error());
  if (content->bytes.size() > kImage)
    return tool::error_result(name + " is an image of " + std::to_string(content->bytes.size()) + " bytes; at most " +
                              std::to_string(kImage) + " can be shown");
  chat::Block block;
  block.kind = chat::Block::Kind::image;
  block.media_type = media_type;
  block.data = base64(content->bytes);
  return {{chat::text_block("[" + name + ": " + media_type + ", " + std::to_string(content->bytes.size()) + " bytes]"),
           std::move(block)},
          false};
}

tool::Result no_text(const std::string& name, std::uint64_t size, const std::string& why) {
  return tool::error_result(name + " is binary (" + std::to_string(size) + " bytes): " + why +
                            ". Only text and images are read; a command such as od -c shows its bytes");
}

tool::Result text(const Excerpt& excerpt, const Range& range, const std::string& name) {
  if (excerpt.total_bytes == 0 && !range.asked) return tool::text_result("[" + name + " is empty]");
  if (auto wrong = wrong_range(range, excerpt.lines, name)) return std::move(*wrong);
  const Damage damage = damage_of(excerpt.text);
  if (const std::string why = why_binary(excerpt.text, excerpt.begins); !why.empty())
    return no_text(name, excerpt.total_bytes, why);
  std::string out;
  if (range.asked || excerpt.full) {
    out += "[lines " + std::to_string(excerpt.first) + "-" + std::to_string(excerpt.last) + " of " +
           std::to_string(excerpt.lines) + " of " + name;
    if (excerpt.line_cut)
      out += "; line " + std::to_string(excerpt.last) + " is too long, and only its beginning is here";
    if (excerpt.full) {
      out += "; the result was full";
      if (excerpt.last < excerpt.lines) out += ", go on with start_line " + std::to_string(excerpt.last + 1);
    }
    out += "]\n";
  }
  if (damage.parts > 0)
    out += "[" + counted(damage.parts, "part") + " of it " + (damage.parts == 1 ? "is" : "are") +
           " not UTF-8, and shown as U+FFFD]\n";
  return tool::text_result(out + (damage.parts > 0 ? utf8::replaced(excerpt.text) : excerpt.text));
}

tool::Result read(const sandbox::Workspace& workspace, const tool::Invocation& call) {
  if (call.stop.stop_requested()) return stopped();
  const std::string name = name_of(call);
  Range range;
  if (auto from = number_argument(call, "start_line")) range.from = *from, range.asked = true;
  if (auto to = number_argument(call, "end_line")) range.to = *to, range.asked = true;
  auto file = workspace.open_file(text_argument(call, "path"));
  if (!file) return failed(file.error());

  Excerpt excerpt(range);
  std::string beginning;
  Sight sight;
  bool ended = false;
  auto done = sandbox::read_pieces(*file, workspace.limits().scan_bytes, "scan_bytes", [&](std::string_view piece) {
    if (beginning.size() < kBeginning) {
      beginning += piece.substr(0, kBeginning - beginning.size());
      sight = sight_of(beginning);
      if (sight.binary && beginning.size() >= 16) return false;
    }
    excerpt.add(piece);
    ended = call.stop.stop_requested();
    return !ended;
  });
  if (ended) return stopped();
  if (!done) return failed(done.error());
  if (!sight.media_type.empty()) return image(workspace, call, sight.media_type, range.asked);
  if (sight.binary)
    return no_text(name, std::max<std::uint64_t>(file->facts.size, beginning.size()), why_binary(beginning));
  return text(excerpt, range, name);
}

}  // namespace

tool::Spec read_file_spec() {
  tool::Spec spec;
  spec.name = "read_file";
  spec.description =
      "Reads a file of the workspace. A text comes as it is; with start_line or end_line, or when it is too long, a "
      "first line in brackets says which lines of how many are shown. A PNG, JPEG, GIF or WebP image comes as an "
      "image; "
      "other binary files are refused. One call reads one file: make several calls for several files." +
      std::string(kOneObject);
  spec.parameters = R"({"type":"object","properties":{)"
                    R"("path":{"type":"string","description":"The file, relative to the workspace"},)"
                    R"("start_line":{"type":"integer","minimum":1,"description":"First line to read, counted from 1"},)"
                    R"("end_line":{"type":"integer","minimum":1,"description":"Last line to read, included"}},)"
                    R"("required":["path"],"additionalProperties":false})";
  spec.effect = tool::Effect::read;
  spec.parameter_aliases = {{"file_path", "path"}};
  return spec;
}

tool::Code read_file_code(SharedWorkspace workspace) {
  return [workspace = std::move(workspace)](const tool::Invocation& call) { return read(*workspace, call); };
}

}  // namespace BELAY_NAMESPACE::builtin
