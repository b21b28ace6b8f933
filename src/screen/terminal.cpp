#include <belay/screen/terminal.h>

#include "screen/file_names.h"
#include "screen/history_file.h"
#include "screen/painter.h"
#include "screen/tty.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>
#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <utility>

namespace BELAY_NAMESPACE::screen {
namespace {

constexpr std::int64_t kFrame = 33;                  // milliseconds between two frames
constexpr std::int64_t kTick = 1000;                 // the clock in the status
constexpr std::int64_t kEscape = 50;                 // after which an escape is a key
constexpr std::size_t kBehind = 1 << 20;             // bytes that may wait to be drawn
constexpr std::size_t kHistory = 1000;               // entries
constexpr std::chrono::milliseconds kPatience{100};  // between two looks at a terminal that is slow

std::int64_t now_ms() {
  using namespace std::chrono;
  return duration_cast<milliseconds>(steady_clock::now().time_since_epoch()).count();
}

ConsoleOptions console_options(const TerminalOptions& o, Size size) {
  ConsoleOptions c;
  c.view.width = size.width;
  c.view.height = size.height;
  c.view.style = Style(o.colour);
  c.view.unicode = o.unicode;
  c.view.live = o.live;
  c.model = o.model;
  c.workspace = o.workspace;
  c.mode = o.mode;
  c.log = o.log;
  c.preview = o.preview;
  c.servers = o.servers;
  c.files = [workspace = o.workspace](std::string_view beginning) { return files_below(workspace, beginning); };
  return c;
}

}  // namespace

struct Terminal::State {
  explicit State(TerminalOptions given)
      : options(std::move(given)),
        tty(options.input, options.output, options.live),
        size(first_size()),
        console(console_options(options, size)),
        file(options.history),
        wake(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
    console.editor().set_history(file.load(kHistory));
    console.editor().remember = [this](const std::string& entry) { file.add(entry); };
  }
  ~State() {
    if (wake >= 0) ::close(wake);
  }

  Size first_size() const {
    Size s = tty.size();
    if (options.width > 0) s.width = options.width;
    if (options.height > 0) s.height = options.height;
    return s;
  }

  /// Under the mutex: something is to be drawn.
  void changed() {
    if (!std::exchange(dirty, true)) wake_up();
  }
  void wake_up() const {
    const std::uint64_t one = 1;
    [[maybe_unused]] const ssize_t n = ::write(wake, &one, sizeof one);
  }

  // All below on the terminal's thread.
  void loop();
  void draw(std::int64_t now);
  void read_input(std::int64_t now);
  void read_lines(std::string_view bytes, std::int64_t now);
  void on_signals(std::int64_t now);
  void measure();
  void perform();
  [[nodiscard]] int timeout(std::int64_t now);

  TerminalOptions options;
  Tty tty;
  Size size;
  std::mutex mutex;
  std::condition_variable drawn;
  Console console;  // under the mutex
  bool dirty = true;
  std::atomic<bool> closing{false};
  bool attached = false;
  HistoryFile file;
  std::shared_ptr<const Hands> hands;  // under the mutex
  Painter painter;
  KeyReader reader;
  std::string line;  // of a terminal without keys
  std::string last_prompt;
  std::int64_t last_draw = 0;
  std::int64_t escape_since = 0;
  bool at_once = false;  // a key was pressed: what it does is drawn now
  bool input_open = true;
  std::atomic<bool> gone{false};  // nobody sees what is written
  int wake;
  std::thread thread;
};

int Terminal::State::timeout(std::int64_t now) {
  std::int64_t wait = kTick;
  const std::lock_guard lock(mutex);
  if (dirty) wait = at_once ? 0 : std::max<std::int64_t>(last_draw + kFrame - now, 0);
  if (reader.waiting()) wait = std::min(wait, std::max<std::int64_t>(escape_since + kEscape - now, 0));
  if (const auto at = console.changes_at(); at && options.live)
    wait = std::min(wait, std::max<std::int64_t>(*at - now, 0));
  if (!dirty && options.live && console.view().busy())
    wait = std::min(wait, std::max<std::int64_t>(last_draw + kTick - now, 0));
  return static_cast<int>(std::min<std::int64_t>(wait, kTick));
}

void Terminal::State::draw(std::int64_t now) {
  Frame frame;
  bool question = false;
  std::string prompt;
  {
    const std::lock_guard lock(mutex);
    const auto changes = console.changes_at();
    const bool tick =
        options.live && ((console.view().busy() && now - last_draw >= kTick) || (changes && now >= *changes));
    if (!dirty && !tick) return;
    if (dirty && !at_once && now - last_draw < kFrame) return;
    frame = console.frame(now);
    dirty = at_once = false;
    last_draw = now;
    if (!options.live) prompt = console.line_prompt();
  }
  std::string bytes = options.live ? painter.draw(frame) : std::move(frame.transcript);
  if (!options.live) {
    // What happens while a prompt waits begins a row of its own, and the prompt is said again after it.
    const bool waits = !last_prompt.empty() && last_prompt.back() != '\n';
    if (waits && !bytes.empty()) bytes.insert(0, "\n");
    if (prompt != last_prompt || (!bytes.empty() && !prompt.empty())) bytes += prompt;
    last_prompt = prompt;
  }
  if (!options.unicode) bytes = ascii_only(bytes);
  if (!gone && !tty.write(bytes)) gone = true;
  {
    const std::lock_guard lock(mutex);
    question = console.shown(now_ms());
  }
  drawn.notify_all();
  // What was typed before the question could be seen is no answer to it.
  if (question && ::isatty(options.input) == 1) {
    tty.flush();
    reader = {};
    line.clear();
  }
}

void Terminal::State::read_lines(std::string_view bytes, std::int64_t now) {
  constexpr std::size_t kLine = 1 << 20;
  line += bytes;
  for (std::size_t end = line.find('\n'); end != line.npos || line.size() > kLine; end = line.find('\n')) {
    const std::lock_guard lock(mutex);
    console.line(std::string_view(line).substr(0, end), now);
    last_prompt.clear();
    dirty = true;
    line.erase(0, end == line.npos ? line.size() : end + 1);
  }
}

void Terminal::State::read_input(std::int64_t now) {
  char piece[65536];
  const ssize_t n = ::read(options.input, piece, sizeof piece);
  if (n < 0 && (errno == EINTR || errno == EAGAIN)) return;
  if (n <= 0) {
    input_open = false;
    const std::lock_guard lock(mutex);
    console.end_of_input(now);
    dirty = true;
    return;
  }
  const std::string_view bytes(piece, static_cast<std::size_t>(n));
  if (!options.live) return read_lines(bytes, now);
  std::vector<Key> keys = reader.push(bytes);
  escape_since = now;
  const std::lock_guard lock(mutex);
  console.keys(keys, now);
  dirty = at_once = true;
}

void Terminal::State::on_signals(std::int64_t now) {
  char told[64];
  const ssize_t n = ::read(tty.signals(), told, sizeof told);
  for (ssize_t i = 0; i < n; ++i) {
    const std::lock_guard lock(mutex);
    if (told[i] == 'i') console.keys({Key{Key::Kind::interrupt}}, now);
    if (told[i] == 'z') console.keys({Key{Key::Kind::suspend}}, now);
    if (told[i] == 't') console.end_of_input(now);
    if (told[i] == 'c' && options.live) {
      // Somebody else may have used the terminal meanwhile.
      tty.give_back();
      tty.take();
      painter.forget();
    }
    if (told[i] == 'w' || told[i] == 'c') measure();
    dirty = at_once = true;
  }
}

void Terminal::State::perform() {
  std::vector<Wish> wishes;
  std::shared_ptr<const Hands> agent;
  {
    const std::lock_guard lock(mutex);
    wishes = console.take_wishes();
    agent = hands;
  }
  for (Wish& w : wishes) {
    switch (w.kind) {
      case Wish::Kind::reply: agent->reply(std::move(w.task), std::move(w.question), std::move(w.answer)); break;
      case Wish::Kind::say: agent->say({chat::text_block(std::move(w.text))}); break;
      case Wish::Kind::stop: agent->stop(); break;
      case Wish::Kind::leave: agent->leave(); break;
      case Wish::Kind::allow: agent->allow(std::move(w.rule)); break;
      case Wish::Kind::end_now: tty.end_now(); break;
      case Wish::Kind::suspend:
        if (options.live) tty.write(painter.wipe());
        tty.suspend();
        break;
      case Wish::Kind::redraw:
        tty.write("\x1b[H\x1b[2J");
        painter.forget();
        break;
    }
    if (w.kind == Wish::Kind::suspend || w.kind == Wish::Kind::redraw) {
      const std::lock_guard lock(mutex);
      measure();
      dirty = at_once = true;
    }
  }
}

// Under the mutex: the terminal may have another size now.
void Terminal::State::measure() {
  if (options.width != 0) return;
  const Size next = tty.size();
  if (next.width != size.width) painter.resized(next.width);
  size = next;
  console.resize(size.width, size.height);
}

void Terminal::State::loop() {
  while (!closing) {
    std::int64_t now = now_ms();
    draw(now);
    pollfd fds[3] = {{input_open ? options.input : -1, POLLIN, 0}, {tty.signals(), POLLIN, 0}, {wake, POLLIN, 0}};
    const int ready = ::poll(fds, 3, timeout(now_ms()));
    now = now_ms();
    if (ready > 0) {
      std::uint64_t count = 0;
      if (fds[2].revents != 0) [[maybe_unused]]
        const ssize_t n = ::read(wake, &count, sizeof count);
      if (fds[1].revents != 0) on_signals(now);
      if (fds[0].revents != 0) read_input(now);
    }
    if (reader.waiting() && now - escape_since >= kEscape) {
      std::vector<Key> keys = reader.over();
      const std::lock_guard lock(mutex);
      console.keys(keys, now);
      dirty = at_once = true;
    }
    perform();
  }
}

Terminal::Terminal(TerminalOptions options) : state_(std::make_unique<State>(std::move(options))) {}
Terminal::~Terminal() { close(); }

void Terminal::attach(Hands hands) {
  State& s = *state_;
  const std::lock_guard lock(s.mutex);
  s.hands = std::make_shared<const Hands>(std::move(hands));
  if (std::exchange(s.attached, true)) return;
  s.console.greet();
  s.tty.take();
  s.thread = std::thread([&s] { s.loop(); });
}

std::optional<std::string> Terminal::first_message() {
  struct Waiting {
    std::mutex mutex;
    std::condition_variable came;
    bool is_there = false;
    std::optional<std::string> text;
  };
  // Shared with the hands, which may be at work for a moment after others are attached.
  auto waiting = std::make_shared<Waiting>();
  auto put = [waiting](std::optional<std::string> text) {
    const std::lock_guard lock(waiting->mutex);
    if (std::exchange(waiting->is_there, true)) return;
    waiting->text = std::move(text);
    waiting->came.notify_all();
  };
  attach(Hands{[](const std::string&, const std::string&, const task::Reply&) {},
               [put](const std::vector<chat::Block>& blocks) { put(blocks.empty() ? "" : blocks.front().text); }, [] {},
               [put] { put(std::nullopt); }, [](const policy::Rule&) {}});
  std::unique_lock lock(waiting->mutex);
  waiting->came.wait(lock, [&] { return waiting->is_there; });
  return waiting->text;
}

void Terminal::close() {
  State& s = *state_;
  if (s.closing.exchange(true)) return;
  s.wake_up();
  if (s.thread.joinable()) s.thread.join();
  s.drawn.notify_all();
  std::string rest = s.console.view().take();
  if (!s.options.unicode) rest = ascii_only(rest);
  if (s.options.live && s.attached) s.tty.write(s.painter.wipe());
  s.tty.write(rest);
  s.tty.give_back();
}

void Terminal::on(const task::Event& event) {
  State& s = *state_;
  std::unique_lock lock(s.mutex);
  s.console.on(event, now_ms());
  s.changed();
  // A message that waited for this is there before anything that the event brings about is over: a quick tool, say,
  // whose result would be sent without it.
  if (s.hands)
    for (std::string& text : s.console.take_messages()) s.hands->say({chat::text_block(std::move(text))});
  while (s.attached && !s.closing && !s.gone && s.console.view().waiting() > kBehind) s.drawn.wait_for(lock, kPatience);
}

void Terminal::kept(const task::Record& record) {
  const std::lock_guard lock(state_->mutex);
  state_->console.kept(record);
}

void Terminal::ask(std::string_view task, const task::AskPerson& question) {
  const std::lock_guard lock(state_->mutex);
  state_->console.ask(task, question, now_ms());
  state_->changed();
}

void Terminal::drop(std::string_view question) {
  const std::lock_guard lock(state_->mutex);
  state_->console.drop(question);
  state_->changed();
}

void Terminal::idle() {
  const std::lock_guard lock(state_->mutex);
  state_->console.idle(now_ms());
  state_->changed();
}

void Terminal::recount(std::span<const task::Record> records) {
  const std::lock_guard lock(state_->mutex);
  state_->console.recount(records);
  state_->changed();
}

void Terminal::said(std::string_view words) {
  const std::lock_guard lock(state_->mutex);
  state_->console.said(words);
  state_->changed();
}

void Terminal::remark(std::string_view text, bool is_error) {
  const std::lock_guard lock(state_->mutex);
  state_->console.view().remark(text, is_error);
  state_->changed();
}

}  // namespace BELAY_NAMESPACE::screen
