// A task that somebody watches and nobody steers: its story as plain lines, each thing once.
#pragma once

#include "io.h"

#include <belay/run/front.h>
#include <belay/screen/view.h>

namespace belay::cli {

class Watch final : public run::Front {
 public:
  /// `width` in columns.
  Watch(Output& out, std::size_t width);

  void on(const task::Event& event) override;
  void kept(const task::Record& record) override;
  // Nobody is there; the task knows that and does not ask.
  void ask(std::string_view, const task::AskPerson&) override {}
  void drop(std::string_view) override {}
  /// What the person gave with the command; it is sent already.
  void said(std::string_view words);
  void remark(std::string_view text, bool is_error = false);

 private:
  void draw();
  Output& out_;
  screen::View view_;
};

}  // namespace belay::cli
