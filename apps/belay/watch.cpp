#include "watch.h"

#include "terminal.h"

#include <chrono>

namespace belay::cli {
namespace {

screen::ViewOptions options_for(Output& out, std::size_t width) {
  screen::ViewOptions options;
  options.width = width;
  options.style = Style::for_terminal(out.is_terminal());
  options.live = false;
  return options;
}

std::int64_t now() {
  return std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

}  // namespace

Watch::Watch(Output& out, std::size_t width) : out_(out), view_(options_for(out, width)) {}

void Watch::on(const task::Event& event) {
  view_.on(event, now());
  draw();
}

void Watch::kept(const task::Record& record) {
  view_.kept(record);
  draw();
}

void Watch::said(std::string_view words) {
  view_.said(words);
  draw();
}

void Watch::remark(std::string_view text, bool is_error) {
  view_.remark(text, is_error);
  draw();
}

void Watch::draw() {
  if (view_.waiting() == 0) return;
  out_ << view_.take();
  out_.flush();
}

}  // namespace belay::cli
