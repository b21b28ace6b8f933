// A call while its arguments arrive.
#pragma once

#include <belay/json/reader.h>
#include <belay/screen/text.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace BELAY_NAMESPACE::screen {

class Forming {
 public:
  Forming(std::string id, std::string name)
      : id_(std::move(id)), name_(std::move(name)), reader_({.root = json::Root::object}) {}

  void push(std::string_view piece);
  [[nodiscard]] const std::string& id() const { return id_; }
  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] std::uint64_t bytes() const { return bytes_; }

  /// One row a member, each at most `width` columns, at most `most` rows. Made again only when the call has grown by a
  /// 32nd, so that drawing it often costs no more than a constant for each byte.
  const std::vector<std::string>& rows(std::size_t width, std::size_t most);
  /// The arguments on one line, as far as they came.
  [[nodiscard]] std::string in_short(std::size_t width);

  /// The call has ended; `cut` says that its text is not whole. Nothing is pushed then, and a second call changes
  /// nothing.
  const json::Reading& finish(bool cut);
  /// The arguments as they were received; nothing when they were too long to be kept.
  [[nodiscard]] std::optional<std::string_view> raw() const;

 private:
  std::string id_, name_;
  json::Reader reader_;
  std::optional<json::Reading> reading_;
  std::string raw_;
  std::uint64_t bytes_ = 0;
  std::vector<std::string> rows_;
  std::uint64_t drawn_at_ = 0;
  std::size_t drawn_width_ = 0;
};

}  // namespace BELAY_NAMESPACE::screen
