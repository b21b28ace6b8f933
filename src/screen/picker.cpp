#include <belay/screen/picker.h>

#include "screen/columns.h"
#include "screen/painter.h"
#include "screen/tty.h"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>

namespace BELAY_NAMESPACE::screen {
namespace {

std::optional<std::size_t> number_in(std::string_view text, std::size_t most) {
  std::size_t n = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n);
  if (error != std::errc() || end != text.data() + text.size() || n == 0 || n > most) return std::nullopt;
  return n - 1;
}

std::string numbered(std::size_t i, std::size_t of) {
  const std::string n = std::to_string(i + 1);
  return std::string(std::to_string(of).size() - n.size(), ' ') + n;
}

// Where nothing can be redrawn.
std::optional<std::size_t> pick_by_line(const PickOptions& options, const Tty& tty) {
  std::string text = printable(options.title) + "\n";
  const std::string indent(std::to_string(options.rows.size()).size() + 2, ' ');
  if (!options.heading.empty()) text += indent + printable(options.heading) + "\n";
  for (std::size_t i = 0; i < options.rows.size(); ++i)
    text += numbered(i, options.rows.size()) + "  " + printable(options.rows[i]) + "\n";
  tty.write(text + "Its number, and Enter; Enter alone leaves: ");
  std::string line;
  for (char c = 0; line.size() < 64;) {
    pollfd fds[2] = {{options.input, POLLIN, 0}, {tty.signals(), POLLIN, 0}};
    if (::poll(fds, 2, -1) < 0 && errno != EINTR) return std::nullopt;
    if (fds[1].revents != 0 && ::read(tty.signals(), &c, 1) == 1 && (c == 'i' || c == 't')) return std::nullopt;
    if (fds[0].revents == 0) continue;
    const ssize_t n = ::read(options.input, &c, 1);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0 || c == '\n') break;
    line += c;
  }
  while (line.ends_with('\r') || line.ends_with(' ')) line.pop_back();
  return number_in(line, options.rows.size());
}

}  // namespace

Picker::State Picker::on(const Key& key) {
  using Kind = Key::Kind;
  if (key.kind != Kind::text && key.kind != Kind::backspace) typed_.clear();
  switch (key.kind) {
    case Kind::enter: return State::chosen;
    case Kind::escape:
    case Kind::interrupt:
    case Kind::end_of_input: return State::left;
    case Kind::up: at_ -= at_ > 0 ? 1 : 0; break;
    case Kind::down: at_ = std::min(at_ + 1, rows_.size() - 1); break;
    case Kind::home: at_ = 0; break;
    case Kind::end: at_ = rows_.size() - 1; break;
    case Kind::backspace:
      if (!typed_.empty()) typed_.pop_back();
      break;
    case Kind::text:
      for (const char c : key.text) {
        if (c == 'q') return State::left;
        if (c == 'k' || c == 'j') at_ = c == 'j' ? std::min(at_ + 1, rows_.size() - 1) : at_ - (at_ > 0 ? 1 : 0);
        if (c < '0' || c > '9') continue;
        typed_ += c;
        // A number that cannot be one begins anew with its last digit.
        if (!number_in(typed_, rows_.size())) typed_ = std::string(1, c);
        at_ = number_in(typed_, rows_.size()).value_or(at_);
      }
      break;
    default: break;
  }
  return State::open;
}

std::vector<std::string> Picker::draw(std::size_t width, std::size_t height) const {
  width = std::max(width, kLeastColumns);
  std::vector<std::string> out;
  if (!title_.empty()) out.push_back(style_.bold(clipped(title_, width)));
  const std::size_t indent = std::to_string(rows_.size()).size() + 4;
  if (!heading_.empty()) out.push_back(style_.dim(std::string(indent, ' ') + clipped(heading_, width - indent)));
  const std::size_t room = height > out.size() + 2 ? height - out.size() - 1 : 1;
  const std::size_t shown = std::min(rows_.size(), room);
  const std::size_t first = std::min(at_ - std::min(at_, shown / 2), rows_.size() - shown);
  for (std::size_t i = first; i < first + shown; ++i) {
    const std::string row = (i == at_ ? "> " : "  ") + numbered(i, rows_.size()) + "  ";
    const std::string text = row + clipped(rows_[i], width - row.size());
    out.push_back(i == at_ ? style_.bold(text) : text);
  }
  std::string help = "Enter goes on with it, Esc leaves; arrow keys, or its number";
  if (shown < rows_.size()) help += "; " + std::to_string(rows_.size()) + " in all";
  out.push_back(style_.dim(clipped(help, width)));
  return out;
}

std::optional<std::size_t> pick(const PickOptions& options) {
  if (options.rows.empty()) return std::nullopt;
  Tty tty(options.input, options.output, options.live);
  if (!options.live) return pick_by_line(options, tty);
  Picker picker(options.title, options.heading, options.rows, Style(options.colour));
  KeyReader reader;
  Painter painter;
  tty.take();
  Picker::State state = Picker::State::open;
  Size size = tty.size();
  while (state == Picker::State::open) {
    Frame frame;
    frame.rows = picker.draw(size.width, std::min<std::size_t>(size.height - std::min<std::size_t>(size.height, 1),
                                                               options.rows.size() + 3));
    frame.row = frame.rows.size() - 1;
    if (!tty.write(painter.draw(frame))) break;
    pollfd fds[2] = {{options.input, POLLIN, 0}, {tty.signals(), POLLIN, 0}};
    constexpr int kEscape = 50;  // milliseconds after which an escape is a key
    const int ready = ::poll(fds, 2, reader.waiting() ? kEscape : -1);
    if (ready < 0 && errno != EINTR) break;
    std::vector<Key> keys;
    if (ready == 0) keys = reader.over();
    if (ready > 0 && fds[1].revents != 0) {
      char told[64];
      const ssize_t n = ::read(tty.signals(), told, sizeof told);
      for (ssize_t i = 0; i < n; ++i) {
        if (told[i] == 'i' || told[i] == 't') state = Picker::State::left;
        if (told[i] == 'w' || told[i] == 'c') {
          const Size next = tty.size();
          if (next.width != size.width) painter.resized(next.width);
          size = next;
        }
      }
    }
    if (ready > 0 && fds[0].revents != 0) {
      char piece[4096];
      const ssize_t n = ::read(options.input, piece, sizeof piece);
      if (n > 0)
        keys = reader.push({piece, static_cast<std::size_t>(n)});
      else if (n == 0 || (errno != EINTR && errno != EAGAIN))
        break;
    }
    for (const Key& key : keys)
      if (state == Picker::State::open) state = picker.on(key);
  }
  tty.write(painter.wipe());
  if (state != Picker::State::chosen) return std::nullopt;
  return picker.at();
}

}  // namespace BELAY_NAMESPACE::screen
